import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

/** A request: a JSON body, or a form with its boundary in the content type. */
export type Sending = {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

export type TrafficAnswer = { status: number; text: string; ms: number }

/** Why there was no answer, and what is known about the connection. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  /** Whether the trial itself stopped waiting, which doesn't blame the replaced process. */
  readonly isTimeout: boolean

  constructor(message: string, isTimeout: boolean) {
    super(message)
    this.isTimeout = isTimeout
  }
}

/** How long the trial waits for an answer, in ms: longer than the platform lets any call take. */
const patienceMs = 60_000

/**
 * A client that never retries: Node's keep-alive agent, which closes idle connections a second before the server might
 * (`Keep-Alive: timeout`). Its timers are late on a busy machine, so a connection's age is also checked before reuse.
 */
export function plainClient(maxSockets: number) {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const goodUntil = new WeakMap<Socket, number>()

  const dropAged = (): void => {
    const now = Date.now()
    for (const free of Object.values(agent.freeSockets))
      for (const socket of free ?? []) if ((goodUntil.get(socket) ?? 0) < now) socket.destroy()
  }
  const learn = ({ headers, socket }: IncomingMessage): void => {
    const promised = /timeout=(\d+)/.exec(String(headers['keep-alive'] ?? ''))?.[1]
    goodUntil.set(socket, Date.now() + (Number(promised ?? 5) - 1) * 1_000)
  }

  return {
    /** @throws NoAnswer */
    send({ url, method, headers, body }: Sending): Promise<TrafficAnswer> {
      dropAged()
      const began = Date.now()
      return new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) => {
          clearTimeout(patience)
          const age = outgoing.reusedSocket ? 'kept' : 'new'
          const message = `${error.code ?? ''} ${error.message} after ${Date.now() - began} ms on a ${age} connection`
          reject(new NoAnswer(message.trim(), error.code === 'GAVE_UP'))
        }
        const outgoing = request(url, { agent, method, headers }, response => {
          learn(response)
          let text = ''
          response
            .setEncoding('latin1')
            .on('data', part => (text += String(part)))
            .on('error', fail)
            .on('end', () => {
              clearTimeout(patience)
              resolve({ status: response.statusCode ?? 0, text, ms: Date.now() - began })
            })
        })
        const patience = setTimeout(() => {
          outgoing.destroy(Object.assign(new Error('no answer came'), { code: 'GAVE_UP' }))
        }, patienceMs)
        outgoing.on('error', fail).end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
