import { render } from 'preact'
import { restoreSession } from './platform/session.ts'
import { showLanguage } from './platform/texts.ts'
import { showTheme } from './platform/theme.ts'
import { registerWorker } from './platform/worker.ts'
import { App } from './shell/app.tsx'

const root = document.getElementById('app')
if (root) {
  showLanguage()
  showTheme()
  root.textContent = ''
  render(<App />, root)
  void restoreSession()
  registerWorker()
}
