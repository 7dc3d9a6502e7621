import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { WebSocket } from 'ws'
import { ServerReflection } from '../../gen/grpc/reflection/v1/reflection_pb.ts'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { assert, suite } from '../kit/kit.ts'
import { type OwnPlatform, type Platform, startPlatform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { type HostileBody, hostileBodies } from '../kit/requests/hostile-bodies.ts'
import { overGrpc, overHttp, type RawAnswer, type RawSurface } from '../kit/requests/raw-surfaces.ts'

const { createPage } = PageService.method
const rpcPath = `/${PageService.typeName}/${createPage.name}`

/** The body for the HTTP surfaces: a minimal valid page with the hostile part inserted. */
function pageOf(workspace: string, { text = '"A page"', list, free = '{}', time, extra }: HostileBody): Buffer {
  const members = [`"workspaceId":"${workspace}","content":${free},"title":`]
  const rest = [
    ...(list ? [`"medias":${list}`] : []),
    ...(time ? [`"eventStartsAt":${time}`] : []),
    ...(extra ? [extra] : []),
  ]
  return Buffer.concat([
    Buffer.from(`{${members.join()}`),
    Buffer.from(text),
    Buffer.from(`${rest.map(one => `,${one}`).join('')}}`),
  ])
}

for (const topology of ['one', 'two'] as const) {
  const test = suite(
    `the door of every surface, ${topology === 'one' ? 'in one process' : 'with the services elsewhere'}`,
  )
  let apart: OwnPlatform | undefined
  let platform: Platform
  let hotels: TwoHotels
  let surfaces: RawSurface[]
  let port: string

  test.before(async () => {
    // In development, which is the default, the RPC ports offer reflection to everyone.
    apart = topology === 'two' ? await startPlatform('two') : undefined
    platform = apart ?? (await sharedPlatform())
    hotels = await twoHotels(platform)
    port = `http://127.0.0.1:${platform.env['NEWS_RPC_PORT']}`
    surfaces = [
      overHttp('REST', `${platform.urls.news}/api/v1/pages`),
      overHttp('/rpc', `${platform.urls.news}/rpc${rpcPath}`),
      ...serviceSurfaces(overHttp('Connect on the RPC port', `${port}${rpcPath}`), overGrpc(port, rpcPath)),
    ]
  })
  test.after(() => apart?.stop())

  /** Surfaces that the services offer themselves, which are the same wherever the edge runs. */
  const serviceSurfaces = (...surfaces: RawSurface[]): RawSurface[] => (topology === 'one' ? surfaces : [])
  const type = 'application/json'

  test('every surface accepts a valid body, so that the refusals below are due to hostile ones', async () => {
    for (const { name, send } of surfaces) {
      const body = pageOf(hotels.ownHotel.workspace, { title: '', status: 400 })
      const { status, text } = await send({ type, body, token: hotels.ownHotel.token })
      assert.ok(status < 300, `${name}: ${status} ${text}`)
    }
  })

  for (const body of hostileBodies)
    test(`${body.title}: ${body.status} on every surface, without a large answer`, async () => {
      const plain = pageOf(hotels.ownHotel.workspace, body)
      const request = { type: body.type ?? type, body: body.pack?.bytes(plain) ?? plain, encoding: body.pack?.encoding }
      for (const { name, send } of surfaces) {
        // The RPC ports are for connections within a site and accept no compressed bodies.
        const expected = body.pack && name.endsWith('RPC port') ? 415 : body.status
        const { status, text } = await send({ ...request, token: hotels.ownHotel.token })
        assert.is(status, expected, `${name}: ${text.slice(0, 300)}`)
        assert.ok(text.length < 10_000 && !text.includes('node_modules'), `${name}: ${text.length} characters`)
        if (name !== 'REST') continue
        // Excess depth or length is reported for the whole value, whatever else is wrong inside.
        if (body.title.endsWith(' levels')) assert.match(text, 'must not nest deeper than 100 levels')
        if (body.list) assert.not.match(text, 'medias[')
      }
    })

  test('without a valid credential no body is read on any surface: 401', async () => {
    for (const { name, send } of surfaces)
      for (const token of [undefined, `${hotels.ownHotel.token}x`])
        for (const body of hostileBodies) {
          if (body.type) continue
          const plain = pageOf(hotels.ownHotel.workspace, body)
          const request = { type, body: body.pack?.bytes(plain) ?? plain, encoding: body.pack?.encoding }
          // The connection may be cut while the client still sends a large body.
          const answer = await send({ ...request, token }).catch(() => undefined)
          if (answer) assert.is(answer.status, 401, `${name}: ${body.title}`)
        }
  })

  test('reflection of an RPC port is limited to services, except in development', async () => {
    const reflection = createClient(ServerReflection, createGrpcTransport({ baseUrl: port }))
    const offered = async (headers: Record<string, string>): Promise<string> => {
      async function* questions() {
        yield { messageRequest: { case: 'listServices' as const, value: '' } }
      }
      try {
        for await (const { messageResponse } of reflection.serverReflectionInfo(questions(), { headers }))
          return messageResponse.case ?? ''
        return 'nothing'
      } catch (error) {
        return Code[ConnectError.from(error).code]
      }
    }
    const credentials = [
      {},
      { authorization: `Bearer ${hotels.root}` },
      { 'x-api-key': `${hotels.apiKey}x` },
      { 'x-api-key': hotels.apiKey },
    ]
    const refusal = topology === 'one' ? 'Unauthenticated' : 'listServicesResponse'
    assert.equal(await Promise.all(credentials.map(offered)), [refusal, refusal, refusal, 'listServicesResponse'])
  })

  const protobuf = 'application/proto'
  const page = (overrides: object = {}) =>
    Buffer.from(
      toBinary(
        createPage.input,
        create(createPage.input, { workspaceId: hotels.ownHotel.workspace, title: 'x', ...overrides }),
      ),
    )
  const tag = (number: number): number[] => [(number << 3) | 2]

  test('protobuf that is invalid, has too long a list, or has content forbidden in JSON is a 400 on every RPC surface', async () => {
    const medias = createPage.input.field['medias']?.number ?? 0
    const cases: [title: string, body: Buffer][] = [
      ['a broken tag', Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
      ['a premature end', Buffer.concat([page(), Buffer.from([...tag(1), 100, 65])])],
      ['no UTF-8', Buffer.from([...tag(1), 2, 0xff, 0xfe])],
      [
        '40,000 empty items',
        Buffer.concat([
          page(),
          Buffer.from(
            Array(40_000)
              .fill([...tag(medias), 0])
              .flat(),
          ),
        ]),
      ],
      ['NUL', page({ title: 'a\0b' })],
      ['NUL in a free object', page({ content: { a: 'x\0' } })],
      ['an unsafe key in a free object', page({ content: { constructor: 'x' } })],
    ]
    for (const { name, send } of surfaces) {
      if (name === 'REST') continue
      for (const [title, body] of cases) {
        const { status, text } = await send({ type: protobuf, body, token: hotels.ownHotel.token })
        assert.is(status, 400, `${name}, ${title}: ${text.slice(0, 300)}`)
      }
    }
  })

  test('a free object too large for REST is refused in protobuf too', async () => {
    // Each of these numbers takes 2 bytes in JSON and 11 in protobuf.
    const content = { a: Array<number>(90_000).fill(0), b: 'x'.repeat(1_500_000) }
    const json = Buffer.from(JSON.stringify({ workspaceId: hotels.ownHotel.workspace, title: 'x', content }))
    const binary = page({ content })
    for (const { name, send } of surfaces) {
      const request = name === 'REST' ? { type, body: json } : { type: protobuf, body: binary }
      const { status, text } = await send({ ...request, token: hotels.ownHotel.token })
      assert.is(status, 413, `${name}: ${text.slice(0, 300)}`)
    }
  })

  test('a free object that REST accepts is accepted in protobuf, although it is larger there', async () => {
    const content = { a: Array<number>(99_000).fill(0), b: 'x'.repeat(800_000) }
    const json = Buffer.from(JSON.stringify({ workspaceId: hotels.ownHotel.workspace, title: 'x', content }))
    const binary = page({ content })
    for (const { name, send } of surfaces) {
      const request = name === 'REST' ? { type, body: json } : { type: protobuf, body: binary }
      const { status, text } = await send({ ...request, token: hotels.ownHotel.token })
      assert.ok(status < 300, `${name}: ${status} ${text.slice(0, 300)}`)
    }
  })

  test('a body of a public call is limited to 8 kB on every surface', async () => {
    const { login } = SignInService.method
    const path = `/${SignInService.typeName}/${login.name}`
    const anybody = [
      overHttp('REST', `${platform.urls.auth}/auth/login`),
      overHttp('/rpc', `${platform.urls.auth}/rpc${path}`),
      ...serviceSurfaces(
        overHttp('Connect on the RPC port', `http://127.0.0.1:${platform.env['AUTH_RPC_PORT']}${path}`),
      ),
    ]
    for (const { name, send } of anybody) {
      const sized = (length: number) => Buffer.from(`{"email":"a@b.example"${' '.repeat(length - 23)}}`)
      assert.is((await send({ type, body: sized(8_000) })).status, 400, name)
      assert.is((await send({ type, body: sized(9_100) })).status, 413, name)
      // The RPC ports accept no compressed bodies.
      const packed = await send({ type, body: gzipSync(sized(9_100)), encoding: 'gzip' })
      assert.is(packed.status, name.includes('RPC port') ? 415 : 413, `${name}, packed`)
    }
  })

  /** Sends one frame over a new socket; a close code with a reason counts as the answer. */
  async function frame(data: Buffer, token?: string): Promise<RawAnswer> {
    const socket = new WebSocket(`${platform.urls.news.replace('http', 'ws')}/ws`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    try {
      await once(socket, 'open')
      const whenAnswered = new Promise<RawAnswer>(resolve => {
        socket.on('message', (message: Buffer) => {
          const { event, data: payload } = JSON.parse(message.toString()) as {
            event: string
            data: { statusCode: number }
          }
          if (event === 'error') resolve({ status: payload.statusCode, text: message.toString() })
          if (event === 'ack') resolve({ status: 200, text: message.toString() })
        })
        const byClose: Record<number, number> = { 1007: 400, 1009: 413 }
        socket.on('close', code => resolve({ status: byClose[code] ?? code, text: '' }))
      })
      socket.send(data, { binary: false })
      return await whenAnswered
    } finally {
      socket.terminate()
    }
  }

  const framed = ({ text, list = '["page"]', extra }: HostileBody): Buffer =>
    Buffer.concat([
      Buffer.from('{"event":"subscribeToTypes","id":1,"data":{"workspaceId":'),
      Buffer.from(text ?? `"${hotels.ownHotel.workspace}"`),
      Buffer.from(`,"types":${list}${extra ? `,${extra}` : ''}}}`),
    ])

  test('socket frames with the same content are refused alike, and not read before authentication', async () => {
    for (const body of hostileBodies) {
      // Frames have no compression or content type, and this one has no time and no free object.
      if (body.pack || body.type || body.time || body.free) continue
      const data = framed(body)
      const ownAnswer = await frame(data, hotels.ownHotel.token)
      assert.is(
        ownAnswer.status,
        data.length > 4_096 ? 413 : body.status,
        `${body.title}: ${ownAnswer.text.slice(0, 300)}`,
      )
      assert.ok(ownAnswer.text.length < 20_000, `${body.title}: ${ownAnswer.text.length} characters`)
      const stranger = await frame(data)
      assert.ok([400, 401, 413].includes(stranger.status), `${body.title}: ${stranger.text.slice(0, 300)}`)
      if (data.length > 4_096) assert.is(stranger.status, 413, body.title)
      assert.ok(stranger.text.length < 500, `${body.title}: ${stranger.text.length} characters`)
    }
  })

  test.run()
}
