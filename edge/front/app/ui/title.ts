import { useEffect } from 'preact/hooks'

/** The title of the browser's window while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
