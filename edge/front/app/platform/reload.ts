import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Store } from './store.ts'

/** Least and most time until a reload, in ms: readers of one page don't all ask at the same moment. */
const [soonest, latest] = [150, 900]

/**
 * Loads again whenever a store changes, such as `gaps`.
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
      soonest + Math.random() * (latest - soonest),
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
