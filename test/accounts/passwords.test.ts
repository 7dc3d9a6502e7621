import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { readConfig } from '../../services/auth/config.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { startTestEdge, type TestEdge } from '../kit/edge.ts'
import { assert, refusal, suite } from '../kit/kit.ts'

const test = suite('new passwords')
const common = ['password123', 'Test1234', 'Motdepasse', 'azertyuiop', 'aaaaaaaaaa']

/** Registers somebody with this password on each surface. @returns the statuses and the errors */
async function register({ urls, host }: TestEdge, password: string) {
  const post = async (path: string) => {
    const body = JSON.stringify({ email: `${newId()}@hotel.example`, password })
    const answer = await fetch(urls.auth + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const rest = await post('/auth/register')
  const overRpc = await post(`/rpc/${SignInService.typeName}/Register`)
  const direct = host.as(SignInService).register({ email: `${newId()}@hotel.example`, password })
  const port = rest.status < 400 ? await direct.then(() => 201) : (await refusal(direct)).info.status
  return { statuses: [rest.status, overRpc.status, port], error: rest.body['error'] }
}

test('by default a password needs 8 characters and at most 72 bytes, whatever they are', async () => {
  const edge = await startTestEdge([auth])
  try {
    for (const [password, statuses] of [
      ...common.map(one => [one, [201, 200, 201]] as const),
      ['7 chars', [400, 400, 400]],
      ['8 chars!', [201, 200, 201]],
      [`${'é'.repeat(30)}abcdefghijkl`, [201, 200, 201]],
      [`${'é'.repeat(30)}abcdefghijklm`, [400, 400, 400]],
    ] as const)
      assert.equal((await register(edge, password)).statuses, statuses, password)
  } finally {
    await edge.end()
  }
})

test('with the blocklist a common password is refused with the name of its field', async () => {
  const edge = await startTestEdge([auth], { PASSWORD_BLOCKLIST: 'true' })
  try {
    for (const password of common) {
      const { statuses, error } = await register(edge, password)
      assert.equal(statuses, [400, 400, 400], password)
      assert.equal(error, [{ path: 'password', message: 'is too common', rule: 'password.common' }])
    }
  } finally {
    await edge.end()
  }
})

test('the blocklist is on in production alone unless it is set, also for the password of the first administrator', () => {
  const longSecret = 'k3yXb9-Zq2vLw7Rt5Nf8Hs1Jd4Gm6Pc0'
  const env = {
    DATABASE_URL: 'mysql://user:pass@127.0.0.1:1/none',
    JWT_REFRESH_SECRET: longSecret,
    PASSWORD_ENCRYPTION_KEY: longSecret,
    BOOTSTRAP_ADMIN_PASSWORD: 'Test1234',
  }
  for (const [NODE_ENV, PASSWORD_BLOCKLIST, isOn] of [
    [undefined, undefined, false],
    ['development', undefined, false],
    ['test', undefined, false],
    ['staging', undefined, true],
    ['production', undefined, true],
    ['production', 'false', false],
    ['test', 'true', true],
  ] as const) {
    const read = () => readConfig({ ...env, NODE_ENV, PASSWORD_BLOCKLIST })
    if (isOn) assert.throws(read, /BOOTSTRAP_ADMIN_PASSWORD: is too short, too long or too common/, NODE_ENV)
    else assert.is(read().hasBlocklist, false, NODE_ENV)
  }
  assert.throws(() => readConfig({ ...env, PASSWORD_BLOCKLIST: 'yes' }), /PASSWORD_BLOCKLIST: /)
  assert.throws(() => readConfig({ ...env, BOOTSTRAP_ADMIN_PASSWORD: '7 chars' }), /too short/)
})

test.run()
