import { killing, portsApart } from '../../test/kit/hotel/apart.ts'
import { hotelForTest, noTrace, traces } from '../../test/kit/hotel/hotel.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'

const test = suite('kill -9 during a hotel set-up')

const { entries, settings } = await portsApart()
const world = await hotelForTest(settings)
const { asRoot, rows, wish } = world
test.after(() => world.end())

const killedAt = killing(world, entries)

/** The run of a hotel's set-up once it has ended, in any state. */
const runOf = (name: string) =>
  eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ limit: 100 })
    return data.find(
      ({ hotelName, status }) => hotelName === name && ['completed', 'undone', 'parked'].includes(status),
    )
  }, 60_000)

const steps = ['validate', 'record', 'qr-code', 'chat', 'workspace', 'storage', 'payment', 'administrator', 'event']
const doomed = steps.flatMap(step => ['intent', 'effect'].map(moment => ({ step, moment, request: wish() })))

test('a process is killed before and after the effect of each step', async () => {
  const signal = await killedAt(
    doomed.map(({ step, moment, request }) => ({
      failpoint: `create-${step}-${moment}`,
      name: request.name,
      call: hotels => hotels.createHotel(request),
    })),
  )
  assert.is(signal, 'SIGKILL')
})

for (const step of steps) {
  test(`a process killed before or after the effect of ${step} leaves a set-up that another one completes once`, async () => {
    for (const { moment, request } of doomed.filter(one => one.step === step)) {
      const { hotelId, status, error, steps: all } = await runOf(request.name)
      assert.equal([status, error, all.find(each => each.error)?.name], ['completed', undefined, undefined], moment)
      assert.ok((all.find(({ name }) => name === step)?.attempts ?? 0) > 1, `it stood at the ${moment} of the step`)
      // The invitation follows the event that the hotel is open.
      const finalCounts = await eventually(async () => {
        const traceCounts = await traces(world, hotelId, request.name, request.administrator.email)
        return traceCounts.invitations > 0 ? traceCounts : undefined
      }, 60_000)
      const expectedCounts = {
        hotel: 1,
        files: 1,
        strays: 0,
        uploads: 0,
        chat: 1,
        workspaces: 1,
        memberships: 1,
        member: 1,
        invitations: 1,
        customers: 1,
        subscriptions: 1,
        ledger: 1,
        events: 3,
      }
      const { quota: _, ...comparedCounts } = finalCounts
      assert.equal(comparedCounts, expectedCounts, moment)
      const hotel = await asRoot.hotels.getHotel({ id: hotelId })
      assert.is(hotel.subscriptionStatus, 'active')
      assert.equal(
        (await world.chatApps(request.name)).map(app => app.app_id),
        [hotel.chatAppId],
      )
      const [file] = await rows('media', 'select id from media_files where deleted_at is null and ecosystem_id = ?', [
        hotelId,
      ])
      assert.ok(hotel.qrLink?.endsWith(String(file?.['id'])))
    }
  })
}

test('a process killed while it undoes a set-up leaves the rest to another one', async () => {
  const undoing = ['payment', 'chat', 'record'].map(step => ({ step, request: wish() }))
  const signal = await killedAt(
    undoing.map(({ step, request }) => ({
      failpoint: `create-${step}-undo`,
      name: request.name,
      async call(hotels) {
        await world.sandbox.control({ provider: 'payment', mode: '500', path: '/v1/subscriptions', times: 4 })
        return hotels.createHotel(request)
      },
    })),
  )
  assert.is(signal, 'SIGKILL')
  for (const { step, request } of undoing) {
    const { hotelId, status } = await runOf(request.name)
    assert.is(status, 'undone', step)
    assert.equal(await traces(world, hotelId, request.name, request.administrator.email), noTrace, step)
  }
})

test('a process killed during a deletion leaves the remaining effects to another one', async () => {
  const steps = ['members', 'payment', 'chat', 'event']
  const hotels = await Promise.all(steps.map(async step => ({ step, hotel: await asRoot.hotels.createHotel(wish()) })))
  const signal = await killedAt(
    hotels.map(({ step, hotel: { id, name } }) => ({
      failpoint: `delete-${step}-effect`,
      name,
      call: service => service.deleteHotel({ id }),
    })),
  )
  assert.is(signal, 'SIGKILL')
  for (const { step, hotel } of hotels) {
    await eventually(async () => {
      const { data } = await asRoot.setups.listSetups({ hotelId: hotel.id })
      return data.find(({ kind, status }) => kind === 'delete' && status === 'completed')
    }, 30_000)
    const [member] = await rows('member', 'select is_active from members where id = ?', [hotel.administrator?.id])
    assert.is(member?.['is_active'], 0, step)
    assert.is((await world.chatApps(hotel.name))[0]?.is_active, false, step)
    const events = await rows('hotel', "select id from outbox where subject like '%hotel.deleted' and body like ?", [
      `%${hotel.id}%`,
    ])
    assert.is(events.length, 1, step)
  }
})

test.run()
