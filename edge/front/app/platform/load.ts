import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { PlatformError } from '../../../client/errors.ts'
import { staysSignedIn } from './session-route.ts'
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

const answerKey = 'front.answer'

/** The answer that the next start begins with. Another version of the client may not understand it. */
type StoredAnswer = { version: string | undefined; key: string; value: unknown }

/** The address of the client's script, which names its content. */
const version = document.querySelector<HTMLScriptElement>('script[type=module]')?.src

/**
 * Stores the answer of a first screen on the device of a person who stays signed in [D540].
 * @param key names the person too
 */
export function storeAnswer(key: string): void {
  const answer: StoredAnswer = { version, key, value: answers.get(key) }
  if (staysSignedIn()) localStorage.setItem(answerKey, JSON.stringify(answer))
}

/** Takes the stored answer for the last one, until it is loaded again. */
export function restoreAnswer(): void {
  const answer = JSON.parse(localStorage.getItem(answerKey) ?? 'null') as StoredAnswer | null
  if (answer && answer.version === version) answers.set(answer.key, answer.value)
}

/** Drops all cached answers, as when another person signs in. */
export function forgetLoads(): void {
  localStorage.removeItem(answerKey)
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

type WithoutBlanks<Values> = { [Name in keyof Values]?: Exclude<Values[Name], '' | false | null | undefined> }

/** Values without the empty ones, such as filters that aren't set. */
export const withoutBlanks = <Values extends object>(values: Values): WithoutBlanks<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as WithoutBlanks<Values>

type Part<Row> = { data: Row[]; meta: { total: number; totalPages: number } | null }

export type NextPart = {
  hasMore: boolean
  isLoadingMore: boolean
  showMore: () => Promise<void>
}

/** The rows of the loaded parts. */
type GrowingList<Row> = Load<Row[]> &
  NextPart & {
    /** Number of rows of all parts. */
    total: number
  }

/** Number of loaded parts by the key of the list, for returning to it. */
const partCounts = new Map<string, number>()
export const shownPartCount = (key: string): number => partCounts.get(key) ?? 1

/** Loads the first parts of a list. Rows that move between parts meanwhile are listed once. */
export async function firstParts<Row extends { id: string }>(
  count: number,
  loadPart: (page: number) => Promise<Part<Row>>,
): Promise<{ rows: Row[]; total: number; hasMore: boolean }> {
  const parts = await Promise.all(Array.from({ length: count }, (_, index) => loadPart(index + 1)))
  const rows = new Map(parts.flatMap(({ data }) => data.map(row => [row.id, row] as const)))
  const { total = 0, totalPages = 0 } = parts[0]?.meta ?? {}
  return { rows: [...rows.values()], total, hasMore: totalPages > count }
}

/** Loads all rows of a list that rarely has a second part. */
export async function allRows<Row>(loadPart: (page: number) => Promise<Part<Row>>): Promise<Row[]> {
  const first = await loadPart(1)
  const otherParts = Array.from({ length: (first.meta?.totalPages ?? 1) - 1 }, (_, index) => loadPart(index + 2))
  return [first, ...(await Promise.all(otherParts))].flatMap(({ data }) => data)
}

/** Loads one more part of a list. */
export function useShowMore(key: string, reload: () => Promise<void>): Omit<NextPart, 'hasMore'> {
  const [isLoadingMore, setLoadingMore] = useState(false)
  return {
    isLoadingMore,
    async showMore() {
      if (isLoadingMore) return
      partCounts.set(key, shownPartCount(key) + 1)
      setLoadingMore(true)
      await reload()
      setLoadingMore(false)
    },
  }
}

/**
 * Loads a list part by part. The shown rows stay while more are loaded.
 * @param key names the list, as in `useLoad`
 * @param loadPart loads one part, a page of the route
 */
export function useGrowingList<Row extends { id: string }>(
  key: string,
  loadPart: (page: number, signal: AbortSignal) => Promise<Part<Row>>,
): GrowingList<Row> {
  const { value, change, ...load } = useLoad(key, signal =>
    firstParts(shownPartCount(key), page => loadPart(page, signal)),
  )
  return {
    ...load,
    value: value?.rows,
    total: value?.total ?? 0,
    hasMore: value?.hasMore ?? false,
    change: next =>
      change(list => {
        const rows = next(list.rows)
        return { ...list, rows, total: list.total + rows.length - list.rows.length }
      }),
    ...useShowMore(key, load.reload),
  }
}

/** Answers for many ids, of which a route takes at most a hundred at once. */
export function inHundreds<Answer>(ids: string[], load: (ids: string[]) => Promise<Answer>): Promise<Answer[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / 100) }, (_, index) =>
    ids.slice(index * 100, index * 100 + 100),
  )
  return Promise.all(parts.map(load))
}
