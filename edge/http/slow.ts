import { Code } from '@connectrpc/connect'
import type { Request, RequestHandler, Response } from 'express'
import { RpcError } from '../../services/kernel/base/errors.ts'
import { sendError } from './errors.ts'
import { requestIdFrom } from './request-id.ts'

/** Limits for slow clients. */
type SlowClientLimits = {
  /** A body must arrive within this time, in ms. Uploads must keep their minimum rate instead. */
  bodyMs: number
  /** Minimum bytes of an upload per `bodyMs`. */
  uploadBytes: number
  /** How long the rest of a body may take once it is answered, in ms: the client reads the answer meanwhile. */
  restMs: number
  /** How long a connection may be silent, in ms: a client that reads nothing, or a running call, which is shorter. */
  answerMs: number
}

export const slowClientLimits: SlowClientLimits = {
  bodyMs: 12_000,
  uploadBytes: 12_000,
  restMs: 5_000,
  answerMs: 120_000,
}

/**
 * Cuts requests whose body trickles: a 408 if nothing is answered yet, and the end of the connection. Disconnects
 * clients that stop reading, which would hold the file that they download open.
 */
export function cutSlowClients({ bodyMs, uploadBytes, restMs, answerMs }: SlowClientLimits): RequestHandler {
  return (request, response, next) => {
    response.setTimeout(answerMs)
    if (hasBody(request)) watch(request, response)
    next()
  }

  function watch(request: Request, response: Response): void {
    const isUpload = request.is('multipart/form-data') !== false
    let earlierBytes = request.socket.bytesRead
    const rateCheck = setInterval(() => {
      const newBytes = request.socket.bytesRead - earlierBytes
      earlierBytes += newBytes
      // Unread bytes show that storage or this process is slow, not the client.
      if (request.complete || request.readableLength > 0) return
      if (!isUpload || newBytes < uploadBytes) refuseSlowBody(request, response)
    }, bodyMs)
    let restTimer: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearInterval(rateCheck)
      clearTimeout(restTimer)
    }
    request.once('end', stop).once('close', stop)
    response.once('close', () => {
      // An answered request emits no event when its connection ends.
      stop()
      if (request.complete) return
      // If the rest has arrived meanwhile, the connection goes on to serve other requests.
      restTimer = setTimeout(() => request.complete || request.socket.destroy(), restMs).unref()
    })
  }
}

function refuseSlowBody(request: Request, response: Response): void {
  if (response.headersSent) {
    request.socket.destroy()
    return
  }
  response.setHeader('Connection', 'close')
  // Only the request's destruction ends the code that reads its body.
  response.once('finish', () => request.destroy())
  const timeoutError = new RpcError('RequestTimeoutError', 408, Code.DeadlineExceeded, 'The body arrived too slowly')
  sendError(response, timeoutError, requestIdFrom(request))
}

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
