import { useEffect } from 'preact/hooks'
import { connect, type Live, type LiveState } from '../../../live/client/client.js'
import { socketAddress } from './place.ts'
import { accessToken } from './session.ts'
import { createStore } from './store.ts'

/** State of the socket. */
export const liveState = createStore<LiveState>('connecting')
/** Counts the times at which frames may have been missed: screens then reload. */
export const missedFrames = createStore(0)

let open: Live | undefined

/** The socket of this tab, opened when first needed. A person may have ten sockets, so that one carries all rooms. */
export function live(): Live {
  open ??= connect({
    url: socketAddress,
    token: async isRefused => (await accessToken(isRefused)) ?? '',
    state: liveState.set,
    gap: () => missedFrames.set(count => count + 1),
  })
  return open
}

/** Closes the socket, as at sign-out. */
export function closeLive(): void {
  open?.close()
  open = undefined
  liveState.set('connecting')
}

/**
 * Joins a room while the component is shown.
 * @param refused called each time the server refuses
 */
export function useRoom(join: string, data: unknown, refused?: () => void): void {
  const key = JSON.stringify(data)
  useEffect(() => live().join(join, JSON.parse(key), refused), [join, key, refused])
}

/** Calls the listener for each frame of an event while the component is shown. */
export function useFrames<Data>(event: string, listener: (data: Data) => void): void {
  useEffect(() => live().on(event, data => listener(data as Data)), [event, listener])
}
