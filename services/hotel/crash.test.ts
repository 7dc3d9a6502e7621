import { assert, eventually, suite } from '../kernel/testing.ts'
import { killing, portsApart } from './testing-apart.ts'
import { hotelForTest, noTrace, traces } from './testing.ts'

const test = suite('hotel set-up that is killed')

const { entries, settings } = await portsApart()
const world = await hotelForTest(settings)
const { asRoot, rows, wish } = world
test.after(() => world.end())

const killedAt = killing(world, entries)

/** The run of a hotel's set-up once it is over, however it ended. */
const runOf = (name: string) =>
  eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ limit: 100 })
    return data.find(
      ({ hotelName, status }) => hotelName === name && ['completed', 'undone', 'parked'].includes(status),
    )
  }, 60_000)

const steps = ['validate', 'record', 'qr-code', 'chat', 'workspace', 'storage', 'payment', 'administrator', 'event']
for (const step of steps) {
  test(`a process killed before or after the effect of ${step} leaves a set-up that another one completes, once`, async () => {
    // One after the other: the worker of a second process would take up the run of the first, and die on it.
    for (const moment of ['intent', 'effect']) {
      const asked = wish()
      assert.is(await killedAt(`create-${step}-${moment}`, asked.name, hotels => hotels.createHotel(asked)), 'SIGKILL')
      const { hotelId, status, error, steps: all } = await runOf(asked.name)
      assert.equal([status, error, all.find(each => each.error)?.name], ['completed', undefined, undefined], moment)
      // The invitation follows the word that the hotel stands.
      const left = await eventually(async () => {
        const seen = await traces(world, hotelId, asked.name, asked.administrator.email)
        return seen.invitations > 0 ? seen : undefined
      }, 60_000)
      const once = {
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
        events: 2,
      }
      const { quota: _, ...counted } = left
      assert.equal(counted, once, moment)
      const hotel = await asRoot.hotels.getHotel({ id: hotelId })
      assert.is(hotel.subscriptionStatus, 'active')
      assert.equal(
        (await world.chatApps(asked.name)).map(app => app.app_id),
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
  for (const step of ['payment', 'chat', 'record']) {
    const asked = wish()
    await world.sandbox.control({ provider: 'payment', mode: '500', path: '/v1/subscriptions', times: 4 })
    assert.is(await killedAt(`create-${step}-undo`, asked.name, hotels => hotels.createHotel(asked)), 'SIGKILL')
    const { hotelId, status } = await runOf(asked.name)
    assert.is(status, 'undone', step)
    assert.equal(await traces(world, hotelId, asked.name, asked.administrator.email), noTrace, step)
  }
})

test('a process killed in the middle of a deletion leaves the rest of the effects to another one', async () => {
  for (const step of ['members', 'payment', 'chat', 'event']) {
    const hotel = await asRoot.hotels.createHotel(wish())
    assert.is(
      await killedAt(`delete-${step}-effect`, hotel.name, hotels => hotels.deleteHotel({ id: hotel.id })),
      'SIGKILL',
    )
    await eventually(async () => {
      const { data } = await asRoot.setups.listSetups({ hotelId: hotel.id })
      return data.find(({ kind, status }) => kind === 'delete' && status === 'completed')
    }, 30_000)
    const [member] = await rows('member', 'select is_active from members where id = ?', [hotel.administrator?.id])
    assert.is(member?.['is_active'], 0, step)
    assert.is((await world.chatApps(hotel.name))[0]?.is_active, false, step)
    const told = await rows('hotel', "select id from outbox where subject like '%hotel.deleted' and body like ?", [
      `%${hotel.id}%`,
    ])
    assert.is(told.length, 1, step)
  }
})

test.run()
