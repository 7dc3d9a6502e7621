import { Agent } from 'node:http'
import type { DescMethod } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { atEnd } from '../../cli/test-run/at-end.ts'
import { ownerOf } from '../../services/kernel/base/service-names.ts'
import { type Bus, connectBus } from '../../services/kernel/bus/bus.ts'
import { rpcPort } from '../../services/kernel/rpc/remote-services.ts'
import { serviceOf } from '../contract/descriptors.ts'
import { assert, suite } from '../kit/kit.ts'
import { type Platform, startPlatform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type FuzzCaller, type FuzzWorld, fuzzWorld } from '../kit/requests/fuzz-callers.ts'
import { endpoints, idFor } from '../kit/requests/requests.ts'
import { clientFrames, wildEvents, wildFrames } from '../kit/requests/wild-frames.ts'
import { sendWild, type WildRequest, wildRequests } from '../kit/requests/wild-requests.ts'
import { methods, wildRpcs } from '../kit/requests/wild-rpcs.ts'

const test = suite('random requests')
// The same requests on each run, so that a failure is caused by the change under test. FUZZ_SEED varies them.
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const count = Number(process.env['FUZZ_COUNT'] ?? 1_000)
/** The longest turn of the platform's event loop; without a limit, a busy machine would decide. */
const maxLoopMs = Number(process.env['FUZZ_LOOP_MS'] ?? Number.POSITIVE_INFINITY)
/** Requests to the same two hotels: their sessions end, and their lists grow. */
const perRound = 5_000
// All rounds sign in from one address, more often than a crowd behind one may within a window of 15 minutes.
const manyRounds = { SIGN_IN_WINDOW_SECONDS: '10' }
const platform = count > perRound ? await ownPlatform() : await sharedPlatform()

async function ownPlatform(): Promise<Platform> {
  const newPlatform = await startPlatform('one', manyRounds)
  atEnd(() => newPlatform.stop())
  return newPlatform
}

// Requests that end the caller's own session or hotel would turn all later ones into refusals.
const spared =
  /DELETE \/users\/me|\/auth\/logout|DELETE \/workspaces\/delete|DELETE \/hotel\/delete|suspend-member|revoke/i
const sparedMethods =
  /^(?:Logout|DeleteMe|DeleteWorkspace|DeleteHotel|Suspend|Revoke|End|Erase|Deactivate|Set.*Password)/

/** One random request: its description for the report, and what sends it. */
type Attempt = { title: string; send: (line: Line) => Promise<Outcome> }
type Outcome = { surface: string; status: number; problem?: string | undefined }

/** What one of the parallel senders keeps open. */
type Line = { agent: Agent; bus: Bus; sockets: Map<string, WebSocket>; faults: string[] }

const routes = (await endpoints()).filter(endpoint => !spared.test(endpoint.title))
const rpcs = await methods()
const frames = await clientFrames()
const isSpared = ({ name }: DescMethod): boolean => sparedMethods.test(name)
const notSpared = (all: DescMethod[]): DescMethod[] => all.filter(method => !isSpared(method))

/** The requests of a round, on all surfaces, by all callers. */
function attempts({ callers, ids }: FuzzWorld): fc.Arbitrary<Attempt> {
  const byCaller = callers.flatMap(caller =>
    caller.hotels.map(choiceFor => {
      const credentials = [caller.headers]
      const rest = wildRequests({ endpoints: routes, choiceFor, credentials })
      const routed = wildRpcs(notSpared(rpcs.routed), choiceFor, credentials)
      const internal = wildRpcs(notSpared([...rpcs.routed, ...rpcs.internal]), choiceFor, credentials)
      const socketFrames = fc.constantFrom(...ids).chain(hotel => wildFrames(frames, field => idIn(hotel, field.name)))
      return fc.oneof(
        { weight: 10, arbitrary: rest.map(wild => restAttempt(caller, wild)) },
        { weight: 3, arbitrary: routed.map(wild => rpcAttempt(caller, '/rpc', wild)) },
        { weight: 3, arbitrary: internal.map(wild => rpcAttempt(caller, 'RPC port', wild)) },
        { weight: 3, arbitrary: socketFrames.map(frame => frameAttempt(caller, frame)) },
      )
    }),
  )
  return fc.oneof(
    { weight: 19, arbitrary: fc.oneof(...byCaller) },
    { weight: 1, arbitrary: wildEvents(ids).map(busAttempt) },
  )
}

/** The id of a hotel's record that a frame's field names, by the first word of its name. */
const idIn = (hotel: FuzzWorld['ids'][number], name: string): string | undefined =>
  ({ ...hotel, hotel: hotel.ecosystem })[name.split('_')[0] ?? '']

const toExcerpt = (value: unknown): string => JSON.stringify(value).slice(0, 700)

function restAttempt(caller: FuzzCaller, wild: WildRequest): Attempt {
  const { endpoint, verb, path, body } = wild
  const title = `${caller.name}: ${endpoint.title} as ${verb} ${path.slice(0, 300)} ${body?.toString().slice(0, 500)}`
  return {
    title,
    async send({ agent }) {
      const answer = await sendWild(platform.urls[endpoint.service], wild, agent)
      return { surface: 'REST', status: answer.status, problem: problemOf(answer, caller) }
    },
  }
}

function rpcAttempt(
  caller: FuzzCaller,
  surface: '/rpc' | 'RPC port',
  { method, headers, body }: { method: DescMethod; headers: Record<string, string>; body: Buffer },
): Attempt {
  const service = serviceOf(method.parent.file.proto.package) as keyof typeof platform.urls
  const base =
    surface === '/rpc' ? platform.urls[service] : `http://127.0.0.1:${rpcPort(platform.env, ownerOf(method.parent))}`
  const path = `${surface === '/rpc' ? '/rpc' : ''}/${method.parent.typeName}/${method.name}`
  return {
    title: `${caller.name}: ${surface} ${method.name} ${toExcerpt(headers['content-type'])} ${body.toString('latin1').slice(0, 500)}`,
    async send({ agent }) {
      const answer = await sendWild(base, { verb: 'POST', path, headers, body }, agent)
      return { surface, status: answer.status, problem: problemOf(answer, caller) }
    },
  }
}

/** Internal and unknown errors of gRPC, which answers them with status 200. */
const brokenGrpc = /grpc-status: ?(?:2|13|15)\b/

function problemOf(
  { status, headers, text, ms }: Awaited<ReturnType<typeof sendWild>>,
  { secrets }: FuzzCaller,
): string | undefined {
  const isDocumented = status === 501 || (status === 503 && headers['retry-after'] !== undefined)
  if ((status >= 500 && !isDocumented) || brokenGrpc.test(text)) return `${status} ${text.slice(0, 200)}`
  if (/node_modules|\bat \S+ \(|<pre>|SQLSTATE|ER_[A-Z_]{4}/.test(text))
    return `inner text in ${status} ${text.slice(0, 300)}`
  const secret = secrets.find(one => text.includes(one))
  if (secret) return `${status} shows “${secret}”: ${text.slice(Math.max(0, text.indexOf(secret) - 200)).slice(0, 300)}`
  // Above what a busy machine takes: the request hangs.
  return ms > 60_000 ? `${ms} ms` : undefined
}

/** A frame is answered under its id, or its socket is closed with a code for clients. */
function frameAttempt(caller: FuzzCaller, frame: Record<string, unknown>): Attempt {
  return {
    title: `${caller.name}: frame ${toExcerpt(frame)}`,
    async send(line) {
      const socket = await socketOf(line, caller)
      if (!socket) return { surface: 'socket', status: 401 }
      const id = Math.random().toString(36)
      const whenAnswered = new Promise<Outcome>(resolve => {
        const receive = (data: Buffer) => {
          const answer = JSON.parse(data.toString()) as { id?: unknown; data?: { statusCode?: number } }
          if (answer.id !== id) return
          socket.off('message', receive).off('close', end)
          const status = answer.data?.statusCode ?? 200
          const problem = status >= 500 && status !== 503 ? data.toString().slice(0, 300) : undefined
          resolve({ surface: 'socket', status, problem })
        }
        const end = (code: number) => {
          const problem = code === 1006 || code === 1011 ? `closed with ${code}` : undefined
          resolve({ surface: 'socket', status: code, problem })
        }
        socket.on('message', receive).once('close', end)
      })
      socket.send(JSON.stringify({ ...frame, id }))
      return whenAnswered
    },
  }
}

/** The caller's open socket, whose frames are searched for texts of other hotels; undefined if it is refused. */
async function socketOf(
  { sockets, faults }: Line,
  { name, headers, secrets }: FuzzCaller,
): Promise<WebSocket | undefined> {
  const open = sockets.get(name)
  if (open?.readyState === WebSocket.OPEN) return open
  const socket = new WebSocket(`${platform.urls.news.replace('http', 'ws')}/ws`, { headers })
  const isOpen = await new Promise<boolean>(resolve => {
    socket.once('open', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!isOpen) return undefined
  socket.on('message', (data: Buffer) => {
    const secret = secrets.find(one => data.includes(one))
    if (secret) faults.push(`a frame shows “${secret}”: ${data.toString().slice(0, 300)}`)
  })
  sockets.set(name, socket)
  return socket
}

const busAttempt = ({ subject, body }: { subject: string; body: string }): Attempt => ({
  title: `bus ${subject} ${body.slice(0, 500)}`,
  async send({ bus }) {
    await bus.publish(subject, body, { id: idFor(`${Math.random()}`) })
    return { surface: 'bus', status: 200 }
  },
})

/** The longest turn of the platform's loop since the last look, in ms. */
async function loopMs(): Promise<number> {
  const url = `http://127.0.0.1:${platform.env['PLATFORM_METRICS_PORT']}/metrics`
  const text = await (await fetch(url)).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1])
}

const surfaces = ['REST', '/rpc', 'RPC port', 'socket', 'bus'] as const

test(`of ${count} random requests by two hotels, strangers and the platform none is a 5xx, shows inner text or another hotel, or hangs (FUZZ_SEED=${seed})`, async () => {
  const { AMQP_GATEWAY_URL: url = '', AMQP_EXCHANGE_NAME: stream = '' } = platform.env
  const bus = await connectBus({ url, stream, name: 'fuzz' })
  const statuses: Record<string, Record<number, number>> = Object.fromEntries(surfaces.map(surface => [surface, {}]))
  const faults: string[] = []
  for (let sentCount = 0; sentCount < count && faults.length < 20; sentCount += perRound) {
    const world = await fuzzWorld(platform)
    await loopMs()
    const queue = fc.sample(attempts(world), { numRuns: Math.min(perRound, count - sentCount), seed: seed + sentCount })
    const work = async (): Promise<void> => {
      const line: Line = { agent: new Agent({ keepAlive: true, maxSockets: 2 }), bus, sockets: new Map(), faults }
      for (let attempt = queue.pop(); attempt; attempt = queue.pop()) {
        const outcome = await attempt
          .send(line)
          .catch((error: unknown) => ({ surface: 'REST', status: 0, problem: String(error) }))
        const byStatus = statuses[outcome.surface] ?? {}
        byStatus[outcome.status] = (byStatus[outcome.status] ?? 0) + 1
        if (outcome.problem) faults.push(`${outcome.problem}: ${attempt.title}`)
      }
      line.agent.destroy()
      for (const socket of line.sockets.values()) socket.terminate()
    }
    await Promise.all(Array.from({ length: 8 }, work))
    const longest = await loopMs()
    if (longest > maxLoopMs)
      faults.push(`a turn of the loop took ${Math.round(longest)} ms, in requests from ${sentCount} on`)
    if (count > perRound)
      console.log(
        `${sentCount + perRound} sent, longest turn ${Math.round(longest)} ms, faults: ${JSON.stringify(faults)}`,
      )
  }
  await bus.close()
  assert.equal(faults, [], JSON.stringify(statuses))
  // Requests that are all refused at once would prove little.
  for (const surface of surfaces) {
    const good = Object.entries(statuses[surface] ?? {}).filter(
      ([status]) => Number(status) > 0 && Number(status) < 300,
    )
    const successes = good.reduce((sum, [, times]) => sum + times, 0)
    assert.ok(successes > count / 500, `${surface}: ${JSON.stringify(statuses)}`)
  }
})

test('the platform is still up', async () => {
  for (const url of Object.values(platform.urls)) assert.is((await fetch(`${url}/health`)).status, 200)
})

test.run()
