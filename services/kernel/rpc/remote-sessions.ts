import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Http2SessionManager } from '@connectrpc/connect-node'

const idleMs = 1_000
const longestConnectMs = 5_000

/**
 * The HTTP/2 connection to a service: opened when needed, left when the service says GOAWAY, closed when nothing has
 * gone over it for a second. Connect's own manager lets a GOAWAY on an idle connection end the whole process
 * (connectrpc/connect-es#1768).
 */
export function http2Sessions(
  authority: string,
  lookup: LookupFunction,
): Pick<Http2SessionManager, 'authority' | 'request' | 'notifyResponseByteRead'> {
  let current: ClientHttp2Session | undefined
  let opening: Promise<ClientHttp2Session> | undefined

  const open = async (): Promise<ClientHttp2Session> => {
    const session = connect(authority, { lookup })
    const leave = () => {
      if (current === session) current = undefined
    }
    // What breaks is told to the streams on it.
    session.on('error', leave).on('goaway', leave).on('close', leave)
    const late = setTimeout(() => session.destroy(), longestConnectMs)
    await new Promise((resolve, reject) => {
      session.once('connect', resolve).once('error', reject)
      session.once('close', () => reject(new Error('closed before it was open')))
    }).catch(unreachable)
    clearTimeout(late)
    session.setTimeout(idleMs, () => {
      leave()
      // Those that are on their way end in peace.
      session.close()
    })
    return (current = session)
  }

  return {
    authority,
    async request(method, path, headers, options) {
      // It may be closed before its events say so.
      const kept = current?.closed === false ? current : undefined
      const session = kept ?? (await (opening ??= open().finally(() => (opening = undefined))))
      return orError(session.request({ ...headers, ':method': method, ':path': path }, options))
    },
    notifyResponseByteRead: () => undefined,
  }
}

/**
 * A stream that closes without an answer and without an error code (a connection that is ended in the middle) is an error,
 * too: Connect hears of no other end, and would wait until the call's time is over.
 */
function orError(stream: ClientHttp2Stream): ClientHttp2Stream {
  let isAnswered = false
  stream.once('response', () => (isAnswered = true))
  return stream.once('close', () => {
    if (!isAnswered) stream.emit('error', new Error('the stream was closed before its answer'))
  })
}

function unreachable(cause: unknown): never {
  throw new ConnectError('the service cannot be reached', Code.Unavailable, undefined, undefined, cause)
}
