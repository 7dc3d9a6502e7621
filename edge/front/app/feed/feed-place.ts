import { useLayoutEffect } from 'preact/hooks'

/** How far a list was scrolled, by its key. */
const scrolled = new Map<string, number>()

/** Returns to where a list was left, once it is shown. */
export function useKeptPlace(key: string, isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) return
    const top = scrolled.get(key)
    if (top !== undefined) scrollTo(0, top)
    const keep = () => void scrolled.set(key, scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [key, isShown])
}
