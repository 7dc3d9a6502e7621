import { HotelService } from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { SubscriptionService } from '../../gen/platform/payment/v1/subscriptions_pb.ts'
import { newId } from '../kernel/ids.ts'
import { assert, eventually, refusal, suite } from '../kernel/testing.ts'
import { hotelForTest } from './testing.ts'

const test = suite('deletion of a hotel')
const world = await hotelForTest({ HOTEL_SETUP_ATTEMPTS: '6' })
const { host, asRoot, rows, sandbox, wish } = world
test.after(() => world.end())

const made = async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  return { ...hotel, userId: await world.administratorOf(hotel) }
}
const run = async (hotelId: string, kind: string) =>
  (await asRoot.setups.listSetups({ hotelId })).data.find(each => each.kind === kind)
const memberActive = async (id = '') =>
  (await rows('member', 'select is_active from members where id = ?', [id]))[0]?.['is_active']

test('its own administrator deletes it: five effects, and it is gone for everybody', async () => {
  const hotel = await made()
  const answer = await host.as(HotelService, hotel.userId).deleteHotel({ id: hotel.id })
  assert.equal([answer.id, answer.message], [hotel.id, 'Hotel deleted'])
  assert.is((await refusal(asRoot.hotels.getHotel({ id: hotel.id }))).info.status, 404)
  assert.is((await run(hotel.id, 'delete'))?.status, 'completed')
  assert.is(await memberActive(hotel.administrator?.id), 0)
  const customerId = hotel.paymentCustomerId ?? ''
  const { subscription } = await host.client(SubscriptionService).getSubscription({ customerId })
  assert.is(subscription?.status, 'inactive')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, false)
  const { body } = await world.told('platform.notification.hotel.deleted', hotel.id)
  assert.equal(body.payload, { id: hotel.id, hotelId: hotel.id, name: hotel.name })
  assert.equal((body['metadata'] as { receiverIds: string[] }).receiverIds, [hotel.administrator?.id])
  assert.is((await refusal(asRoot.hotels.deleteHotel({ id: hotel.id }))).info.status, 404)
})

test('accounts of people who belong nowhere else are switched off, and on again with the hotel', async () => {
  const created = await asRoot.hotels.createHotel(wish())
  const hotel = { ...created, userId: await world.signedUp(created) }
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

test('what fails outside does not keep the hotel alive and is tried until it is done', async () => {
  const hotel = await made()
  await sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 3 })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  assert.is((await refusal(asRoot.hotels.getHotel({ id: hotel.id }))).info.status, 404)
  await eventually(async () => (await run(hotel.id, 'delete'))?.status === 'completed')
  assert.is((await world.chatApps(hotel.name))[0]?.is_active, false)
})

test('a deletion that keeps failing is parked and goes on when an operator resumes it', async () => {
  const hotel = await made()
  await sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 1000 })
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  const parked = await eventually(async () => {
    const found = await run(hotel.id, 'delete')
    return found?.status === 'parked' ? found : undefined
  })
  assert.is(parked.error, 'The chat provider failed')
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))).info.status, 409)
  await sandbox.control({ provider: 'chat', mode: 'ok' })
  await asRoot.setups.resumeSetup({ id: parked.id })
  await eventually(async () => (await run(hotel.id, 'delete'))?.status === 'completed')
  await world.told('platform.notification.hotel.deleted', hotel.id)
})

test('a stranger neither deletes nor restores, and only a deleted hotel within its grace time comes back', async () => {
  const [hotel, other] = [await made(), await made()]
  assert.is((await refusal(host.as(HotelService, other.userId).deleteHotel({ id: hotel.id }))).info.status, 403)
  assert.is((await refusal(host.as(HotelService, other.userId).restoreHotel({ id: hotel.id }))).info.status, 403)
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))).info.status, 409)
  assert.is((await refusal(asRoot.hotels.restoreHotel({ id: newId() }))).info.status, 404)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await rows('hotel', 'update hotels set deleted_at = date_sub(deleted_at, interval 31 day) where id = ?', [hotel.id])
  const late = await refusal(asRoot.hotels.restoreHotel({ id: hotel.id }))
  assert.equal([late.info.status, late.rawMessage], [409, 'The grace time of the hotel is over'])
})

test.run()
