import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Http2SessionManager } from '@connectrpc/connect-node'

const idleMs = 1_000
const longestConnectMs = 5_000

/**
 * The HTTP/2 connection to a service: opened when needed, left on GOAWAY, closed after a second without traffic. With
 * Connect's own manager, a GOAWAY on an idle connection ends the whole process (connectrpc/connect-es#1768).
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
    // The streams on the session receive its errors themselves.
    session.on('error', leave).on('goaway', leave).on('close', leave)
    const late = setTimeout(() => session.destroy(), longestConnectMs)
    await new Promise((resolve, reject) => {
      session.once('connect', resolve).once('error', reject)
      session.once('close', () => reject(new Error('closed before it was open')))
    }).catch(unreachable)
    clearTimeout(late)
    session.setTimeout(idleMs, () => {
      leave()
      // Running streams complete.
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
 * Emits an error for a stream that closes without an answer and without an error code (a connection cut midway):
 * Connect wouldn't notice such an end, and would wait until the deadline.
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
