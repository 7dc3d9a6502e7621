import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { PlatformError } from '../../../client/errors.ts'
import { createStore, useStore } from './store.ts'

/** A loaded value, which stays while it is reloaded, and the error of the last request. */
export type Load<Value> = {
  value: Value | undefined
  error: unknown
  isLoading: boolean
  /** Loads again. */
  reload: () => Promise<void>
  /** Changes the answer in place, as when a frame brought news of it. May be called twice with the same change. */
  change: (next: (value: Value) => Value) => void
}

/** A request under way. Changes made meanwhile are applied to its answer too, which may be older than they are. */
type RunningLoad<Value> = { abort: AbortController; changes: ((value: Value) => Value)[] }

const answers = new Map<string, unknown>()
const generation = createStore(0)

/** Drops all cached answers, as when another person signs in. */
export function forgetLoads(): void {
  answers.clear()
  generation.set(count => count + 1)
}

/** Loads everything that is shown again, as when the connection is back or the person's rights changed. */
export function reloadAll(): void {
  generation.set(count => count + 1)
}

/**
 * Loads what a screen shows. The last answer for the same key is shown at once while it is loaded again.
 * @param key names what is loaded, such as `page/42`; null loads nothing
 */
export function useLoad<Value>(key: string | null, load: (signal: AbortSignal) => Promise<Value>): Load<Value> {
  const currentGeneration = useStore(generation)
  const [, redraw] = useState(0)
  const state = useRef<{ key: string | null; error: unknown; isLoading: boolean }>({
    key,
    error: undefined,
    isLoading: true,
  })
  const latestLoad = useRef(load)
  latestLoad.current = load
  const runningLoad = useRef<RunningLoad<Value> | undefined>(undefined)
  if (state.current.key !== key) state.current = { key, error: undefined, isLoading: true }

  const reload = useCallback(async () => {
    // An action that started under another key reloads that key, not the present one.
    if (key === null || state.current.key !== key) return
    runningLoad.current?.abort.abort()
    const request: RunningLoad<Value> = { abort: new AbortController(), changes: [] }
    runningLoad.current = request
    const { signal } = request.abort
    const startGeneration = generation.get()
    // Another key may be rendered already, before the effect that aborts this request.
    const isObsolete = () => signal.aborted || generation.get() !== startGeneration || state.current.key !== key
    try {
      const value: Value = await latestLoad.current(signal)
      if (isObsolete()) return
      answers.set(
        key,
        request.changes.reduce((current, change) => change(current), value),
      )
      state.current = { key, error: undefined, isLoading: false }
    } catch (error) {
      if (isObsolete()) return
      // Hides what the person may no longer read.
      if (error instanceof PlatformError && error.status === 403) answers.delete(key)
      state.current = { key, error, isLoading: false }
    }
    runningLoad.current = undefined
    redraw(count => count + 1)
  }, [key])

  useEffect(() => {
    void reload()
    return () => runningLoad.current?.abort.abort()
  }, [reload, currentGeneration])

  const change = useCallback(
    (next: (value: Value) => Value) => {
      if (key === null) return
      runningLoad.current?.changes.push(next)
      if (!answers.has(key)) return
      answers.set(key, next(answers.get(key) as Value))
      redraw(count => count + 1)
    },
    [key],
  )

  return {
    value: key === null ? undefined : (answers.get(key) as Value | undefined),
    error: state.current.error,
    isLoading: state.current.isLoading && key !== null,
    reload,
    change,
  }
}

/** The last answer of any key, for lists that stay on the screen while a search or another page is loaded. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const lastValue = useRef(value)
  if (value !== undefined) lastValue.current = value
  return lastValue.current
}
