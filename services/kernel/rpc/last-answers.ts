import type { ServerResponse } from 'node:http'
import type { Server as TcpServer } from 'node:net'

export type LastAnswers = {
  /** To be called with every answer before it begins. */
  see(response: ServerResponse): void
  /** From now on every answer, including running ones, is the last on its connection. */
  begin(): void
  begun(): boolean
}

/**
 * Resolves once the pending connections are accepted. Those still pending when a server closes are reset, although
 * their clients have sent requests. Each turn of the event loop accepts one, and many may be pending in a process
 * starved of CPU.
 * @param ms the longest wait
 */
export async function waitingTaken(server: TcpServer, ms = 2_000): Promise<void> {
  const until = Date.now() + ms
  let isTaken = true
  const note = () => void (isTaken = true)
  server.on('connection', note)
  while (isTaken && Date.now() < until) {
    isTaken = false
    await new Promise(resolve => setImmediate(resolve))
  }
  server.off('connection', note)
}

/**
 * Ends an HTTP/1.1 server's connections with `Connection: close`, on which the client closes them (RFC 9112, 9.5). No
 * request can then meet a server that is just closing, and fail without reason.
 */
export function lastAnswers(): LastAnswers {
  const running = new Set<ServerResponse>()
  let begun = false
  const mark = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  return {
    see(response) {
      if (begun) return mark(response)
      running.add(response)
      response.once('close', () => running.delete(response))
    },
    begin() {
      begun = true
      for (const response of running) mark(response)
      running.clear()
    },
    begun: () => begun,
  }
}
