import type { Socket } from 'node:net'
import { frameOf, opcodes, openRaw } from '../support/raw-socket.ts'

/** Where connections go, as a balancer would send them: an edge that is up, at random. */
export const balancer = { edges: [] as string[], addresses: [] as string[] }

const pickOf = (choices: string[]): string | undefined => choices[Math.floor(Math.random() * choices.length)]

/** Reported for a connection that ended without a close frame. */
const broken = 1006
const lingerMs = 2_000

/** What edge/live/client/client.js needs of a browser's WebSocket; the host of its URL is replaced by an edge. */
export class ClientSocket {
  readyState = 0
  onopen = (): void => undefined
  onmessage = (_: { data: string }): void => undefined
  onclose = (_: { code: number; reason: string }): void => undefined
  #socket: Socket | undefined
  #end = { code: broken, reason: '' }

  constructor(url: string) {
    const edge = pickOf(balancer.edges)
    if (!edge) {
      setImmediate(() => this.#closed())
      return
    }
    const { pathname, search } = new URL(url)
    const reports = {
      up: () => {
        this.readyState = 1
        this.onopen()
      },
      frame: (opcode: number, data: Buffer, from: number, to: number) => {
        if (opcode === opcodes.text) this.onmessage({ data: data.toString('utf8', from, to) })
        else if (opcode === opcodes.close && to - from >= 2) {
          this.#end = { code: data.readUInt16BE(from), reason: data.toString('utf8', from + 2, to) }
          this.#socket?.end(frameOf(data.subarray(from, from + 2), opcodes.close))
        }
      },
      closed: () => this.#closed(),
    }
    this.#socket = openRaw(new URL(`${pathname}${search}`, edge), reports, {}, pickOf(balancer.addresses))
  }

  send(text: string): void {
    this.#socket?.write(frameOf(text))
  }

  close(): void {
    this.readyState = 2
    this.#socket?.end(frameOf('', opcodes.close))
    setTimeout(() => this.#socket?.destroy(), lingerMs).unref()
  }

  #closed(): void {
    this.readyState = 3
    this.onclose(this.#end)
  }
}
