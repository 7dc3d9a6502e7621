import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { LooseJson } from './client.ts'

type Frame = { event: string; data: LooseJson; id?: string }

export type Socket = {
  frames: Frame[]
  /** Sends a frame and waits for its ack; throws on an error frame. With an offset, missed frames come first. */
  ask(event: string, data: unknown, offset?: string): Promise<Frame>
  /** The next frame of this event, including received ones. */
  next(event: string, ms?: number): Promise<Frame>
  close(): void
  /** The close code. */
  closed: Promise<number>
}

let frameId = 0

/** Opens a socket with an access token. Rejects with the HTTP status when the upgrade is refused. */
export async function openSocket(url: string, token: string, query = ''): Promise<Socket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const frames: Frame[] = []
  const takenFrames = new Set<Frame>()
  const listeners = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame)
    for (const listener of listeners) listener()
  })
  const whenClosed = new Promise<number>(resolve => socket.once('close', resolve))
  await once(socket, 'open')

  const wait = (matches: (frame: Frame) => boolean, frameName: string, ms: number): Promise<Frame> =>
    new Promise((resolve, reject) => {
      const takeNext = () => {
        const match = frames.find(frame => !takenFrames.has(frame) && matches(frame))
        if (!match) return
        takenFrames.add(match)
        end()
        resolve(match)
      }
      const timer = setTimeout(() => {
        end()
        reject(
          new Error(
            `no ${frameName} within ${ms} ms; came: ${frames.map(frame => frame.event).join(', ') || 'nothing'}`,
          ),
        )
      }, ms)
      const end = () => {
        clearTimeout(timer)
        listeners.delete(takeNext)
      }
      listeners.add(takeNext)
      takeNext()
    })

  return {
    frames,
    async ask(event, data, offset) {
      const id = String(++frameId)
      socket.send(JSON.stringify({ event, data, id, offset }))
      const answer = await wait(frame => frame.id === id, `answer to ${event}`, 15_000)
      if (answer.event === 'error') throw new Error(`${event} refused: ${JSON.stringify(answer.data)}`)
      return answer
    },
    next: (event, ms = 30_000) => wait(frame => frame.event === event, event, ms),
    close: () => socket.close(),
    closed: whenClosed,
  }
}
