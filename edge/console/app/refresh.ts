import { useEffect, useRef, useState } from 'preact/hooks'
import { createStore, useStore } from '../../front/app/platform/store.ts'
import type { ConsoleStatus } from './answers.ts'
import { causeOf, endSession, operator, readConsole, statusOf, waitOf } from './session.ts'

/** How current the page is. */
type Freshness = {
  status?: ConsoleStatus
  refreshedAt?: number
  /** Why the last refresh failed: what is shown may be out of date, and nothing may be changed. */
  error?: unknown
  /** Until when the platform refuses all requests (429). */
  blockedUntil?: number
  isPaused: boolean
}

export const freshness = createStore<Freshness>({ isPaused: false })
const update = (change: Partial<Freshness>) => freshness.set(current => ({ ...current, ...change }))

/** Whether the page may be out of date. */
export const useIsStale = (): boolean => useStore(freshness).error !== undefined

export const staleText = 'Not connected: nothing was changed. Try again once the platform responds.'

type ShownPage = { load: () => Promise<void>; everyMs: () => number; isRunning?: boolean; isRequestedAgain?: boolean }
/** The open page, which is loaded repeatedly. */
let page: ShownPage | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Delay after a failed refresh. */
const retryMs = 3_000

/**
 * Loads what a page shows, now and repeatedly until the page is left. A change of `key` loads at once; the last answer
 * stays meanwhile.
 */
export function useRefreshed<Value>(
  key: string,
  everyMs: number | (() => number),
  load: () => Promise<Value>,
): Value | undefined {
  const [answer, setAnswer] = useState<Value>()
  const latestLoad = useRef(load)
  latestLoad.current = load
  useEffect(() => {
    const shownPage: ShownPage = {
      everyMs: typeof everyMs === 'number' ? () => everyMs : everyMs,
      async load() {
        const value = await latestLoad.current()
        await pointerReleased
        if (page === shownPage) setAnswer(() => value)
      },
    }
    page = shownPage
    void refresh()
    return () => {
      if (page === shownPage) page = undefined
    }
  }, [key])
  return answer
}

/** Loads the shown page again. */
export async function refresh(): Promise<void> {
  clearTimeout(timer)
  const shownPage = page
  const current = operator.get()
  if (!shownPage || current.kind !== 'in' || current.hasExpired) return
  const { blockedUntil = 0 } = freshness.get()
  if (blockedUntil > Date.now()) return scheduleRefresh(blockedUntil - Date.now())
  // One refresh at a time: the answers of two could arrive in the wrong order.
  if (shownPage.isRunning) {
    shownPage.isRequestedAgain = true
    return
  }
  Object.assign(shownPage, { isRunning: true, isRequestedAgain: false })
  let retryDelayMs: number | undefined
  try {
    update({ status: await readConsole<ConsoleStatus>('status'), blockedUntil: 0 })
    await shownPage.load()
    if (page !== shownPage) return
    update({ refreshedAt: Date.now(), error: undefined })
  } catch (thrown) {
    const error = causeOf(thrown)
    const isRefused = statusOf(error) === 403 && /console is for/.test((error as Error).message)
    if (isRefused) return endSession(error)
    if (statusOf(error) === 429) update({ blockedUntil: Date.now() + waitOf(error) })
    if (page !== shownPage) return
    if (statusOf(error) !== 429) {
      update({ error })
      retryDelayMs = retryMs
    }
  }
  shownPage.isRunning = false
  if (shownPage.isRequestedAgain || (freshness.get().blockedUntil ?? 0) > Date.now()) void refresh()
  else scheduleRefresh(retryDelayMs ?? shownPage.everyMs())
}

/** Refreshes after a delay; delays again while text is selected. */
function scheduleRefresh(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!page || freshness.get().isPaused || document.hidden) return
    const selected = getSelection()
    if (selected && !selected.isCollapsed && document.querySelector('main')?.contains(selected.anchorNode))
      scheduleRefresh(ms)
    else void refresh()
  }, ms)
}

export function pauseUpdates(isPaused: boolean): void {
  update({ isPaused })
  if (!isPaused) void refresh()
}

/** Clears the state of the last operator's page. */
export const resetFreshness = (): void => freshness.set({ isPaused: false })

// The browser knows of a lost network before a request fails.
for (const type of ['online', 'offline']) addEventListener(type, () => void refresh())
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !freshness.get().isPaused) void refresh()
})

/** Settles once no pointer is pressed: elements must not move before the click. */
let pointerReleased = Promise.resolve()
let release = () => {}
addEventListener('pointerdown', () => {
  release()
  pointerReleased = new Promise(resolve => (release = resolve))
})
// The click event follows this one.
for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, () => setTimeout(() => release()))

/** The answer to a part of a page, or its error. A missing record has neither. */
export type PartialAnswer<Answer> = { answer?: Answer; error?: unknown }

/** Loads a part of a page. Throws errors of the whole page: a lost connection or session, or too many requests. */
export async function loadPart<Answer>(call: Promise<Answer>): Promise<PartialAnswer<Answer>> {
  try {
    return { answer: await call }
  } catch (error) {
    if (statusOf(error) === 404) return {}
    if ([0, 401, 429].includes(statusOf(error))) throw error
    return { error }
  }
}
