import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { WebSocket } from 'ws'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'

const test = suite('credentials at the edge')

const pair = () => ({ 'x-api-key': newId(), 'x-api-secret': newId() })

test('checks of credentials count as running calls, also for a file', async () => {
  const sockets = new Set<Socket>()
  let asked = 0
  // An authentication service that never answers.
  const silent = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('data', data => (asked += data.toString('latin1').split('/VerifyCredential').length - 1))
  })
  await new Promise<void>(resolve => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const AUTH_RPC_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { urls, end } = await startTestEdge([member], { EDGE_MAX_CALLS: '10', AUTH_RPC_URL })
  try {
    const list = () => fetch(`${urls.member}/teams/workspace/${newId()}`, { headers: pair() })
    const held = Array.from({ length: 5 }, list)
    await eventually(() => asked === 5)
    const upload = () => fetch(`${urls.media}/media/upload`, { method: 'POST', headers: pair() })
    for (const call of [list, upload]) {
      const late = new Promise<undefined>(resolve => setTimeout(resolve, 3_000, undefined).unref())
      const refused = await Promise.race([call(), late])
      const { message } = JSON.parse((await refused?.text()) ?? '{}')
      assert.equal([refused?.status, message], [503, 'Too many concurrent requests, try again later'])
      assert.is(refused?.headers.get('retry-after'), '1')
    }
    assert.is(asked, 5)
    silent.close()
    for (const socket of sockets) socket.destroy()
    for (const answer of held) assert.is((await answer).status, 503)
    assert.is((await fetch(`${urls.member}/teams/workspace/${newId()}`)).status, 401)
  } finally {
    for (const socket of sockets) socket.destroy()
    await end()
  }
})

test('half of EDGE_MAX_SOCKETS may be open without a credential; the next one is closed with 1013', async () => {
  const { urls, end } = await startTestEdge([member], { EDGE_MAX_SOCKETS: '4' })
  const sockets = Array.from({ length: 3 }, () => new WebSocket(`${urls.member.replace('http', 'ws')}/ws`))
  const code = await Promise.race(
    sockets.map(async socket => {
      const [closed] = await once(socket, 'close')
      return closed
    }),
  )
  assert.is(code, 1013)
  for (const socket of sockets) socket.terminate()
  await end()
})

test('a refused credential of any kind is counted, and logged once per address and minute, on every surface', async () => {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
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
