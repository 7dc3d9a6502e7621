import { createStore } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

const chosen = 'front.theme'
const kept = localStorage.getItem(chosen)

/** The colours of the interface. */
export const theme = createStore<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system')

export function chooseTheme(next: Theme): void {
  localStorage.setItem(chosen, next)
  theme.set(next)
  showTheme()
}

/** Applies the chosen colours to the page. */
export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.get()
}
