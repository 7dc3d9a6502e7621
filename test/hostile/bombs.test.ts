import { gzipSync } from 'node:zlib'
import type { DescMethod } from '@bufbuild/protobuf'
import { WebSocket } from 'ws'
import { call } from '../../cli/tour/client.ts'
import { addressOf, password, signIn } from '../../cli/tour/world.ts'
import { frameOf, framesGoing } from '../../edge/live/frames.ts'
import { Direction, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { ownerOf } from '../../services/kernel/base/service-names.ts'
import type { BodyLimits } from '../../services/kernel/rpc/door/cost.ts'
import { bodyLimits } from '../../services/kernel/rpc/door/size.ts'
import { rpcPort } from '../../services/kernel/rpc/remote-services.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { callerFor, twoHotels } from '../kit/platform/two-hotels.ts'
import { overGrpc, overHttp, type RawAnswer, type RawSurface } from '../kit/requests/raw-surfaces.ts'
import { type Endpoint, endpoints, isOf, isPublic, planRequest, takesJson } from '../kit/requests/requests.ts'

/** Bodies that cost far more than they weigh, sent to every route that takes one, on every surface. */
const test = suite('bodies that cost more than they weigh')
const platform = await sharedPlatform()
const hotels = await twoHotels(platform)
const all = (await endpoints()).filter(takesJson)

const json = 'application/json'
const protobuf = 'application/proto'

type Bomb = { what: string; body: Buffer; type: string; status: number }

const tag = (number: number, wireType: number): number[] => {
  const value = number * 8 + wireType
  return value < 128 ? [value] : [(value % 128) + 128, Math.floor(value / 128)]
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

/** A field of the length-delimited wire type. */
const delimited = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...tag(number, 2), ...varint(content.length)]), content])

/** A number that no message has. */
const unknownField = 2_000

/** Values in protobuf that a decoder would build: empty ones of a free object where there is one. */
function manyValues({ input }: DescMethod, count: number): Buffer {
  const free = input.fields.find(({ message }) => message?.typeName === 'google.protobuf.Struct')
  if (free) return delimited(free.number, Buffer.alloc(count * 2, Buffer.from([0x0a, 0])))
  return Buffer.concat(Array<Buffer>(count).fill(Buffer.from([...tag(unknownField, 0), 0])))
}

const jsonBombs = ({ bytes, values }: BodyLimits): Bomb[] => [
  { what: 'many empty objects', body: Buffer.from(`{"x":[${'{},'.repeat(values)}{}]}`), type: json, status: 413 },
  { what: 'many numbers', body: Buffer.from(`{"x":[${'0,'.repeat(values)}0]}`), type: json, status: 413 },
  { what: 'many bytes', body: Buffer.from(`{"x":"${'x'.repeat(bytes + 2_000)}"}`), type: json, status: 413 },
  { what: 'many levels', body: Buffer.from(`{"x":${'['.repeat(101)}${']'.repeat(101)}}`), type: json, status: 400 },
]

function protobufBombs(method: DescMethod): Bomb[] {
  const { bytes, values } = bodyLimits(method)
  const groups = Buffer.from(
    [...Array(102).fill(tag(unknownField, 3)), ...Array(102).fill(tag(unknownField, 4))].flat(),
  )
  return [
    { what: 'many values', body: manyValues(method, values + 1), type: protobuf, status: 413 },
    { what: 'many bytes', body: delimited(unknownField, Buffer.alloc(bytes + 2_000)), type: protobuf, status: 413 },
    { what: 'many levels', body: groups, type: protobuf, status: 400 },
  ]
}

const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`

function surfacesOf(endpoint: Endpoint): (RawSurface & { types: string[]; unpacks: boolean })[] {
  const { route, service } = endpoint
  const path = pathOf(route.method)
  const url = platform.urls[service as keyof typeof platform.urls]
  const port = `http://127.0.0.1:${rpcPort(platform.env, ownerOf(route.method.parent))}`
  const atRoute = `${url}${planRequest(endpoint, () => undefined).path}`
  return [
    { ...overHttp('REST', atRoute, route.verb), types: [json], unpacks: true },
    { ...overHttp('/rpc', `${url}/rpc${path}`), types: [json, protobuf], unpacks: true },
    { ...overHttp('Connect on the RPC port', `${port}${path}`), types: [json, protobuf], unpacks: false },
    { ...overGrpc(port, path), types: [protobuf], unpacks: false },
  ]
}

/** Runs a check for every route, some at once; the problems, each with its route. */
async function problemsOf(routes: Endpoint[], check: (endpoint: Endpoint) => Promise<string[]>): Promise<string[]> {
  const rest = [...routes]
  const problems: string[] = []
  const work = async (): Promise<void> => {
    for (let endpoint = rest.pop(); endpoint; endpoint = rest.pop()) {
      const { title } = endpoint
      problems.push(...(await check(endpoint)).map(problem => `${title}: ${problem}`))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return problems
}

/** Legacy errors have no place for the limit. */
const isLegacyError = ({ text }: RawAnswer): boolean => /^\{"msg":"\w+","success":false\}$/.test(text)

const namesLimit = ({ text }: RawAnswer): boolean =>
  /must not (exceed \d+ bytes|hold more than \d+ values)|not nest deeper|not valid protobuf/.test(
    decodeURIComponent(text),
  )

test('every route with a body refuses bombs of values, bytes and levels by their limit, on every surface', async () => {
  assert.ok(all.length > 100, `${all.length} routes`)
  const problems = await problemsOf(all, async endpoint => {
    const { method } = endpoint.route
    const bombs = [...jsonBombs(bodyLimits(method)), ...protobufBombs(method)]
    const token = callerFor(hotels, endpoint)
    const wrong: string[] = []
    for (const { name, send, types, unpacks } of surfacesOf(endpoint))
      for (const { what, body, type, status } of bombs)
        for (const encoding of [undefined, 'gzip']) {
          if (!types.includes(type)) continue
          const bytes = encoding ? gzipSync(body) : body
          const answer = await send({ type, body: bytes, token, encoding })
          const expected = encoding && !unpacks ? 415 : status
          const isNamed = expected === 415 || isLegacyError(answer) || namesLimit(answer)
          if (answer.status !== expected || !isNamed)
            wrong.push(`${name}, ${type} ${what} ${encoding ?? ''} → ${answer.status} ${answer.text.slice(0, 100)}`)
        }
    return wrong
  })
  assert.equal(problems.slice(0, 10), [])
})

/** Signs in somebody with an account who belongs to no hotel. */
async function signInStranger(): Promise<string> {
  const email = addressOf(hotels.world, 'stranger')
  await call(platform.urls, 'auth', 'POST', '/auth/register', { body: { email, password } })
  return signIn(hotels.world, email, password)
}

test('a caller who belongs to nothing is refused before the body wherever a tenant is needed, on every surface', async () => {
  const token = await signInStranger()
  const routes = all.filter(one => !isPublic(one) && !isOf(one, Scope.IDENTITY))
  assert.ok(routes.length > 60, `${routes.length} routes`)
  // It would be a 400 if anybody read it, and a 415 on the RPC ports.
  const unreadable = Buffer.from('no gzip')
  const problems = await problemsOf(routes, async endpoint => {
    const wrong: string[] = []
    for (const { name, send } of surfacesOf(endpoint)) {
      const { status, text } = await send({ type: json, body: unreadable, token, encoding: 'gzip' })
      if (status !== 403) wrong.push(`${name} → ${status} ${text.slice(0, 100)}`)
    }
    return wrong
  })
  assert.equal(problems.slice(0, 10), [])
})

test('7 kB that unpack to a page of 1,790,000 empty values are refused: 403 to a stranger, 413 to a member', async () => {
  const create = all.find(({ route }) => route.method.name === 'CreatePage')
  if (!create) throw new Error('no such route')
  const body = gzipSync(manyValues(create.route.method, 1_790_000))
  assert.ok(body.length < 8_000, `${body.length} bytes`)
  const stranger = await signInStranger()
  for (const [token, status] of [
    [stranger, 403],
    [hotels.ownHotel.token, 413],
  ] as const)
    for (const { name, send, types, unpacks } of surfacesOf(create))
      if (unpacks && types.includes(protobuf))
        assert.is((await send({ type: protobuf, body, token, encoding: 'gzip' })).status, status, name)
})

test('frames of every kind with bombs of values and levels end in an error or the end of their socket', async () => {
  const bombs = [
    `[${'{},'.repeat(20_000)}{}]`,
    `[${'0,'.repeat(7_000)}0]`,
    `{"settingsUpdated":[${'{},'.repeat(4_000)}{}]}`,
    `${'['.repeat(1_900)}${']'.repeat(1_900)}`,
  ]
  for (const desc of framesGoing(Direction.CLIENT)) {
    const { event, services } = frameOf(desc)
    for (const bomb of bombs) {
      const url = platform.urls[(services[0] ?? 'news') as keyof typeof platform.urls].replace('http', 'ws')
      const socket = new WebSocket(`${url}/ws`, { headers: { authorization: `Bearer ${hotels.ownHotel.token}` } })
      const status = await new Promise<number>(resolve => {
        socket.on('open', () => socket.send(`{"event":"${event}","id":1,"data":${bomb}}`))
        socket.on('close', code => resolve(code))
        socket.on('message', (message: Buffer) => {
          const frame = JSON.parse(message.toString()) as { event: string; data: { statusCode: number } }
          if (frame.event === 'error') resolve(frame.data.statusCode)
          if (frame.event === 'ack') resolve(200)
        })
      })
      socket.terminate()
      assert.ok([400, 413, 1009].includes(status), `${event}: ${status}`)
    }
  }
})

test.run()
