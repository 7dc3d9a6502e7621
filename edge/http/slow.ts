import { Code } from '@connectrpc/connect'
import type { Request, RequestHandler, Response } from 'express'
import { PlatformError } from '../../services/kernel/base/errors.ts'
import { sendError } from './errors.ts'
import { requestIdOf } from './request-id.ts'

/** Limits for slow clients. */
type Patience = {
  /** A body must arrive within this time, in ms. Uploads must keep their minimum rate instead. */
  bodyMs: number
  /** Minimum bytes of an upload per `bodyMs`. */
  uploadBytes: number
  /** How long the rest of a body may arrive once it is answered, in ms, so that the client reads the answer. */
  restMs: number
  /** How long a client may read nothing of its answer, in ms. Longer than any call, which is as silent. */
  answerMs: number
}

export const patience: Patience = { bodyMs: 12_000, uploadBytes: 12_000, restMs: 5_000, answerMs: 120_000 }

/**
 * Cuts requests whose body trickles: a 408 if nothing is answered yet, and the end of the connection. Disconnects
 * clients that stop reading, which would hold the file that they download open.
 */
export function cutSlowClients({ bodyMs, uploadBytes, restMs, answerMs }: Patience): RequestHandler {
  return (request, response, next) => {
    response.setTimeout(answerMs)
    if (hasBody(request)) watch(request, response)
    next()
  }

  function watch(request: Request, response: Response): void {
    const isUpload = request.is('multipart/form-data') !== false
    let before = request.socket.bytesRead
    const pace = setInterval(() => {
      const came = request.socket.bytesRead - before
      before += came
      // Bytes that wait here unread came in time: slow storage or a busy process isn't the client's fault.
      if (request.complete || request.readableLength > 0) return
      if (!isUpload || came < uploadBytes) cut(request, response)
    }, bodyMs)
    let rest: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearInterval(pace)
      clearTimeout(rest)
    }
    request.once('end', stop).once('close', stop)
    response.once('close', () => {
      // An answered request emits no event when its connection ends.
      stop()
      if (request.complete) return
      // If the rest has arrived meanwhile, the connection goes on to serve other requests.
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
  // The reader of the body is notified of its end only this way.
  response.once('finish', () => request.destroy())
  const late = new PlatformError('RequestTimeoutError', 408, Code.DeadlineExceeded, 'The body arrived too slowly')
  sendError(response, late, requestIdOf(request, response))
}

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
