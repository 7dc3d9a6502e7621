import { fill, icon } from './dom.js'

/** Makes a button toggle between light and dark. The system's theme isn't stored. */
export function themeButton(button) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'
  const draw = () => {
    fill(button, icon(isDark() ? 'sun' : 'moon'))
    button.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme')
    button.title = button.getAttribute('aria-label')
  }
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    // The same as the system's theme, so nothing is stored.
    if ((next === 'dark') === dark.matches) {
      delete document.documentElement.dataset.theme
      localStorage.removeItem('console-theme')
    } else localStorage.setItem('console-theme', next)
    draw()
  })
  dark.addEventListener('change', draw)
  draw()
}
