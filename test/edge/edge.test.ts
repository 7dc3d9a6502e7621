import { Agent, request as httpRequest } from 'node:http'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { listeners } from '../../edge/config.ts'
import { startEdge } from '../../edge/edge.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { platformVersion } from '../../services/kernel/process/version.ts'
import { service as media } from '../../services/media/service.ts'
import { testDatabase } from '../kit/database.ts'
import { anyPorts, rawAnswer, startRelayTo, startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { freePorts } from '../kit/platform/ports.ts'
import { separateTemporary } from '../kit/temporary.ts'

const test = suite('the edge')
const temporary = await separateTemporary()
const names = Object.keys(listeners) as RestService[]

// The media service reaches its database through a relay that a test can cut.
const database = await testDatabase(new URL('../../services/media/migrations/', import.meta.url))
const address = new URL(database.url)
const relay = await startRelayTo(new URL(address))
address.host = `127.0.0.1:${relay.port}`

const { host, edge, urls, end } = await startTestEdge([auth, media], {
  MEDIA_DATABASE_URL: address.href,
  SIGN_IN_LIMIT: '3',
})
const apiKey = { 'x-api-key': String(host.env['SERVICE_API_KEY']) }
const quiet = createLog('edge', 'fatal')
const json = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

// Slow requests, started with the first test and checked in the last ones.
const slowHeaders = rawAnswer(urls.member, 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
const slowBody = rawAnswer(
  urls.auth,
  'POST /auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"email":',
)
const slowUpload = rawAnswer(
  urls.media,
  `POST /media/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey['x-api-key']}\r\n` +
    'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\n',
)
const slowAnswered = rawAnswer(
  urls.member,
  'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
)

test('every documented service has an address, and legacy authentication shares that of notifications', () => {
  assert.is(new Set(Object.values(urls)).size, 7)
  assert.is(urls.legacyauth, urls.notification)
  assert.equal(
    names.map(name => listeners[name].port),
    [3000, 3001, 3002, 3003, 3004, 3005, 3005, 3006],
  )
})

test('every port answers /health in the documented shape and with the version, with and without a trailing slash', async () => {
  for (const name of names) {
    for (const path of ['/health', '/health/']) {
      const { status, body } = await json(urls[name] + path)
      assert.equal(Object.keys(body), ['status', 'service', 'timestamp', 'version'])
      assert.is(body['version'], platformVersion)
      assert.match(String(body['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const isUp = name === 'auth' || name === 'media'
      assert.equal([status, body['status']], isUp ? [200, 'UP'] : [503, 'DOWN'], name)
    }
  }
  assert.is((await json(`${urls.auth}/health`)).body['service'], 'authentication-service')
  for (const path of ['/health', '/live', '/ready']) {
    const other = await json(urls.auth + path, { method: 'POST' })
    assert.equal([other.status, other.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], path)
  }
})

test('every answer of every port has the id of its request, and JSON is stored nowhere', async () => {
  for (const url of new Set([...Object.values(urls), edge.consoleUrl, edge.frontUrl ?? '']))
    for (const path of ['/health', '/live', '/ready', '/', '/openapi.json', '/asyncapi.json', '/rpc/nothing']) {
      const { headers } = await fetch(url + path, { headers: { accept: 'application/json', 'x-request-id': 'abc-1' } })
      const isFile = headers.has('etag')
      assert.equal(
        [headers.get('x-request-id'), headers.get('cache-control')],
        ['abc-1', isFile ? 'no-cache' : 'no-store'],
        url + path,
      )
    }
})

test('a shared port names both services in /health, is UP only when both are, and answers for each alone', async () => {
  const both = await json(`${urls.notification}/health`)
  assert.equal([both.status, both.body['service']], [503, 'notification-service,legacy-authentication-service'])
  const legacy = await json(`${urls.notification}/health?service=legacy-authentication-service`)
  assert.equal(
    [legacy.status, legacy.body['status'], legacy.body['service']],
    [200, 'UP', 'legacy-authentication-service'],
  )
  const other = await json(`${urls.notification}/health?service=notification-service`)
  assert.equal([other.status, other.body['status'], other.body['service']], [503, 'DOWN', 'notification-service'])
  for (const unknown of ['media-service', '', 'x'])
    assert.is((await json(`${urls.notification}/health?service=${unknown}`)).status, 404, unknown)
})

test('two services configured with one port share it, and with two ports they are separate', async () => {
  const [one = 0, two = 0, three = 0] = await freePorts(3)
  const sharedEdge = await startEdge(
    host,
    { ...host.env, NOTIFICATION_PORT: `${one}`, LEGACY_AUTH_PORT: `${one}` },
    quiet,
  )
  assert.equal([sharedEdge.urls.legacyauth, sharedEdge.urls.notification], Array(2).fill(`http://127.0.0.1:${one}`))
  assert.match((await json(`${sharedEdge.urls.notification}/health`)).body['service'] as string, /,/)
  await sharedEdge.stop()
  const separateEdge = await startEdge(
    host,
    { ...host.env, NOTIFICATION_PORT: `${two}`, LEGACY_AUTH_PORT: `${three}` },
    quiet,
  )
  assert.is((await json(`${separateEdge.urls.notification}/health`)).body['service'], 'notification-service')
  const legacy = await json(`${separateEdge.urls.legacyauth}/health`)
  assert.equal([legacy.status, legacy.body['service']], [200, 'legacy-authentication-service'])
  assert.is((await json(`${separateEdge.urls.legacyauth}/api/v1/notifications`)).status, 404)
  assert.is((await json(`${separateEdge.urls.notification}/user/profile`)).status, 404)
  assert.is((await json(`${separateEdge.urls.legacyauth}/user/profile`)).status, 401)
  await separateEdge.stop()
})

test('a port in use is reported with its setting, and listeners opened before are closed', async () => {
  const [free = 0] = await freePorts(1)
  const takenPort = new URL(urls.news).port
  const env = { ...host.env, ...anyPorts, AUTH_PORT: `${free}`, PAYMENT_PORT: takenPort }
  const error = await startEdge(host, env, quiet).then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  assert.is(error?.message, `port ${takenPort} is in use; set PAYMENT_PORT to move it`)
  const secondEdge = await startEdge(host, { ...host.env, ...anyPorts, AUTH_PORT: `${free}` }, quiet)
  assert.is(secondEdge.urls.auth, `http://127.0.0.1:${free}`)
  await secondEdge.stop()
})

test('while the broker is away a port is live and ready', async () => {
  const answers = async () =>
    Promise.all(
      ['/live', '/ready', '/health'].map(async path => {
        const { status, body } = await json(urls.media + path)
        return [status, body['live'] ?? body['checks'] ?? body['status']]
      }),
    )
  const healthyAnswers = [
    [200, true],
    [200, { bus: true, media: true }],
    [200, 'UP'],
  ]
  assert.equal(await answers(), healthyAnswers)
  await host.broker.kill()
  await eventually(() => !host.bus.status().connected)
  assert.equal(await answers(), [
    [200, true],
    [200, { bus: false, media: true }],
    [200, 'UP'],
  ])
  await host.broker.start()
  await eventually(() => host.bus.status().connected)
  assert.equal(await answers(), healthyAnswers)
})

test('/ready names the dependencies of a service', async () => {
  const { status, body } = await json(`${urls.media}/ready`)
  assert.equal([status, body], [200, { ready: true, draining: false, checks: { bus: true, media: true } }])
  const member = await json(`${urls.member}/ready`)
  assert.equal([member.status, member.body['checks']], [503, { bus: true, member: false }])
})

test('answers have security headers for browsers, and do not reveal the server software', async () => {
  const { headers } = await json(`${urls.auth}/health`)
  assert.is(headers.get('x-content-type-options'), 'nosniff')
  for (const directive of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
    assert.match(headers.get('content-security-policy') ?? '', `${directive} 'none'`)
  assert.is(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains')
  assert.is(headers.get('referrer-policy'), 'no-referrer')
  assert.is(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.is(headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.is(headers.get('x-powered-by'), null)
})

const refusalOf = (call: Promise<unknown>): Promise<ConnectError> =>
  call.then(
    () => assert.unreachable('the call was not refused') as never,
    (error: unknown) => ConnectError.from(error),
  )

const failedSignIn = (url: string, forwarded: string) =>
  fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
    body: JSON.stringify({ email: `${newId()}@hotel.example`, password: 'wrong password' }),
  }).then(response => {
    const { status, headers } = response
    const [, remainingCalls, reset] = /^"sign-in";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
    assert.is(headers.get('ratelimit-policy'), '"sign-in";q=3;w=900')
    assert.is(headers.get('retry-after'), status === 429 ? (reset ?? 'none') : null)
    return [status, Number(remainingCalls)]
  })

test('X-Forwarded-For changes the counted address only with TRUST_PROXY_HOPS', async () => {
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push(await failedSignIn(urls.auth, `198.51.100.${n}`))
  const upTo3 = [...[2, 1, 0].map(left => [401, left]), [429, 0]]
  assert.equal(statuses, upTo3)
  const rpc = createClient(SignInService, createConnectTransport({ baseUrl: `${urls.auth}/rpc`, httpVersion: '1.1' }))
  const login = rpc.login({ email: 'x@hotel.example', password: 'x' }, { headers: { 'x-client-ip': '203.0.113.9' } })
  const { code, metadata } = await refusalOf(login)
  assert.equal([code, metadata.get('ratelimit')?.startsWith('"sign-in";r=0;')], [Code.ResourceExhausted, true])
  let limitHeader = ''
  const onHeader = (headers: Headers) => void (limitHeader = headers.get('ratelimit') ?? '')
  await rpc.register({ email: `${newId()}@hotel.example`, password: 'correct horse 7' }, { onHeader })
  assert.is(limitHeader, '"anonymous";r=99999;t=900')

  const proxied = await startEdge(host, { ...host.env, ...anyPorts, TRUST_PROXY_HOPS: '1' }, quiet)
  for (let n = 0; n < 4; n++) assert.equal(await failedSignIn(proxied.urls.auth, `198.51.100.${n}`), [401, 2])
  // One hop is trusted: all addresses before the last are forged by the client.
  const invented = []
  for (let n = 0; n < 4; n++) invented.push(await failedSignIn(proxied.urls.auth, `192.0.2.${n}, 198.51.100.77`))
  assert.equal(invented, upTo3)
  await proxied.stop()
})

test('a message of the payment provider without a signature is refused before its body is read', async () => {
  const head = 'POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n'
  const { text } = await rawAnswer(urls.payment, head)
  assert.match(text, /^HTTP\/1\.1 400 [\s\S]*Stripe-Signature/)
})

test('a stop refuses new connections, completes a running request and closes its connection', async () => {
  const second = await startEdge(host, { ...host.env, ...anyPorts }, quiet)
  const { port } = new URL(second.urls.media)
  const form = (part: string) => `--b\r\nContent-Disposition: form-data; name=${part}`
  const head = `${form('ecosystemId')}\r\n\r\n${newId()}\r\n${form('"file"; filename="a.txt"')}\r\n\r\nhello `
  const upload = httpRequest({
    port,
    method: 'POST',
    path: '/media/upload',
    headers: { ...apiKey, 'content-type': 'multipart/form-data; boundary=b', connection: 'keep-alive' },
  })
  const whenAnswered = new Promise<number>((resolve, reject) => {
    upload.on('error', reject).on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  upload.write(head)
  await new Promise(resolve =>
    upload.once('socket', socket => (socket.connecting ? socket.once('connect', resolve) : resolve(0))),
  )
  await eventually(() => upload.socket?.bytesWritten)
  // An idle connection mustn't delay the stop either.
  await (await fetch(`${second.urls.auth}/health`)).text()
  const began = Date.now()
  const whenStopped = second.stop()
  await eventually(() =>
    fetch(`${second.urls.media}/health`).then(
      () => false,
      () => true,
    ),
  )
  upload.end('world\r\n--b--\r\n')
  assert.is(await whenAnswered, 201)
  await whenStopped
  // Idle connections are kept for more than a minute.
  assert.ok(Date.now() - began < 50_000, `the stop took ${Date.now() - began} ms`)
})

test('a draining edge answers with Connection: close, is not ready, and accepts new connections', async () => {
  const second = await startEdge(host, { ...host.env, ...anyPorts }, quiet)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ready = () =>
    new Promise<unknown[]>((resolve, reject) => {
      const request = httpRequest(`${second.urls.media}/ready`, { agent }, response => {
        let text = ''
        response.on('data', part => (text += String(part)))
        response.once('end', () => resolve([response.headers.connection, JSON.parse(text).draining]))
      })
      request.on('error', reject).end()
    })
  assert.equal(await ready(), ['keep-alive', false])
  second.drain()
  assert.equal(await ready(), ['close', true])
  assert.is((await fetch(`${second.urls.media}/health`)).status, 200)
  agent.destroy()
  await second.stop()
})

test('headers that do not arrive are cut off within 15 seconds', async () => {
  const { text, ms } = await slowHeaders
  assert.match(text, /^HTTP\/1\.1 408 [\s\S]*"error":"RequestTimeoutError"/)
  assert.ok(ms < 15_000, `${ms} ms`)
})

test('a body that does not arrive is cut off within 15 seconds with a 408, as is a stalled upload', async () => {
  for (const { text, ms } of [await slowBody, await slowUpload]) {
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /"error":"RequestTimeoutError"/)
    assert.ok(ms < 15_000, `${ms} ms`)
  }
  await eventually(async () => (await temporary.uploads()).length === 0)
  const { text, ms } = await slowAnswered
  assert.match(text, /^HTTP\/1\.1 404 /)
  assert.ok(ms < 8_000, `${ms} ms`)
})

test('a service without its database is DOWN in the same shape, and answers calls with 503', async () => {
  relay.cut()
  const { status, body } = await eventually(async () => {
    const answer = await json(`${urls.media}/health`)
    return answer.status === 503 ? answer : undefined
  })
  assert.equal([status, body['status'], body['service']], [503, 'DOWN', 'media-service'])
  assert.equal(Object.keys(body), ['status', 'service', 'timestamp', 'version'])
  assert.equal((await json(`${urls.media}/ready`)).body['checks'], { bus: true, media: false })
  const call = await json(`${urls.media}/media/usage/${newId()}`, { headers: apiKey })
  assert.equal([call.status, call.body['error']], [503, 'ServiceUnavailableError'])
  assert.is(call.headers.get('retry-after'), '1')
  assert.is((await json(`${urls.auth}/health`)).status, 200)
})

test.after(async () => {
  await end()
  relay.end()
  await database.drop()
  await temporary.remove()
})

test.run()
