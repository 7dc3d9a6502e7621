import { connect, type Socket } from 'node:net'
import { median } from './support/figures.ts'
import { load } from './support/load.ts'
import { sized } from './support/size.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const [rounds, seconds] = sized([5, 16], [1, 6], [1, 1])
const sockets = sized(2_000, 2_000, 50)

/**
 * Clients that never finish a request: half send headers byte by byte, half a body, a byte per second. The edge cuts
 * each within 15 s; it reconnects at once.
 * @returns a function that ends them, and the number of cuts so far
 */
async function trickle(url: string, token: string): Promise<{ stop(): void; cuts(): number }> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isOver = false
  let cut = 0
  const begin = (index: number): Promise<void> =>
    new Promise(resolve => {
      const socket = connect(Number(port), hostname)
      const head = `POST /api/v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
      socket.once('connect', () => {
        socket.write(index % 2 ? `${head}X-Slow: a` : `${head}Content-Length: 90000\r\n\r\n{`)
        open.add(socket)
        resolve()
      })
      socket.on('error', () => resolve())
      socket.resume().once('close', () => {
        open.delete(socket)
        if (isOver) return
        cut++
        void begin(index)
      })
    })
  const opened = Array.from({ length: sockets }, (_, index) => begin(index))
  await Promise.all(opened)
  // A tenth of them at a time, so that the bytes arrive evenly.
  let turn = 0
  const timer = setInterval(() => {
    turn = (turn + 1) % 10
    let index = 0
    for (const socket of open) if (index++ % 10 === turn) socket.write('a')
  }, 100)
  return {
    stop() {
      isOver = true
      clearInterval(timer)
      for (const socket of open) socket.destroy()
    },
    cuts: () => cut,
  }
}

/** List times of other clients while 2,000 connections trickle (p99 at most doubles), and without them. */
export async function benchSlow(): Promise<string> {
  return withServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const { workspaceId, token } = await seed(platform, 1000, 10_000)
    const url = `${platform.urls.news}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`
    const side = { name: 'list', url, headers: { authorization: `Bearer ${token}` }, pages: 50 }
    await load(side, Math.min(2, seconds))
    const [alone, beside] = [[] as number[], [] as number[]]
    let [failed, cuts] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const quiet = await load(side, seconds)
      const slow = await trickle(platform.urls.news, token)
      const busy = await load(side, seconds)
      slow.stop()
      alone.push(quiet.p99)
      beside.push(busy.p99)
      failed += quiet.bad + busy.bad
      cuts += slow.cuts()
    }
    await platform.stop()
    const ratios = beside.map((one, index) => one / (alone[index] ?? one))
    return `p99 of the list ${median(alone).toFixed(1)} ms alone, ${median(beside).toFixed(1)} ms beside ${sockets} slow connections:
${median(ratios).toFixed(2)}× (median of ${rounds} pairs; goal at most 2×), ${failed} requests failed, ${cuts} slow connections cut`
  })
}
