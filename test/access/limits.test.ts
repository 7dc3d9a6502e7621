import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AddressLimit } from '../../gen/platform/options/v1/options_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { limitOf } from '../../services/kernel/rpc/limits/limit-option.ts'
import { service as media } from '../../services/media/service.ts'
import { service as member } from '../../services/member/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import type { ValueChoice } from '../kit/requests/minimal-body.ts'
import { type Endpoint, endpoints, isPublic, planRequest } from '../kit/requests/requests.ts'

/*
 * The rate limit of every public route, generated from the descriptors, so that new routes are covered automatically.
 */
const test = suite('limits of every public route')
const defaultLimit = 4
const open = (await endpoints()).filter(isPublic)
const { urls, end } = await startTestEdge([auth, member, notification, media], {
  ANONYMOUS_LIMIT: String(defaultLimit),
  SIGN_IN_LIMIT: String(defaultLimit),
  SIGN_IN_SUBJECT_LIMIT: String(defaultLimit),
  TRUST_PROXY_HOPS: '1',
  EMAIL_API_KEY: '',
})
test.after(end)

let addresses = 0
/** A client address that no other call uses. */
const nextAddress = () => `2001:db8:${(addresses++).toString(16)}::1`

/** Calls an endpoint with text values derived from `name`. */
async function call(endpoint: Endpoint, name: string, from: string): Promise<Response> {
  const chooseValue: ValueChoice = field => {
    if (/e?mail$/.test(field.name)) return `${name}@hotel.example`
    return /token$|^key$/.test(field.name) ? `token-${name}` : undefined
  }
  const { path, body } = planRequest(
    endpoint,
    chooseValue,
    endpoint.route.path.endsWith('/auth/logout') ? { refreshToken: name } : {},
  )
  return fetch(urls[endpoint.service] + path, {
    method: endpoint.route.verb,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

test('one call beyond the limit of an address is a 429 with Retry-After, whatever the calls name', async () => {
  const limitedEndpoints = open.filter(({ route }) => (limitOf(route.method)?.address ?? 0) > AddressLimit.NONE)
  assert.ok(limitedEndpoints.length > 15, `${limitedEndpoints.length} routes`)
  for (const endpoint of limitedEndpoints) {
    const from = nextAddress()
    for (let n = 0; n < defaultLimit; n++)
      assert.is.not((await call(endpoint, `one${n}`, from)).status, 429, `${endpoint.title}: call ${n + 1}`)
    const refusal = await call(endpoint, 'last', from)
    assert.is(refusal.status, 429, endpoint.title)
    assert.ok(Number(refusal.headers.get('retry-after')) > 0, endpoint.title)
    assert.is.not((await call(endpoint, 'other', nextAddress())).status, 429, endpoint.title)
  }
})

test('one call beyond the limit of a subject is a 429, from any addresses', async () => {
  const limitedEndpoints = open.filter(({ route }) => limitOf(route.method)?.subject)
  assert.ok(limitedEndpoints.length > 10, `${limitedEndpoints.length} routes`)
  for (const endpoint of limitedEndpoints) {
    const { perHour = 0, policy = '' } = limitOf(endpoint.route.method) ?? {}
    const limit = perHour || defaultLimit
    // Methods of one policy share its count.
    const name = endpoint.route.method.name.toLowerCase()
    for (let n = 0; n < limit; n++)
      assert.is.not((await call(endpoint, name, nextAddress())).status, 429, `${endpoint.title}: call ${n + 1}`)
    const refusal = await call(endpoint, name, nextAddress())
    assert.is(refusal.status, 429, endpoint.title)
    assert.match(refusal.headers.get('ratelimit-policy') ?? '', `"${policy}";q=${limit}`)
    assert.is.not((await call(endpoint, `${name}x`, nextAddress())).status, 429, endpoint.title)
  }
})

test('methods exempt from a limit by address have none', async () => {
  const uncounted = open.filter(({ route }) => limitOf(route.method)?.address === AddressLimit.NONE)
  assert.ok(uncounted.length > 0)
  for (const endpoint of uncounted)
    for (let n = 0; n < 3 * defaultLimit; n++)
      assert.is.not((await call(endpoint, 'one', '192.0.2.1')).status, 429, endpoint.title)
})

test.run()
