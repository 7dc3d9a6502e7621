import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Store } from './store.ts'

/** Least and most time until a reload, in ms: readers of one page don't all ask at the same moment. */
const [minDelayMs, maxDelayMs] = [150, 900]

/**
 * Loads again whenever a store changes, such as `missedFrames`.
 * @returns a function that loads again soon; calls until then are one
 */
export function useReloadOn(store: Store<number>, reload: () => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const reloadSoon = useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        void reload()
      },
      minDelayMs + Math.random() * (maxDelayMs - minDelayMs),
    )
  }, [reload])
  useEffect(() => store.subscribe(reloadSoon), [store, reloadSoon])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [reload],
  )
  return reloadSoon
}
