import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { AuditService } from '../../../gen/platform/member/v1/audit_pb.ts'
import { PlanService } from '../../../gen/platform/payment/v1/plans_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { hotelSuite } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'

const { test, world, host, asRoot, rows, wish } = await hotelSuite('suspension of a hotel')

const createHotel = async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  return { ...hotel, userId: await world.signedUp(hotel) }
}
const setActive = (id: string, isActive: boolean) =>
  asRoot.hotels.updateHotel({ id, isActive, updateMask: { paths: ['is_active'] } })
const isSignInOpen = async (userId: string) => (await world.accounts.getAccountState({ userId })).isActive
const chatIsActive = async (name: string) => (await world.chatApps(name))[0]?.is_active

test('a suspended hotel is closed for its people and keeps its subscription, until it is reopened', async () => {
  const hotel = await createHotel()
  assert.is((await setActive(hotel.id, false)).isActive, false)
  assert.is(await isSignInOpen(hotel.userId), false)
  assert.is((await refusal(host.as(HotelService, hotel.userId).getHotel({ id: hotel.id }))).info.status, 401)
  assert.is(await chatIsActive(hotel.name), false)
  const suspended = await asRoot.hotels.getHotel({ id: hotel.id })
  assert.equal([suspended.isActive, suspended.subscriptionStatus], [false, 'active'])
  assert.is((await asRoot.setups.listSetups({ hotelId: hotel.id })).data[0]?.kind, 'suspend')
  // The value that it has changes nothing.
  await setActive(hotel.id, false)
  await setActive(hotel.id, true)
  assert.is(await isSignInOpen(hotel.userId), true)
  // Accounts are cached for less than a second.
  const activeHotel = await eventually(() =>
    host
      .as(HotelService, hotel.userId)
      .getHotel({ id: hotel.id })
      .catch(() => undefined),
  )
  assert.is(activeHotel.isActive, true)
  assert.is(await chatIsActive(hotel.name), true)
})

test('a suspended hotel that is deleted comes back open, and one still being closed is not opened', async () => {
  const hotel = await createHotel()
  await setActive(hotel.id, false)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).isActive, true)
  assert.is(await isSignInOpen(hotel.userId), true)
  await setActive(hotel.id, false)
  const open =
    "update hotel_setups set status = 'parked', open_key = concat('life:', hotel_id) where hotel_id = ? and kind = 'suspend'"
  await rows('hotel', `${open} order by created_at desc limit 1`, [hotel.id])
  const error = await refusal(setActive(hotel.id, true))
  assert.equal([error.info.status, error.rawMessage], [409, 'The hotel is still being closed or opened'])
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).isActive, false)
})

test('the life and the plan of a hotel are in its audit log, with who changed them', async () => {
  const hotel = await createHotel()
  const { id } = hotel
  await setActive(id, false)
  await setActive(id, true)
  const customerId = hotel.paymentCustomerId ?? ''
  const assign = (productId: string) =>
    host.as(SubscriptionService, world.rootId).assignSubscription({ customerId, productId })
  const { data: plans } = await host.as(PlanService, world.rootId).listPlans({})
  const other = plans.find(({ slug }) => slug !== 'premium')?.slug ?? ''
  await assign(other)
  await assign(other)
  await asRoot.hotels.deleteHotel({ id })
  await asRoot.hotels.restoreHotel({ id })
  const audit = host.as(AuditService, world.rootId)
  const entries = await eventually(async () => {
    const { data } = await audit.listPlatformAuditEntries({ entityId: id, entity: 'hotel' })
    return data.length === 6 ? data : undefined
  })
  const recorded = new Map(entries.map(({ action, before, after }) => [action, [before, after]]))
  assert.equal(recorded.get('hotel.created'), [undefined, { name: hotel.name, plan: 'premium' }])
  assert.equal(recorded.get('hotel.suspended'), [{ isActive: true }, { isActive: false }])
  assert.equal(recorded.get('hotel.reopened'), [{ isActive: false }, { isActive: true }])
  assert.equal(recorded.get('hotel.plan_changed'), [{ plan: 'premium' }, { plan: other }])
  assert.equal(recorded.get('hotel.deleted'), [{ name: hotel.name }, undefined])
  assert.equal(recorded.get('hotel.restored'), [undefined, { name: hotel.name }])
  for (const { action, actor, workspaceId, requestId } of entries) {
    assert.equal([actor?.type, workspaceId], ['member', hotel.workspace], action)
    assert.ok(requestId, action)
  }
})

test.run()
