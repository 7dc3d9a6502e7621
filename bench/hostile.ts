import { once } from 'node:events'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { WebSocket } from 'ws'
import { BulkService } from '../gen/platform/member/v1/bulk_pb.ts'
import { PageService } from '../gen/platform/news/v1/pages_pb.ts'
import type { Platform } from '../test/kit/platform/platform.ts'
import { median, quantile } from './support/figures.ts'
import { childRunning, mostMemory } from './support/processes.ts'
import { bySize } from './support/size.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const [rounds, calls, seconds] = bySize([7, 150, 8], [3, 60, 4], [1, 20, 1])
/** Hostile calls a second beside an ordinary tenant. */
const perSecond = 50

type Call = { name: string; run(times: number): Promise<void> }
/** A hostile call, and the ordinary refused call of the same surface and caller that it is compared with. */
type Pair = { hostile: Call; plain: Call }
type Posted = { type: string; body: Buffer; encoding?: string; token?: string }

const post = (name: string, url: string, { type, body, encoding, token }: Posted): Call => ({
  name,
  async run(times) {
    const headers = {
      'content-type': type,
      ...(encoding ? { 'content-encoding': encoding } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    for (let n = 0; n < times; n++) {
      // A refused body that isn't read may end its connection; the server's cost counts all the same.
      const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
    }
  },
})

/** First frames of unauthenticated sockets, `each` over one socket until it is closed. */
const frames = (name: string, url: string, data: string, batchSize = 20): Call => ({
  name,
  async run(times) {
    for (let sentCount = 0; sentCount < times; sentCount += batchSize) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
      await once(socket, 'open')
      let answers = 0
      const allAnswered = new Promise<void>(resolve => {
        socket.on('message', () => ++answers === batchSize && resolve()).on('close', () => resolve())
      })
      for (let n = 0; n < batchSize; n++) socket.send(data)
      await allAnswered
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

const json = 'application/json'
const protobuf = 'application/proto'
const pairsOf = (plain: Call, ...hostile: Call[]): Pair[] => hostile.map(one => ({ hostile: one, plain }))

function anonymousPairs({ urls }: Platform): Pair[] {
  const bulk = `${urls.member}/rpc/${BulkService.typeName}/BulkAddMembers`
  const list = Buffer.from(`{"members":[${'{},'.repeat(299_999)}{}]}`)
  const deep = Buffer.from(`{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
  const teams = `${urls.member}/teams`
  const login = `${urls.auth}/auth/login`
  const keys = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()}}`)
  const packedKeys = (count: number) => ({ type: json, body: brotliCompressSync(keys(count)), encoding: 'br' })
  const nested = `{"event":"joinHotel","data":${'['.repeat(1_900)}${']'.repeat(1_900)}}`
  const small = { type: json, body: Buffer.from('{}') }
  const frame = frames('frame', urls.member, '{"event":"joinHotel","data":{}}')
  const onlyFrame = frames('only frame', urls.member, '{"event":"joinHotel","data":{}}', 1)
  return [
    ...pairsOf(
      post('/rpc', bulk, small),
      post('300,000 objects in brotli, /rpc', bulk, { type: json, body: brotliCompressSync(list), encoding: 'br' }),
      post('20,000 levels, /rpc', bulk, { type: json, body: deep }),
      post('broken protobuf, /rpc', bulk, { type: protobuf, body: Buffer.alloc(90_000, 0xff) }),
    ),
    ...pairsOf(
      post('REST', teams, small),
      post('a list of 33,000 objects, REST', teams, { type: json, body: list.subarray(0, 99_000) }),
      post('20,000 levels, REST', teams, { type: json, body: deep }),
    ),
    ...pairsOf(
      post('sign-in', login, small),
      post('700 unknown keys in brotli, sign-in', login, packedKeys(700)),
      post('5,000 unknown keys in brotli, sign-in', login, packedKeys(5_000)),
    ),
    ...pairsOf(frame, frames('a first frame of 3,800 levels', urls.member, nested)),
    ...pairsOf(
      onlyFrame,
      frames('a first frame of 60 kB', urls.member, `{"event":"auth","data":{"token":"${'x'.repeat(60_000)}"}}`, 1),
    ),
  ]
}

/** Calls of somebody with an account who belongs to no hotel. */
function strangerPairs({ urls }: Platform, token: string): Pair[] {
  const create = `${urls.news}/rpc/${PageService.typeName}/CreatePage`
  const gzipped = (type: string, body: Buffer): Posted => ({ type, body: gzipSync(body), encoding: 'gzip', token })
  const small: Posted = { type: json, body: Buffer.from('{}'), token }
  const objects = (count: number) => Buffer.from(`{"currentPassword":[${'{},'.repeat(count - 1)}{}]}`)
  const password = `${urls.auth}/password/change`
  return [
    ...pairsOf(
      post('/rpc, a stranger', create, small),
      post('1,790,000 empty values of a free object in gzip', create, gzipped(protobuf, emptyValues(1_790_000))),
      post('390,000 objects in gzip', create, gzipped(json, objects(390_000))),
    ),
    ...pairsOf(
      post('a route without a tenant, a stranger', password, small),
      post('33,000 objects in gzip, without a tenant', password, gzipped(json, objects(33_000))),
      post('10,000 objects, without a tenant', password, { type: json, body: objects(9_990), token }),
    ),
  ]
}

/** A page whose content has that many empty values. */
function emptyValues(count: number): Buffer {
  const number = PageService.method.createPage.input.field['content']?.number ?? 0
  const entries = Buffer.alloc(count * 2, Buffer.from([0x0a, 0]))
  return Buffer.from(
    new BinaryWriter()
      .uint32(number * 8 + 2)
      .bytes(entries)
      .finish(),
  )
}

/** Ten sockets of a member: half send the largest frames at the highest rate, half frames that close them. */
function openWorstSockets(url: string, token: string): { stop(): void } {
  let isStopped = false
  const sockets = new Set<WebSocket>()
  const open = (data: string, everyMs: number): void => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
    sockets.add(socket)
    const timer = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send(data), everyMs)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(timer)
        sockets.delete(socket)
        if (!isStopped) setTimeout(open, 1_000, data, everyMs)
      })
  }
  const largest = `{"event":"settingsUpdated","data":{"x":[${'{},'.repeat(5_400)}{}]}}`
  const tooLarge = `{"event":"joinHotel","data":[${'{},'.repeat(21_000)}{}]}`
  for (let n = 0; n < 5; n++) {
    open(largest, 300)
    open(tooLarge, 100)
  }
  return {
    stop() {
      isStopped = true
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Times of the tenant's lists, one after another for some seconds, in ms. */
async function lists(url: string, token: string): Promise<number[]> {
  const times: number[] = []
  const end = Date.now() + seconds * 1_000
  while (Date.now() < end) {
    const startedAt = performance.now()
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  return times
}

const p99 = (times: number[]): number => quantile(times, 0.99)

/** Signs in somebody with an account who belongs to no hotel. */
async function signInStranger({ urls }: Platform): Promise<string> {
  const body = JSON.stringify({ email: 'stranger@bench.example', password: 'correct horse battery staple' })
  const ask = (path: string) =>
    fetch(`${urls.auth}${path}`, { method: 'POST', headers: { 'content-type': json }, body })
  await (await ask('/auth/register')).arrayBuffer()
  return ((await (await ask('/auth/login')).json()) as { accessToken: string }).accessToken
}

/** How many times as long a tenant's lists take at p99 while something else goes on; median of all rounds. */
async function delayBeside(list: () => Promise<number[]>, start: () => { stop(): void }): Promise<number> {
  const delays: number[] = []
  for (let round = 0; round < rounds; round++) {
    const quietP99 = p99(await list())
    const stopLoad = start()
    delays.push(p99(await list()) / quietP99)
    stopLoad.stop()
  }
  return median(delays)
}

/**
 * The cost of calls of anonymous callers and registered strangers, whatever their body, against an ordinary refused
 * one, and the delay that they and a member's sockets cause for others.
 */
export async function benchHostile(): Promise<string> {
  return withServers(async () => {
    const limits = { SIGN_IN_LIMIT: '1000000', ANONYMOUS_LIMIT: '1000000', LOG_LEVEL: 'fatal' }
    const platform = await startPlatform('one', limits)
    try {
      const { workspaceId, token } = await seed(platform, 200, 2_000)
      const callPairs = [...anonymousPairs(platform), ...strangerPairs(platform, await signInStranger(platform))]
      for (const { hostile, plain } of callPairs) for (const call of [plain, hostile]) await call.run(20)
      const ratios = new Map<Call, number[]>(callPairs.map(({ hostile }) => [hostile, []]))
      const memory = new Map<Call, number>()
      const pid = childRunning('cli/worker.ts')
      for (let round = 0; round < rounds; round++)
        for (const { hostile, plain } of callPairs) {
          const { peak: before, result: ordinary } = await mostMemory(pid, () => costOf(platform, plain))
          const { peak, result } = await mostMemory(pid, () => costOf(platform, hostile))
          ratios.get(hostile)?.push(result / ordinary)
          memory.set(hostile, Math.max(memory.get(hostile) ?? 0, peak - before))
        }
      const url = `${platform.urls.news}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`
      const list = () => lists(url, token)
      await list()
      const socketDelay = await delayBeside(list, () => {
        let turn = 0
        const next = () => void callPairs[turn++ % callPairs.length]?.hostile.run(1).catch(() => undefined)
        const timer = setInterval(next, 1_000 / perSecond)
        return { stop: () => clearInterval(timer) }
      })
      const besideSockets = await delayBeside(list, () => openWorstSockets(platform.urls.hotel, token))
      const rows = [...ratios].map(
        ([call, callRatios]) =>
          `| ${call.name} | ${median(callRatios).toFixed(2)}× | ${(memory.get(call) ?? 0).toFixed(0)} MiB |`,
      )
      return `| a call without a credential or a tenant | processor time against an ordinary refused one of its surface | most memory above it |
|-|-|-|
${rows.join('\n')}

p99 of a tenant's list beside ${perSecond} such calls a second: ${socketDelay.toFixed(2)}×; beside ten sockets of a member at their worst: ${besideSockets.toFixed(2)}× (medians of ${rounds} pairs; goal at most 2×)`
    } finally {
      await platform.stop()
    }
  })
}
