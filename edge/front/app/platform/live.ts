import { useEffect } from 'preact/hooks'
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
    token: async isRefused => (await accessToken(isRefused)) ?? '',
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
  useEffect(() => live().join(join, JSON.parse(key), onRefused), [join, key, onRefused])
}

/** Calls the listener for each frame of an event while the component is shown. */
export function useFrames<Data>(event: string, listener: (data: Data) => void): void {
  useEffect(() => live().on(event, data => listener(data as Data)), [event, listener])
}
