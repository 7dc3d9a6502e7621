import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cipher } from '../base/secrets.ts'
import { accessTokens } from './tokens.ts'

const test = suite('access tokens')
const secret = 'access-secret-of-the-test'
const claims = {
  userId: '0123456789abcdef01234567',
  email: 'a@hotel.example',
  isAdmin: false,
  memberId: null,
  workspaceId: null,
  roles: [],
  permissions: ['view_members'],
  kind: 'modern' as const,
  sessionId: null,
}

test('a token returns its claims and times', () => {
  const tokens = accessTokens([secret], () => 1_000_000)
  const verified = tokens.verify(tokens.issue(claims, 900))
  assert.equal(verified, { ...claims, iat: 1000, exp: 1900 })
})

test('a token expires', () => {
  let now = 1_000_000
  const tokens = accessTokens([secret], () => now)
  const token = tokens.issue(claims, 900)
  now += 904_000
  assert.ok(tokens.verify(token), 'clocks of two machines differ')
  now += 2_000
  assert.is(tokens.verify(token), undefined)
  assert.equal([token, `${token}x`, 'x'].map(tokens.isExpired), [true, false, false])
})

test('a stored secret is not an access token, whatever it contains', () => {
  const forged = cipher('stored-secret', [secret]).seal(JSON.stringify({ ...claims, exp: 9e9 }))
  assert.is(accessTokens([secret]).verify(forged), undefined)
})

test('while two secrets are active, tokens of both verify, and then only those of the new one', () => {
  const old = accessTokens([secret]).issue(claims, 60)
  assert.ok(accessTokens(['the-next-secret', secret]).verify(old))
  assert.is(accessTokens(['the-next-secret']).verify(old), undefined)
})

test.run()
