import { Code } from '@connectrpc/connect'
import type { Request, RequestHandler, Response } from 'express'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import { PlatformError } from '../../services/kernel/base/errors.ts'
import { sendError } from './errors.ts'
import { requestIdOf } from './request-id.ts'

/** How slow a client may be. */
export type Patience = {
  /** A body must be here after so many milliseconds; uploads must keep their pace for as long as they take. */
  bodyMs: number
  /** Bytes that an upload brings in `bodyMs` at least. */
  uploadBytes: number
  /** What is left of a body once it is answered may still come for so long, so that the client reads the answer. */
  restMs: number
}

export const patience: Patience = { bodyMs: 12_000, uploadBytes: 12_000, restMs: 5_000 }

/** Cuts requests whose body trickles: a 408 when nothing is answered yet, and the end of the connection. */
export function cutSlowBodies({ bodyMs, uploadBytes, restMs }: Patience): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request)) watch(request, response)
    next()
  }

  function watch(request: Request, response: Response): void {
    const isUpload = request.is('multipart/form-data') !== false
    let before = request.socket.bytesRead
    const pace = setInterval(() => {
      const came = request.socket.bytesRead - before
      before += came
      // What waits here unread came in time: a storage that is slow is not the client's fault.
      if (!isUpload || (came < uploadBytes && request.readableLength === 0)) cut(request, response)
    }, bodyMs)
    let rest: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearInterval(pace)
      clearTimeout(rest)
    }
    request.once('end', stop).once('close', stop)
    response.once('close', () => {
      // An answered request says nothing any more when its connection ends.
      stop()
      if (request.complete) return
      // What came in the meantime may have been the rest: its connection then serves other requests.
      rest = setTimeout(() => request.complete || request.socket.destroy(), restMs).unref()
    })
  }
}

function cut(request: Request, response: Response): void {
  if (response.headersSent) {
    request.socket.destroy()
    return
  }
  response.setHeader('Connection', 'close')
  // Whoever still waits for the body hears of its end in this way only.
  response.once('finish', () => request.destroy())
  const late = new PlatformError('RequestTimeoutError', 408, Code.DeadlineExceeded, 'The body came too slowly')
  sendError(response, late, Dialect.UNSPECIFIED, requestIdOf(request, response))
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
