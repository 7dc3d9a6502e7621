import { render } from 'preact'
import { language } from '../../front/app/platform/texts.ts'
import { showTheme } from '../../front/app/platform/theme.ts'
import { App } from './app.tsx'
import { resumeSession } from './session.ts'

const root = document.getElementById('app')
if (root) {
  language.set('en')
  showTheme()
  root.textContent = ''
  render(<App />, root)
  void resumeSession()
}
