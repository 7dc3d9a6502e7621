import type { Socket } from 'node:net'

/*
 * `socket.write` without its bookkeeping: beside the system call itself that is the largest part of what a frame for
 * thousands of sockets costs (bench/README.md). Node offers no public way to the handle behind a socket, so all of it
 * is in this file, and where the parts are not as known here `socket.write` does the work.
 */

type Request = { buffer?: Buffer; oncomplete?: (status: number) => void }

/** What reads and writes behind a socket. */
export type Handle = { writeBuffer(request: Request, bytes: Buffer): number }

/** Where bytes go. */
export type Outlet = {
  readonly socket: Socket
  readonly handle: Handle | undefined
  /** Bytes that the system has not taken yet, and whether there may be any. */
  direct: number
  isBlocked: boolean
}

type Parts = { WriteWrap: new () => Request; streamBaseState: Int32Array; kLastWriteWasAsync: number }

function findParts(): Parts | undefined {
  try {
    const bindingOf = Reflect.get(process, 'binding') as (name: string) => Partial<Parts>
    const { WriteWrap, streamBaseState, kLastWriteWasAsync } = bindingOf('stream_wrap')
    const isKnown = WriteWrap && streamBaseState && streamBaseState.length > (kLastWriteWasAsync ?? Number.NaN)
    return isKnown && kLastWriteWasAsync !== undefined ? { WriteWrap, streamBaseState, kLastWriteWasAsync } : undefined
  } catch {
    return undefined
  }
}

const parts = findParts()
/** A write that the system takes at once, as nearly all, leaves its request as it was: the next one uses it again. */
let request = parts && new parts.WriteWrap()

/** The handle of an open socket; undefined when it cannot be written to directly here. */
export function handleOf(socket: Socket): Handle | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Partial<Handle> | null }
  return parts && handle?.writeBuffer ? (handle as Handle) : undefined
}

/**
 * Writes bytes to a socket for which nothing waits. What the system does not take at once is counted in `direct` until it
 * does, and blocks the outlet. A socket that is broken is destroyed.
 * @returns false when nothing was done because this cannot be done here
 */
export function writeDirectly(outlet: Outlet, bytes: Buffer): boolean {
  const { handle } = outlet
  if (!handle || !parts || !request) return false
  const status = handle.writeBuffer(request, bytes)
  if (status < 0) outlet.socket.destroy()
  else if (parts.streamBaseState[parts.kLastWriteWasAsync]) {
    outlet.direct = bytes.length
    outlet.isBlocked = true
    request.buffer = bytes
    request.oncomplete = end => {
      outlet.direct = 0
      if (end < 0) outlet.socket.destroy()
    }
    request = new parts.WriteWrap()
  }
  return true
}
