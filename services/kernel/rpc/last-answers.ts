import type { Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'

export type LastAnswers = {
  /** To be told of every answer before it begins. */
  see(response: ServerResponse): void
  /** From now on each answer, also one under way, is the last on its connection. */
  begin(): void
  begun(): boolean
}

/**
 * No new connection: another process of this one's cluster takes it. Those that are open stay, also idle ones, which
 * `server.close()` would end.
 */
export function stopAccepting(server: Server): void {
  TcpServer.prototype.close.call(server)
}

/**
 * Resolves when the connections that wait to be taken have been: those that a server has not taken when it closes are
 * reset, although their clients have sent their requests. Each turn of the event loop takes one, and behind a process
 * that was kept from the processor many may wait. @param ms the longest time for that
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
 * How an HTTP/1.1 server says goodbye: with `Connection: close`, on which the client ends the connection itself. None of
 * its requests can then meet a server that is just closing, which would be a failure though all is well (RFC 9112, 9.5).
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
