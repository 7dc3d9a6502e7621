import { once } from 'node:events'
import { brotliCompressSync } from 'node:zlib'
import { WebSocket } from 'ws'
import { BulkService } from '../gen/platform/member/v1/bulk_pb.ts'
import type { Platform } from '../test/kit/platform/platform.ts'
import { median, quantile } from './support/figures.ts'
import { sized } from './support/size.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const [rounds, calls, seconds] = sized([7, 150, 8], [3, 60, 4], [1, 20, 1])
/** Hostile calls a second beside an ordinary tenant. */
const perSecond = 50

type Call = { name: string; run(times: number): Promise<void> }
/** A hostile call, and the ordinary refused call of the same surface that it is compared with. */
type Pair = { hostile: Call; plain: Call }

const post = (name: string, url: string, type: string, body: Buffer, encoding = ''): Call => ({
  name,
  async run(times) {
    const headers = { 'content-type': type, ...(encoding ? { 'content-encoding': encoding } : {}) }
    for (let n = 0; n < times; n++) {
      // A refused body that isn't read may end its connection; the server's cost counts all the same.
      const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
    }
  },
})

/** First frames of unauthenticated sockets, `each` over one socket until it is closed. */
const frames = (name: string, url: string, data: string, each = 20): Call => ({
  name,
  async run(times) {
    for (let sent = 0; sent < times; sent += each) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
      await once(socket, 'open')
      let answers = 0
      const ended = new Promise<void>(resolve => {
        socket.on('message', () => ++answers === each && resolve()).on('close', () => resolve())
      })
      for (let n = 0; n < each; n++) socket.send(data)
      await ended
      socket.terminate()
    }
  },
})

/** CPU time of the platform's process so far, in seconds. */
async function used(platform: Platform): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${platform.env['PLATFORM_METRICS_PORT']}/metrics`)
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(await answer.text())?.[1] ?? Number.NaN)
}

async function costOf(platform: Platform, call: Call): Promise<number> {
  const before = await used(platform)
  await call.run(calls)
  return ((await used(platform)) - before) / calls
}

function pairs({ urls }: Platform): Pair[] {
  const json = 'application/json'
  const bulk = `${urls.member}/rpc/${BulkService.typeName}/BulkAddMembers`
  const list = Buffer.from(`{"members":[${'{},'.repeat(299_999)}{}]}`)
  const deep = Buffer.from(`{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
  const teams = `${urls.member}/teams`
  const login = `${urls.auth}/auth/login`
  const keys = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()}}`)
  const nested = `{"event":"joinHotel","data":${'['.repeat(1_900)}${']'.repeat(1_900)}}`
  const small = Buffer.from('{}')
  const rest = post('REST', teams, json, small)
  const rpc = post('/rpc', bulk, json, small)
  const signIn = post('sign-in', login, json, small)
  const frame = frames('frame', urls.member, '{"event":"joinHotel","data":{}}')
  const only = frames('only frame', urls.member, '{"event":"joinHotel","data":{}}', 1)
  const against = (plain: Call, ...hostile: Call[]): Pair[] => hostile.map(one => ({ hostile: one, plain }))
  return [
    ...against(rpc, post('300,000 objects in brotli, /rpc', bulk, json, brotliCompressSync(list), 'br')),
    ...against(
      rest,
      post('a list of 33,000 objects, REST', teams, json, list.subarray(0, 99_000)),
      post('20,000 levels, REST', teams, json, deep),
    ),
    ...against(
      rpc,
      post('20,000 levels, /rpc', bulk, json, deep),
      post('broken protobuf, /rpc', bulk, 'application/proto', Buffer.alloc(90_000, 0xff)),
    ),
    ...against(
      signIn,
      post('700 unknown keys in brotli, sign-in', login, json, brotliCompressSync(keys(700)), 'br'),
      post('5,000 unknown keys in brotli, sign-in', login, json, brotliCompressSync(keys(5_000)), 'br'),
    ),
    ...against(frame, frames('a first frame of 3,800 levels', urls.member, nested)),
    ...against(
      only,
      frames('a first frame of 60 kB', urls.member, `{"event":"auth","data":{"token":"${'x'.repeat(60_000)}"}}`, 1),
    ),
  ]
}

/** Times of the tenant's lists, one after another for some seconds, in ms. */
async function lists(url: string, token: string): Promise<number[]> {
  const times: number[] = []
  const end = Date.now() + seconds * 1_000
  while (Date.now() < end) {
    const at = performance.now()
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()
    times.push(performance.now() - at)
  }
  return times
}

const p99 = (times: number[]): number => quantile(times, 0.99)

/**
 * The cost of calls without a credential, whatever their body, against an ordinary refused one, and the delay they
 * cause for others.
 */
export async function benchHostile(): Promise<string> {
  return withServers(async () => {
    const limits = { SIGN_IN_LIMIT: '1000000', ANONYMOUS_LIMIT: '1000000', LOG_LEVEL: 'fatal' }
    const platform = await startPlatform('one', limits)
    try {
      const { workspaceId, token } = await seed(platform, 200, 2_000)
      const all = pairs(platform)
      for (const { hostile, plain } of all) for (const call of [plain, hostile]) await call.run(20)
      const ratios = new Map<Call, number[]>(all.map(({ hostile }) => [hostile, []]))
      for (let round = 0; round < rounds; round++)
        for (const { hostile, plain } of all) {
          const ordinary = await costOf(platform, plain)
          ratios.get(hostile)?.push((await costOf(platform, hostile)) / ordinary)
        }
      const url = `${platform.urls.news}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`
      await lists(url, token)
      const waits: number[] = []
      for (let round = 0; round < rounds; round++) {
        const alone = p99(await lists(url, token))
        let turn = 0
        const timer = setInterval(() => void all[turn++ % 6]?.hostile.run(1).catch(() => undefined), 1_000 / perSecond)
        const beside = p99(await lists(url, token))
        clearInterval(timer)
        waits.push(beside / alone)
      }
      const rows = [...ratios].map(([{ name }, found]) => `| ${name} | ${median(found).toFixed(2)}× |`)
      return `| a call without credential | processor time against an ordinary refused one of its surface |
|-|-|
${rows.join('\n')}

p99 of a tenant's list beside ${perSecond} such calls a second: ${median(waits).toFixed(2)}× (median of ${rounds} pairs; goal at most 2×)`
    } finally {
      await platform.stop()
    }
  })
}
