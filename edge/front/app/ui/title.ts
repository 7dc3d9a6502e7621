import { useEffect } from 'preact/hooks'

/** The title of the browser's window while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

/** Focuses the heading of the page, such as when the focused element is gone. */
export function focusHeading(): void {
  const heading = document.querySelector('main h1')
  if (!(heading instanceof HTMLElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
