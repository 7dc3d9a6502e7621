import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('many simultaneous sign-ins')

const { urls, end } = await startTestEdge([auth], { SIGN_IN_LIMIT: '100000' })
test.after(() => end())

const post = (path: string, body: object, base = urls.auth) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const stranger = () => ({ email: `${newId()}@hotel.example`, password: 'correct horse 7' })

test('sign-ins beyond the queue are a 503 with Retry-After, and all other calls are answered', async () => {
  // On a machine that stalls the clients but not the hashes, few sign-ins overlap; then a larger crowd is sent.
  for (let crowd = 150; !(await isTooLarge(crowd)); crowd += 150) assert.ok(crowd < 1500, `${crowd} were no crowd`)
  assert.is((await post('/auth/login', stranger())).status, 401)
})

/**
 * Whether some of the concurrent sign-ins are refused, no more than must be, and a cheap route is answered before all.
 */
async function isTooLarge(crowd: number): Promise<boolean> {
  const signIns = Array.from({ length: crowd }, () => post('/auth/login', stranger()))
  let answerCount = 0
  for (const signIn of signIns) void signIn.then(() => answerCount++)
  const cheap = await fetch(`${urls.auth}/users/me`)
  const countBefore = answerCount
  assert.is(cheap.status, 401)
  const answers = await Promise.all(signIns)
  const bodies = (await Promise.all(answers.map(answer => answer.json()))) as Record<string, unknown>[]
  const refusals = answers.filter(({ status }) => status === 503)
  assert.is(answers.filter(({ status }) => status === 401).length, crowd - refusals.length)
  for (const [index, answer] of answers.entries()) {
    if (answer.status !== 503) continue
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.is(bodies[index]?.['error'], 'ServiceUnavailableError')
  }
  // 64 may wait and at least two threads work; a stalled machine may also refuse some for lack of connections.
  return refusals.length > 0 && refusals.length <= crowd - 66 && countBefore < crowd
}

test.run()
