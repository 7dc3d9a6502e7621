import { render } from 'preact'
import { showBrand } from './platform/brand.ts'
import { basePath } from './platform/place.ts'
import { restoreSession } from './platform/session.ts'
import { showLanguage } from './platform/texts.ts'
import { showTheme } from './platform/theme.ts'
import { workerAddress } from './platform/trusted.ts'
import { App } from './shell/app.tsx'

const root = document.getElementById('app')
if (root) {
  showLanguage()
  showTheme()
  showBrand()
  root.textContent = ''
  // First, so that a stored session's screen is the first one to be rendered.
  void restoreSession()
  render(<App />, root)
  // Answers from its caches while offline.
  navigator.serviceWorker?.register(workerAddress(), { scope: basePath }).catch(() => undefined)
}
