import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { AccountService, GetAccountStateResponseSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { NotFoundError, ServiceUnavailableError, toRpcError } from '../base/errors.ts'
import { accountsFrom } from './accounts.ts'
import type { AccessClaims } from './tokens.ts'

const test = suite('cached account states')

const now = Date.parse('2026-03-01T09:00:00.500Z')
/** The cache's clock stands still unless a test advances it. */
let time = 1_000_000
const { now: wall } = performance
test.before(() => void (performance.now = () => time))
test.after(() => void (performance.now = wall))
async function pass(ms: number): Promise<void> {
  time += ms
  // The cache reuses a time it has read for a millisecond.
  await new Promise(resolve => setTimeout(resolve, 10))
}
const claims: AccessClaims = {
  userId: 'a'.repeat(24),
  email: 'ana@hotel.example',
  isAdmin: false,
  memberId: null,
  workspaceId: null,
  roles: [],
  permissions: [],
  kind: 'modern',
  sessionId: 'b'.repeat(24),
  iat: Math.floor(now / 1000) - 60,
  exp: Math.floor(now / 1000) + 840,
}

type Answer = { isActive: boolean; sessionActive: boolean; tokensValidFrom?: Date }

// Stands in for the authentication service, which is tested with its own database.
function world(strangers = false) {
  const state: { answer: Answer | Error; asked: number } = { answer: { isActive: true, sessionActive: true }, asked: 0 }
  const client = {
    async getAccountState() {
      state.asked++
      const { answer } = state
      if (answer instanceof Error) throw answer
      const { tokensValidFrom: from, ...rest } = answer
      return create(GetAccountStateResponseSchema, from ? { ...rest, tokensValidFrom: timestampFromDate(from) } : rest)
    },
  } as unknown as Client<typeof AccountService>
  return { state, accounts: accountsFrom(() => client, { strangers, now: () => now }) }
}

const outcome = async (stands: () => Promise<boolean>): Promise<boolean | number> => {
  try {
    return await stands()
  } catch (error) {
    return toRpcError(error).info.status
  }
}

test('a state is fetched once, until it is dropped', async () => {
  const { state, accounts } = world()
  assert.equal(await Promise.all([accounts.isValid(claims), accounts.isValid(claims)]), [true, true])
  assert.is(await accounts.isValid(claims), true)
  assert.is(state.asked, 1)
  accounts.evict('c'.repeat(24))
  await accounts.isValid(claims)
  assert.is(state.asked, 1)
  accounts.evict(claims.userId)
  await accounts.isValid(claims)
  assert.is(state.asked, 2)
  accounts.evict()
  await accounts.isValid(claims)
  assert.is(state.asked, 3)
})

test('a state is fetched again within a second, in case its event is lost', async () => {
  const { state, accounts } = world()
  assert.is(await accounts.isValid(claims), true)
  state.answer = { isActive: true, sessionActive: false }
  await pass(950)
  assert.is(await accounts.isValid(claims), false)
})

test('a state dropped while it is fetched is not kept', async () => {
  const { state, accounts } = world()
  const fetching = accounts.isValid(claims)
  accounts.evict(claims.userId)
  state.answer = { isActive: true, sessionActive: false }
  assert.is(await fetching, true)
  assert.equal([await accounts.isValid(claims), state.asked], [false, 2])
})

test('a token is invalid once its account is deactivated, its session ended or revoked after it was issued', async () => {
  const second = new Date(claims.iat * 1000)
  const cases: [Answer, boolean][] = [
    [{ isActive: false, sessionActive: true }, false],
    [{ isActive: true, sessionActive: false }, false],
    [{ isActive: true, sessionActive: true, tokensValidFrom: new Date(second.getTime() + 1000) }, false],
    [{ isActive: true, sessionActive: true, tokensValidFrom: new Date(second.getTime() + 999) }, true],
    [{ isActive: true, sessionActive: true, tokensValidFrom: second }, true],
  ]
  for (const [answer, expected] of cases) {
    const { state, accounts } = world()
    state.answer = answer
    assert.is(await accounts.isValid(claims), expected, JSON.stringify(answer))
  }
})

test('a stranger is refused, except by test hosts that allow it', async () => {
  for (const strangers of [false, true]) {
    const { state, accounts } = world(strangers)
    state.answer = new NotFoundError()
    assert.is(await accounts.isValid(claims), strangers)
  }
})

test('without an answer a modern token is valid for its first 15 minutes, and any other is a 503', async () => {
  const { state, accounts } = world()
  state.answer = new ServiceUnavailableError()
  assert.is(await outcome(() => accounts.isValid(claims)), true)
  for (const change of [{ iat: claims.iat - 900 }, { kind: 'legacy' as const }, { kind: 'administrator' as const }])
    assert.is(await outcome(() => accounts.isValid({ ...claims, ...change })), 503, JSON.stringify(change))
})

test.run()
