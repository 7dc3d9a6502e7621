import { useCallback, useEffect, useRef } from 'preact/hooks'
import { connect, type Live, type LiveState } from '../../../live/client/client.js'
import { socketAddress } from './place.ts'
import { accessToken } from './session.ts'
import { createStore } from './store.ts'

/** State of the socket. */
export const liveState = createStore<LiveState>('connecting')
/** Counts the times at which frames may have been missed: screens then reload. */
export const missedFrames = createStore(0)

let openSocket: Live | undefined

/** The socket of this tab, opened when first needed. A person may have ten sockets, so that one carries all rooms. */
export function live(): Live {
  openSocket ??= connect({
    url: socketAddress,
    token: accessToken,
    state: liveState.set,
    gap: () => missedFrames.set(count => count + 1),
  })
  return openSocket
}

/** Closes the socket, as at sign-out. */
export function closeLive(): void {
  openSocket?.close()
  openSocket = undefined
  liveState.set('connecting')
}

/**
 * Joins a room while the component is shown.
 * @param onRefused called each time the server refuses
 */
export function useRoom(join: string, data: unknown, onRefused?: () => void): void {
  const key = JSON.stringify(data)
  const latestHandler = useRef(onRefused)
  latestHandler.current = onRefused
  useEffect(() => live().join(join, JSON.parse(key), () => latestHandler.current?.()), [join, key])
}

/** Calls the listener for each frame of an event while the component is shown. */
export function useFrames<Data>(event: string, listener: (data: Data) => unknown): void {
  const latestListener = useRef(listener)
  latestListener.current = listener
  useEffect(() => live().on<Data>(event, data => void latestListener.current(data)), [event])
}

/** Least and most time until a reload, in ms: readers of one page don't all ask at the same moment. */
const [minDelayMs, maxDelayMs] = [150, 900]

/**
 * Loads again when frames may have been missed.
 * @returns a function that loads again soon; calls until then are one
 */
export function useReload(reload: () => Promise<void>): () => void {
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
  useEffect(() => {
    const stop = missedFrames.subscribe(reloadSoon)
    return () => {
      stop()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [reloadSoon])
  return reloadSoon
}
