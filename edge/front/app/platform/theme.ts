import { createStore } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'front.theme'
const storedTheme = localStorage.getItem(storageKey)

/** The colours of the interface. */
export const theme = createStore<Theme>(storedTheme === 'light' || storedTheme === 'dark' ? storedTheme : 'system')

export function chooseTheme(next: Theme): void {
  localStorage.setItem(storageKey, next)
  theme.set(next)
  showTheme()
}

/** Applies the chosen colours to the page. */
export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.get()
}
