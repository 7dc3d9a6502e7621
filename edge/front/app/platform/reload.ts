import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Store } from './store.ts'

/** Least and most time until a reload, in ms: readers of one page don't all ask at the same moment. */
const [soonestMs, latestMs] = [150, 900]

/**
 * Loads again whenever a store changes, such as `missedFrames`.
 * @returns a function that loads again soon; calls until then are one
 */
export function useReloadOn(store: Store<number>, reload: () => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const soon = useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        void reload()
      },
      soonestMs + Math.random() * (latestMs - soonestMs),
    )
  }, [reload])
  useEffect(() => store.subscribe(soon), [store, soon])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [reload],
  )
  return soon
}
