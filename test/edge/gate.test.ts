import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { WebSocket } from 'ws'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge, type TestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'

const test = suite('credentials at the edge')

const pair = () => ({ 'x-api-key': newId(), 'x-api-secret': newId() })

/** A service that never answers; counts its calls of a method. */
async function silentService(method: string) {
  const sessions = new Set<ServerHttp2Session>()
  let callCount = 0
  const server = createServer()
    .on('session', session => sessions.add(session.on('error', () => undefined)))
    .on('stream', (stream, headers) => {
      stream.on('error', () => undefined)
      if (headers[':path']?.endsWith(`/${method}`)) callCount++
    })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callCount: () => callCount,
    close() {
      server.close()
      for (const session of sessions) session.destroy()
    },
  }
}

/** The status of an answer; undefined after 3 s without one. */
const awaitStatus = async (answer: Promise<Response>): Promise<number | undefined> => {
  const timeout = new Promise<undefined>(resolve => setTimeout(resolve, 3_000, undefined).unref())
  return (await Promise.race([answer, timeout]))?.status
}

const surfaces: [
  title: string,
  setting: string,
  method: string,
  call: (edge: TestEdge['edge']) => Promise<Response>,
][] = [
  [
    'messages of the payment provider',
    'PAYMENT_RPC_URL',
    'HandleWebhook',
    ({ urls }) =>
      fetch(`${urls.payment}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': 't=1,v1=00', 'content-type': 'application/json' },
        body: '{}',
      }),
  ],
  ...(['front', 'console'] as const).map(
    page =>
      [
        `sign-ins at the ${page}`,
        'AUTH_RPC_URL',
        'Login',
        ({ frontUrl, consoleUrl }: TestEdge['edge']) =>
          fetch(page === 'front' ? `${frontUrl}/session` : `${consoleUrl}/console/session`, {
            method: 'POST',
            headers: { 'x-requested-with': page, 'content-type': 'application/json' },
            body: JSON.stringify({ email: 'ana@hotel.example', password: 'correct horse 7' }),
          }),
      ] as const satisfies [string, string, string, (edge: TestEdge['edge']) => Promise<Response>],
  ),
]
for (const [title, setting, method, call] of surfaces)
  test(`${title} count as running calls`, async () => {
    const silent = await silentService(method)
    const { edge, end } = await startTestEdge([member], { EDGE_MAX_CALLS: '10', [setting]: silent.url })
    const runningCalls = Array.from({ length: 5 }, () => call(edge))
    await eventually(() => silent.callCount() === 5)
    assert.is(await awaitStatus(call(edge)), 503)
    silent.close()
    for (const answer of runningCalls) assert.is((await answer).status, 503)
    await end()
  })

test('checks of credentials count as running calls, also for a file', async () => {
  const silent = await silentService('VerifyCredential')
  const { urls, end } = await startTestEdge([member], { EDGE_MAX_CALLS: '10', AUTH_RPC_URL: silent.url })
  try {
    const list = () => fetch(`${urls.member}/teams/workspace/${newId()}`, { headers: pair() })
    const runningCalls = Array.from({ length: 5 }, list)
    await eventually(() => silent.callCount() === 5)
    const upload = () => fetch(`${urls.media}/media/upload`, { method: 'POST', headers: pair() })
    for (const call of [list, upload]) {
      const timeout = new Promise<undefined>(resolve => setTimeout(resolve, 3_000, undefined).unref())
      const refusal = await Promise.race([call(), timeout])
      const { message } = JSON.parse((await refusal?.text()) ?? '{}')
      assert.equal([refusal?.status, message], [503, 'Too many concurrent requests, try again later'])
      assert.is(refusal?.headers.get('retry-after'), '1')
    }
    assert.is(silent.callCount(), 5)
    silent.close()
    for (const answer of runningCalls) assert.is((await answer).status, 503)
    assert.is((await fetch(`${urls.member}/teams/workspace/${newId()}`)).status, 401)
  } finally {
    silent.close()
    await end()
  }
})

test('half of EDGE_MAX_SOCKETS may be open without a credential; the next one is closed with 1013', async () => {
  const { urls, end } = await startTestEdge([member], { EDGE_MAX_SOCKETS: '4' })
  const sockets = Array.from({ length: 3 }, () => new WebSocket(`${urls.member.replace('http', 'ws')}/ws`))
  const code = await Promise.race(
    sockets.map(async socket => {
      const [closeCode] = await once(socket, 'close')
      return closeCode
    }),
  )
  assert.is(code, 1013)
  for (const socket of sockets) socket.terminate()
  await end()
})

test('a refused credential of any kind is counted, and logged once per address and minute, on every surface', async () => {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      text += chunk.toString()
      callback()
    },
  })
  const log = createLog('test', 'info', stream)
  const { host, urls, end } = await startTestEdge([auth, member], { TRUST_PROXY_HOPS: '1' }, { log })
  try {
    const kinds: [kind: string, from: string, credential: Record<string, string>][] = [
      ['token', '198.51.100.1', { authorization: 'Bearer canary-token' }],
      ['service key', '198.51.100.2', { 'x-api-key': 'canary-key' }],
      ['key pair', '198.51.100.3', { 'x-api-key': 'canary-key', 'x-api-secret': 'canary-secret' }],
    ]
    for (const [kind, from, credential] of kinds) {
      const headers = { ...credential, 'x-forwarded-for': from, 'x-request-id': `of-${from.replaceAll('.', '-')}` }
      assert.is((await fetch(`${urls.member}/teams/workspace/${newId()}`, { headers })).status, 401, kind)
      const rpc = `${urls.member}/rpc/${TeamService.typeName}/ListTeams`
      const call = { method: 'POST', body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
      assert.is((await fetch(rpc, call)).status, 401, kind)
    }
    // Without a credential there was no attempt.
    assert.is((await fetch(`${urls.member}/teams/workspace/${newId()}`)).status, 401)
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(({ security }) => security === 'Credential')
    assert.equal(
      lines.map(({ kind, client, requestId }) => [kind, client, requestId]),
      kinds.map(([kind, from]) => [kind, from, `of-${from.replaceAll('.', '-')}`]),
    )
    assert.not.match(text, 'canary')
    const metrics = await host.metrics.registry.metrics()
    for (const [kind] of kinds) assert.match(metrics, `credentials_refused_total{kind="${kind}"} 2`)
  } finally {
    await end()
  }
})

test.run()
