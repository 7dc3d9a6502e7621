import type { ServerResponse } from 'node:http'
import type { Server as TcpServer } from 'node:net'

export type LastAnswers = {
  /** To be called with every answer before it begins. */
  see(response: ServerResponse): void
  /** From now on every answer, including running ones, is the last on its connection. */
  begin(): void
  hasBegun(): boolean
}

/**
 * Resolves once the pending connections are accepted: a server that closes resets the others, although their clients
 * have sent requests. Each turn of the event loop accepts one.
 * @param ms the longest wait
 */
export async function acceptPendingConnections(server: TcpServer, ms = 2_000): Promise<void> {
  const until = Date.now() + ms
  let hasAccepted = true
  const recordConnection = () => void (hasAccepted = true)
  server.on('connection', recordConnection)
  while (hasAccepted && Date.now() < until) {
    hasAccepted = false
    await new Promise(resolve => setImmediate(resolve))
  }
  server.off('connection', recordConnection)
}

/**
 * Ends an HTTP/1.1 server's connections with `Connection: close`, on which the client closes them (RFC 9112, 9.5). No
 * request can then meet a server that is just closing, and fail without reason.
 */
export function lastAnswers(): LastAnswers {
  const openResponses = new Set<ServerResponse>()
  let hasBegun = false
  const announceClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  return {
    see(response) {
      if (hasBegun) return announceClose(response)
      openResponses.add(response)
      response.once('close', () => openResponses.delete(response))
    },
    begin() {
      hasBegun = true
      for (const response of openResponses) announceClose(response)
      openResponses.clear()
    },
    hasBegun: () => hasBegun,
  }
}
