import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, refusal, suite } from '../kit/kit.ts'

const test = suite('unreadable requests')
const { urls, end } = await startTestEdge([auth], { SIGN_IN_LIMIT: '3', TRUST_PROXY_HOPS: '1' })
test.after(end)

test('unreadable requests below /auth are counted, as sign-ins on their paths and separately elsewhere', async () => {
  const { auth: modern, legacyauth: legacy } = urls
  const send = async (url: string, body: string, from: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    const response = await fetch(url, { method: 'POST', headers, body })
    const remainingCalls = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
    return [response.status, Number(remainingCalls), response.headers.has('retry-after')]
  }
  const upTo3 = [...[2, 1, 0].map(left => [400, left, false]), [429, 0, true]]
  const good = JSON.stringify({ email: `${newId()}@hotel.example`, password: 'wrong password' })
  const bodies: [path: string, body: string][] = [
    ['/auth/login', '{"email":'],
    ['/auth/login', '{"email":"x@hotel.example","password":7}'],
    ['/auth/login', '{"email":"none","password":"wrong password"}'],
    ['/auth/login/mobile', '{}'],
    ['/auth/loginAsAdmin', '[]'],
  ]
  for (const [index, [path, body]] of bodies.entries()) {
    const from = `198.51.100.${100 + index}`
    const url = path === '/auth/login' ? modern : legacy
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await send(url + path, body, from))
    assert.equal(answers, upTo3, path + body)
    // The counter of this address is used up for readable bodies, too.
    assert.equal(await send(`${modern}/auth/login`, good, from), [429, 0, true], path)
  }
  const from = '198.51.100.120'
  const odd = ['{"refreshToken":', '{"refreshToken":7}', '{"token":"x"}', '{}']
  const answers = []
  for (const [index, body] of odd.entries())
    answers.push(await send(`${index % 2 ? legacy : modern}/auth/refresh${index % 2 ? '' : 'Token'}`, body, from))
  assert.equal(answers, upTo3)
  // Others behind the same address aren't limited.
  assert.is((await send(`${modern}/auth/refreshToken`, '{"refreshToken":"unknown"}', from))[0], 401)
  assert.equal(await send(`${modern}/auth/login`, good, from), [401, 2, false])
  const rpc = createClient(SignInService, createConnectTransport({ baseUrl: `${modern}/rpc`, httpVersion: '1.1' }))
  const codes = []
  const headers = { 'x-forwarded-for': '198.51.100.121' }
  for (let n = 0; n < 4; n++) codes.push((await refusal(rpc.login({ email: 'none', password: 'x' }, { headers }))).code)
  assert.equal(codes, [...Array<Code>(3).fill(Code.InvalidArgument), Code.ResourceExhausted])
})

test.run()
