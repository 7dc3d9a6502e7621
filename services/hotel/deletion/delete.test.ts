import sharp from 'sharp'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { CustomerService } from '../../../gen/platform/payment/v1/customers_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { hotelForTest, traces } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('deletion of a hotel')
// Files are in a bucket here, and in a folder in end.test.ts, where the process is killed.
const world = await hotelForTest({ HOTEL_SETUP_ATTEMPTS: '6' }, 'bucket')
const { host, asRoot, rows, sandbox, wish } = world
test.after(() => world.end())

const createHotel = async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  return { ...hotel, userId: await world.administratorOf(hotel) }
}
const run = async (hotelId: string, kind: string) =>
  (await asRoot.setups.listSetups({ hotelId })).data.find(each => each.kind === kind)
/** Waits until the hotel's last run of this kind is completed. */
const through = (hotelId: string, kind: string) =>
  eventually(async () => (await run(hotelId, kind))?.status === 'completed')
const memberActive = async (id = '') =>
  (await rows('member', 'select is_active from members where id = ?', [id]))[0]?.['is_active']

test('its own administrator deletes it with five effects, and it is gone for all callers', async () => {
  const hotel = await createHotel()
  const answer = await host.as(HotelService, hotel.userId).deleteHotel({ id: hotel.id })
  assert.equal([answer.id, answer.message], [hotel.id, 'Hotel deleted'])
  assert.is((await refusal(asRoot.hotels.getHotel({ id: hotel.id }))).info.status, 404)
  assert.is((await run(hotel.id, 'delete'))?.status, 'completed')
  assert.is(await memberActive(hotel.administrator?.id), 0)
  const customerId = hotel.paymentCustomerId ?? ''
  const { subscription } = await host.client(SubscriptionService).getSubscription({ customerId })
  assert.is(subscription?.status, 'inactive')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, false)
  const { body } = await world.waitForEvent('platform.notification.hotel.deleted', hotel.id)
  assert.equal(body.payload, { id: hotel.id, hotelId: hotel.id, name: hotel.name })
  assert.equal((body['metadata'] as { receiverIds: string[] }).receiverIds, [hotel.administrator?.id])
  assert.is((await refusal(asRoot.hotels.deleteHotel({ id: hotel.id }))).info.status, 404)
})

test('deletion and restoration announce the subscription status once each', async () => {
  const hotel = await createHotel()
  const statuses = () =>
    world.events
      .filter(({ subject, body }) => subject.endsWith('subscription_status') && body.payload['id'] === hotel.id)
      .map(({ body }) => body.payload['status'])
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await through(hotel.id, 'delete')
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  await through(hotel.id, 'restore')
  // The payment service publishes this after everything about the first hotel.
  const other = await createHotel()
  await host.client(SubscriptionService).cancelSubscription({ customerId: other.paymentCustomerId ?? '' })
  await world.waitForEvent('platform.hotel.subscription_status', other.id)
  assert.equal(statuses(), ['inactive', 'active'])
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus, 'active')
})

test('its people stay signed in until the room received the end of the subscription', async () => {
  const hotel = await createHotel()
  // Hides that the event is published, so that the deletion waits for its maximum of 3 s.
  const unknown = "if(new.subject = 'platform.hotel.subscription_status', null, new.published_at)"
  await rows('hotel', `create trigger unsaid before update on outbox for each row set new.published_at = ${unknown}`)
  const began = Date.now()
  let deletion: Promise<unknown> = Promise.resolve()
  try {
    deletion = asRoot.hotels.deleteHotel({ id: hotel.id })
    await eventually(() => run(hotel.id, 'delete'))
    for (let active = 1; Date.now() - began < 2_000; active = Number(await memberActive(hotel.administrator?.id)))
      assert.is(active, 1)
  } finally {
    await rows('hotel', 'drop trigger unsaid')
    await deletion
  }
  assert.is(await memberActive(hotel.administrator?.id), 0)
})

test('accounts of people without another hotel are deactivated, and reactivated with the hotel', async () => {
  const newHotel = await asRoot.hotels.createHotel(wish())
  const hotel = { ...newHotel, userId: await world.signedUp(newHotel) }
  assert.is((await world.accounts.getAccountState({ userId: hotel.userId })).isActive, true)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  assert.is((await world.accounts.getAccountState({ userId: hotel.userId })).isActive, false)
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  assert.is((await world.accounts.getAccountState({ userId: hotel.userId })).isActive, true)
  assert.is(await memberActive(hotel.administrator?.id), 1)
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus, 'active')
  assert.is((await run(hotel.id, 'restore'))?.status, 'completed')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, true)
})

test('of two deleted hotels, the first one restored reactivates the accounts that they share', async () => {
  const [first, second] = [await asRoot.hotels.createHotel(wish()), await asRoot.hotels.createHotel(wish())]
  const userId = await world.signedUp(first)
  const email = first.administrator?.email ?? ''
  const hotelMembers = host.client(HotelMemberService)
  await hotelMembers.addHotelMember({ hotelId: second.id, email, firstName: 'Ada', lastName: 'Chef' })
  // Both have accepted.
  await rows('member', "update ecosystem_memberships set status = 'active' where ecosystem_id = ?", [second.id])
  // As many members before them as one response holds, so that they are in the next.
  const memberIds = Array.from({ length: 1_000 }, () => newId(1))
  const people = memberIds.map(id => [id, newId(), 'Some', 'Body', `${id}@hotel.example`])
  await rows('member', 'insert into members (id, user_id, first_name, last_name, email) values ?', [people])
  const joined = memberIds.map(id => [id, first.id, '[]'])
  await rows('member', 'insert into ecosystem_memberships (member_id, ecosystem_id, permissions) values ?', [joined])
  const isOn = async () => (await world.accounts.getAccountState({ userId })).isActive
  await asRoot.hotels.deleteHotel({ id: first.id })
  await through(first.id, 'delete')
  assert.is(await isOn(), true)
  const { body } = await world.waitForEvent('platform.notification.hotel.deleted', first.id)
  const { receiverIds } = body['metadata'] as { receiverIds: string[] }
  assert.equal(receiverIds, [...memberIds.toSorted(), first.administrator?.id])
  await asRoot.hotels.deleteHotel({ id: second.id })
  await through(second.id, 'delete')
  assert.is(await isOn(), false)
  await asRoot.hotels.restoreHotel({ id: first.id })
  await through(first.id, 'restore')
  assert.equal([await isOn(), await memberActive(first.administrator?.id)], [true, 1])
})

test('a restored hotel continues its trial, and is inactive when its card is declined', async () => {
  const hotel = await createHotel()
  const readHotel = () => asRoot.hotels.getHotel({ id: hotel.id })
  const deleteAndRestore = async (meanwhile?: () => Promise<unknown>) => {
    await asRoot.hotels.deleteHotel({ id: hotel.id })
    await through(hotel.id, 'delete')
    await meanwhile?.()
    await asRoot.hotels.restoreHotel({ id: hotel.id })
    await through(hotel.id, 'restore')
    return readHotel()
  }
  const restoredHotel = await deleteAndRestore()
  assert.equal([restoredHotel.subscriptionStatus, restoredHotel.trialEndsAt], ['active', hotel.trialEndsAt])
  const unpaid = await deleteAndRestore(() =>
    sandbox.call('POST', `/v1/customers/${hotel.paymentCustomerId}`, 'email=declined-card@hotel.example', {
      authorization: 'Bearer sk_test_x',
      'content-type': 'application/x-www-form-urlencoded',
    }),
  )
  assert.is(unpaid.subscriptionStatus, 'inactive')
})

test('a hotel whose payment customer was removed is deleted, and restored as inactive', async () => {
  const hotel = await createHotel()
  await host.client(CustomerService).deleteCustomer({ customerId: hotel.paymentCustomerId ?? '' })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await through(hotel.id, 'delete')
  await world.waitForEvent('platform.notification.hotel.deleted', hotel.id)
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  await through(hotel.id, 'restore')
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus, 'inactive')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, true)
})

test('a hotel whose plan is no longer offered is restored as inactive', async () => {
  const hotel = await createHotel()
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await through(hotel.id, 'delete')
  await rows('hotel', "update hotels set plan = 'retired' where id = ?", [hotel.id])
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  await through(hotel.id, 'restore')
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus, 'inactive')
})

test('a failing provider does not stop the deletion, and is retried until it succeeds', async () => {
  const hotel = await createHotel()
  await sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 3 })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  assert.is((await refusal(asRoot.hotels.getHotel({ id: hotel.id }))).info.status, 404)
  await eventually(async () => (await run(hotel.id, 'delete'))?.status === 'completed')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, false)
})

test('a deletion that keeps failing is parked, continues when an operator resumes it, and is announced to all members', async () => {
  const hotel = await createHotel()
  await sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 1000 })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  const parked = await eventually(async () => {
    const deletion = await run(hotel.id, 'delete')
    return deletion?.status === 'parked' ? deletion : undefined
  })
  assert.is(parked.error, 'The chat provider failed')
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))).info.status, 409)
  await sandbox.control({ provider: 'chat', mode: 'ok' })
  // Simulates more members than one message holds.
  const memberIds = Array.from({ length: 40_001 }, () => newId())
  const list = "update hotel_setup_steps set result = ? where name = 'member-list' and setup_id = ?"
  await rows('hotel', list, [JSON.stringify({ memberIds }), parked.id])
  await asRoot.setups.resumeSetup({ id: parked.id })
  await eventually(async () => (await run(hotel.id, 'delete'))?.status === 'completed')
  const messages = () =>
    world.events.filter(
      ({ subject, body }) => subject === 'platform.notification.hotel.deleted' && body.payload['id'] === hotel.id,
    )
  await eventually(() => messages().length >= 3)
  const metadata = messages().map(({ body }) => body['metadata'] as { receiverIds: string[]; occurrenceId: string })
  assert.equal(
    metadata.map(({ receiverIds }) => receiverIds.length),
    [20_000, 20_000, 1],
  )
  assert.equal(
    metadata.flatMap(({ receiverIds }) => receiverIds),
    memberIds,
  )
  assert.is(new Set(metadata.map(({ occurrenceId }) => occurrenceId)).size, 1)
})

test('only a hotel deleted within the grace period is restored', async () => {
  const hotel = await createHotel()
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))).info.status, 409)
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: newId() }))).info.status, 404)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await world.deletedEarlier(hotel.id, 31)
  const error = await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))
  assert.equal([error.info.status, error.rawMessage], [409, 'The grace period of the hotel has ended'])
})

/** A hotel with a picture and its thumbnail. */
async function furnished() {
  const hotel = await createHotel()
  const media = host.client(MediaService)
  const size = { width: 400, height: 300, channels: 3, background: '#336699' } as const
  const value = await sharp({ create: size }).png().toBuffer()
  const head = {
    folder: 'rooms',
    ecosystemId: hotel.id,
    fileName: 'room.png',
    contentType: 'image/png',
    size: value.length,
  }
  const { file } = await media.uploadMedia(
    (async function* () {
      yield { part: { case: 'head' as const, value: head } }
      yield { part: { case: 'chunk' as const, value } }
    })(),
  )
  let chunkCount = 0
  for await (const { chunk } of media.downloadMedia({ id: file?.id ?? '', variant: 'small' })) if (chunk) chunkCount++
  assert.ok(chunkCount > 0)
  const quota = await eventually(async () => (await storageOf(hotel.id))?.['max_bytes'])
  assert.is(Number(quota), 20_000 * 1_000_000)
  return hotel
}
const storageOf = async (id: string) =>
  (await rows('media', 'select max_bytes, used_bytes from media_storage where ecosystem_id = ?', [id]))[0]
const ends = (hotelId: string) =>
  rows('hotel', "select status from hotel_setups where kind = 'end' and hotel_id = ?", [hotelId])

test('after the grace period a deleted hotel frees files, thumbnails, quota and chat application, once', async () => {
  const [hotel, keptHotel] = [await furnished(), await furnished()]
  const before = await traces(world, hotel.id, hotel.name, '')
  assert.is(before.files, 2, 'code and picture')
  const ids = (await rows('media', 'select id from media_files where ecosystem_id = ?', [hotel.id])).map(
    row => row['id'],
  )
  const itsBytes = async () => (await world.stored()).filter(name => ids.includes(name.slice(0, 24))).length
  assert.is(await itsBytes(), 3, 'and its thumbnail')
  for (const { id } of [hotel, keptHotel]) await asRoot.hotels.deleteHotel({ id })
  await world.deletedEarlier(keptHotel.id, 29)
  await world.deletedEarlier(hotel.id, 31)
  await eventually(async () => (await run(hotel.id, 'end'))?.status === 'completed')
  const { files, strays, uploads, chat, quota } = await traces(world, hotel.id, hotel.name, '')
  assert.equal({ files, strays, uploads, chat, quota }, { files: 0, strays: 0, uploads: 0, chat: 0, quota: 0 })
  assert.is(await itsBytes(), 0)
  assert.is(await storageOf(hotel.id), undefined)
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))).info.status, 409)
  assert.equal((await ends(hotel.id)).length, 1)

  // A day before its end, the other hotel keeps everything.
  assert.equal((await ends(keptHotel.id)).length, 0)
  await asRoot.hotels.restoreHotel({ id: keptHotel.id })
  const restoredTraces = await traces(world, keptHotel.id, keptHotel.name, '')
  assert.equal([restoredTraces.files, restoredTraces.strays, restoredTraces.chat, restoredTraces.quota], [2, 0, 1, 1])
})

test('a parked deletion is not overtaken by the final removal of the hotel', async () => {
  const [hotel, other] = [await createHotel(), await createHotel()]
  await asRoot.hotels.deleteHotel({ id: other.id })
  await eventually(async () => (await run(other.id, 'delete'))?.status === 'completed')
  await sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 1000 })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await eventually(async () => (await run(hotel.id, 'delete'))?.status === 'parked')
  await world.deletedEarlier(hotel.id, 40)
  await world.deletedEarlier(other.id, 31)
  // The hotel that was due later has started to end, so this one was skipped.
  await eventually(async () => (await ends(other.id)).length === 1)
  assert.equal((await ends(hotel.id)).length, 0)
  await sandbox.control({ provider: 'chat', mode: 'ok' })
})

test.run()
