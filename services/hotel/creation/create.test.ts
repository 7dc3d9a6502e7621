import { hotelSuite, noTrace, traces } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, asRoot, rows, sandbox, wish } = await hotelSuite('failing hotel set-ups', {
  HOTEL_SETUP_ATTEMPTS: '4',
})

/**
 * Runs a set-up that must fail.
 * @returns the error and the run in its final state
 */
async function failSetup(request: ReturnType<typeof wish>) {
  const error = await refusal(asRoot.hotels.createHotel(request))
  const run = await eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ limit: 100 })
    return data.find(({ hotelName, status }) => hotelName === request.name && ['undone', 'parked'].includes(status))
  })
  return { error, run, remains: await traces(world, run.hotelId, request.name, request.administrator.email) }
}

/** The run of a set-up once it is undone. */
const undone = (name: string) =>
  eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ status: 'undone', limit: 100 })
    return data.find(({ hotelName }) => hotelName === name)
  })

// One entry per provider call of a step: earlier steps must be undone, later ones not started.
const calls = [
  { step: 'chat', provider: 'chat', method: 'POST', path: '/applications' },
  { step: 'payment', provider: 'payment', method: 'POST', path: '/v1/customers' },
  { step: 'payment', provider: 'payment', method: 'POST', path: '/v1/subscriptions' },
]
// outside/providers.test.ts has the other ways to fail.
const faults = [{ mode: '400' }, { mode: '500', after: true }, { mode: 'reset', after: true }]
for (const { step, ...call } of calls) {
  for (const fault of faults) {
    const title = `${fault.mode}${fault.after ? ' after the effect' : ''} of ${call.path}`
    test(`${title} is a 502, and the set-up leaves no trace`, async () => {
      const request = wish()
      // Repeatable calls get four attempts. The payment SDK itself retries a broken connection once.
      const tries = call.provider === 'chat' ? 1 : fault.mode === 'reset' ? 8 : 4
      await sandbox.control({ ...call, ...fault, times: tries, retryAfter: 0 })
      const { error, run, remains } = await failSetup(request)
      await sandbox.control({ provider: call.provider, mode: 'ok' })
      assert.equal([error.info.status, error.info.class], [502, 'ExternalServiceError'])
      assert.is(run.status, 'undone')
      assert.is(run.error, error.rawMessage)
      assert.equal(remains, noTrace)
      const reached = run.steps.filter(({ status }) => status !== 'pending').at(-1)
      assert.is(reached?.name, step)
    })
  }
}

test('a provider that does not answer within five seconds is a 502, and its late effect is found and removed', async () => {
  const request = wish()
  const doneTo = async (method: string) => {
    const { data } = (await sandbox.call('GET', '/_requests?provider=chat')).json
    return data.filter((each: { method: string }) => each.method === method).length
  }
  const removals = await doneTo('DELETE')
  // Delays the second check until the effect exists.
  await rows(
    'hotel',
    `create trigger patient before update on hotel_setups for each row
     begin if new.hotel_name = '${request.name}' and new.status = 'undoing' and new.retry_at is not null then
       set new.retry_at = now(3) + interval 1 hour; end if; end`,
  )
  await sandbox.control({ provider: 'chat', mode: 'delay', delayMs: 5_150, times: 1, method: 'POST' })
  const error = await refusal(asRoot.hotels.createHotel(request))
  assert.is(error.info.status, 502)
  // A slow first check may have removed it already.
  await eventually(async () => (await world.chatApps(request.name)).length > 0 || (await doneTo('DELETE')) > removals)
  await rows('hotel', 'drop trigger patient')
  await rows('hotel', 'update hotel_setups set retry_at = now(3) where hotel_name = ?', [request.name])
  const run = await undone(request.name)
  assert.equal(await traces(world, run.hotelId, request.name, request.administrator.email), noTrace)
})

test('a step that cannot be undone is retried, then parked, and an operator resumes it', async () => {
  const request = wish()
  await sandbox.control({ provider: 'payment', mode: '500', path: '/v1/subscriptions', times: 4 })
  await sandbox.control({ provider: 'chat', mode: '500', method: 'DELETE', times: 1000 })
  const { error, run } = await failSetup(request)
  assert.equal([error.info.status, run.status], [502, 'parked'])
  const chat = run.steps.find(({ name }) => name === 'chat')
  assert.equal([chat?.status, chat?.error], ['undoing', 'The chat provider failed'])
  assert.is((await refusal(asRoot.setups.resumeSetup({ id: '0'.repeat(24) }))).info.status, 404)

  await sandbox.control({ provider: 'chat', mode: 'ok' })
  await asRoot.setups.resumeSetup({ id: run.id })
  await eventually(async () => (await asRoot.setups.getSetup({ id: run.id })).setup?.status === 'undone')
  assert.equal(await traces(world, run.hotelId, request.name, request.administrator.email), noTrace)
  assert.is((await refusal(asRoot.setups.resumeSetup({ id: run.id }))).info.status, 409)
})

test('hotels with the same name can be set up at once, while one of them fails', async () => {
  const name = 'Les Jumeaux'
  await sandbox.control({ provider: 'chat', mode: 'reset', after: true, method: 'POST', times: 1 })
  const results = await Promise.allSettled([1, 2, 3].map(() => asRoot.hotels.createHotel(wish({ name }))))
  const appIds = results.flatMap(result => (result.status === 'fulfilled' ? [result.value.chatAppId] : []))
  const reasons = results.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : []))
  assert.is(appIds.length, 2, reasons.join('\n'))
  await eventually(async () => (await world.chatApps(name)).length === 2)
  assert.equal(new Set((await world.chatApps(name)).map(app => app.app_id)), new Set(appIds))
})

test('a process that lost its lease writes nothing more, and its caller gets the other one’s result', async () => {
  const request = wish()
  const letOtherDie = await world.overtaken(request.name, 'chat')
  const answer = asRoot.hotels.createHotel(request)
  // The other process dies once the effect of the first exists.
  await eventually(async () => (await world.chatApps(request.name)).length > 0)
  await letOtherDie()
  const hotel = await answer
  assert.equal(
    (await world.chatApps(request.name)).map(app => app.app_id),
    [hotel.chatAppId],
  )
  const { data } = await asRoot.setups.listSetups({ hotelId: hotel.id })
  assert.equal([data[0]?.status, data[0]?.steps[3]?.attempts], ['completed', 2])
})

test('a repeated Idempotency-Key returns the first answer, also during the set-up, and another request with it is refused', async () => {
  const request = wish()
  const headers = { 'idempotency-key': newId() }
  const answers = await Promise.all([1, 2, 3].map(() => asRoot.hotels.createHotel(request, { headers })))
  const [first] = answers
  assert.equal(answers, [first, first, first])
  assert.is((await world.chatApps(request.name)).length, 1)
  const hotel = await asRoot.hotels.getHotel({ id: first?.id ?? '' })
  assert.equal([first?.subscriptionStatus, first?.createdAt], ['active', hotel.createdAt])
  await asRoot.hotels.updateHotel({ id: hotel.id, name: 'Renamed', updateMask: { paths: ['name'] } })
  assert.equal(await asRoot.hotels.createHotel(request, { headers }), first)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  assert.equal(await asRoot.hotels.createHotel(request, { headers }), first)
  const other = await refusal(asRoot.hotels.createHotel(wish(), { headers }))
  assert.equal([other.info.status, other.info.class], [422, 'UnprocessableError'])
  for (const key of ['', 'é', 'two words', 'x'.repeat(256)]) {
    const bad = await refusal(asRoot.hotels.createHotel(request, { headers: { 'idempotency-key': key } }))
    assert.equal([bad.info.status, bad.info.violations[0]?.path], [400, 'Idempotency-Key'], key)
  }
})

test('a key whose set-up failed can be used again', async () => {
  const request = wish()
  const headers = { 'idempotency-key': newId() }
  await sandbox.control({ provider: 'chat', mode: '500', method: 'POST', times: 1 })
  assert.is((await refusal(asRoot.hotels.createHotel(request, { headers }))).info.status, 502)
  await eventually(async () => (await asRoot.hotels.createHotel(request, { headers }).catch(() => undefined))?.id)
})

test.run()
