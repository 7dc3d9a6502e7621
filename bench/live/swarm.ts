import { once } from 'node:events'
import { connect } from 'node:net'
import { frameOf, openRaw } from '../support/raw-socket.ts'

/*
 * Opens sockets, triggers events and counts the received frames, in a separate process, so that its cost isn't the
 * server's.
 */

/** How an event is triggered: bytes for a server on this machine. */
export type Trigger = { host: string; port: number; hello: string; event: string }

/**
 * The benchmark's orders: open sockets; trigger events `times` times, `size` together, the next batch when one socket
 * has received all of the last, and report when all sockets have received everything.
 */
export type Order =
  | { open: { url: string; headers: Record<string, string>[]; engineIo: boolean } }
  | { say: Trigger; times: number; size: number }

/** Frames from this size on are events; smaller ones are greetings and pings. */
const eventBytes = 200
const atOnce = 100

let events = 0
let frameGoal = Number.POSITIVE_INFINITY
let sockets = 0
/** Events of the socket that has received most, and the number that triggers the next batch. */
let maxReceived = 0
let nextTriggerAt = Number.POSITIVE_INFINITY
let remainder = 0
let size = 1
let say = (): void => undefined

const tell = (message: object): void => void process.send?.(message)
const next = (): void => {
  nextTriggerAt = --remainder > 0 ? maxReceived + size : Number.POSITIVE_INFINITY
  say()
}
const countFrames = (frames: number): void => {
  events++
  maxReceived = Math.max(maxReceived, frames)
  if (maxReceived >= nextTriggerAt) next()
  if (events < frameGoal) return
  frameGoal = Number.POSITIVE_INFINITY
  tell({ done: true })
}

/** Opens one socket; resolves once its server has accepted it. */
function open(url: URL, headers: Record<string, string>, engineIo: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let ownFrames = 0
    /** engine.io: 0 opens, 40 connects to the namespace and is answered, 2 is a ping. */
    const answer = (kind: number | undefined, next: number | undefined): void => {
      if (kind === 48) socket.write(frameOf('40'))
      else if (kind === 52 && next === 48) resolve()
      else if (kind === 50) socket.write(frameOf('3'))
    }
    const socket = openRaw(
      url,
      {
        up: () => !engineIo && resolve(),
        frame(_opcode, data, from, to) {
          if (to - from >= eventBytes) countFrames(++ownFrames)
          else if (engineIo) answer(data[from], data[from + 1])
        },
        closed: reason => reject(new Error(reason)),
      },
      headers,
    )
  })
}

async function openAll({ url, headers, engineIo }: Extract<Order, { open: unknown }>['open']): Promise<void> {
  for (let from = 0; from < headers.length; from += atOnce)
    await Promise.all(
      headers.slice(from, from + atOnce).map(socketHeaders => open(new URL(url), socketHeaders, engineIo)),
    )
  sockets += headers.length
  tell({ opened: true })
}

/** A connection to the trigger's port. */
async function lineTo({ host, port, hello, event }: Trigger, together: number): Promise<() => void> {
  const line = connect(port, host)
  // The broker pings its clients.
  line.on('data', data => void (data.includes('PING') && line.write('PONG\r\n'))).setNoDelay(true)
  await once(line, 'connect')
  line.write(hello)
  const bytes = event.repeat(together)
  return () => void line.write(bytes)
}

async function sayAll({ say: trigger, times, size: together }: Extract<Order, { say: unknown }>): Promise<void> {
  size = together
  remainder = times
  say = await lineTo(trigger, size)
  frameGoal = events + remainder * size * sockets
  tell({ begun: true })
  next()
}

process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void ('open' in order ? openAll(order.open) : sayAll(order)))
