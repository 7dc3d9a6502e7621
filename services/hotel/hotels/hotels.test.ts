import { toBuffer } from 'qrcode'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { hotelSuite } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, asRoot, rows, wish } = await hotelSuite('hotels')

const createHotel = async (fields: object = {}) => {
  const hotel = await asRoot.hotels.createHotel(wish(fields))
  return { ...hotel, userId: await world.administratorOf(hotel) }
}
const qrCode = (id: string, name: string, url: string): Promise<Buffer> =>
  toBuffer(JSON.stringify({ id, name, url }), { type: 'png', width: 512, margin: 2 })
const asUser = (userId: string) => host.as(HotelService, userId)

test('a new hotel has everything: image, chat application, workspace, quota, subscription, administrator, events', async () => {
  const { type } = await asRoot.types.createType({ name: 'hotel', icon: '🏨' })
  const { setting } = await asRoot.settings.createSetting({ timezone: 'Europe/Lisbon', currency: 'EUR' })
  const { group } = await asRoot.groups.createGroup({ name: 'Groupe' })
  const ids = { groupId: group?.id ?? '', typeId: type?.id ?? '', settingId: setting?.id ?? '' }
  const request = wish({ ...ids, city: 'Marseille', website: 'https://phare.example', email: 'pay@phare.example' })
  const hotel = await asRoot.hotels.createHotel(request)
  assert.is(hotel.subscriptionStatus, 'active')
  assert.equal([hotel.settings?.id, hotel.settings?.timezone], [setting?.id, 'Europe/Lisbon'])
  assert.equal([hotel.type?.id, hotel.type?.name], [type?.id, 'hotel'])
  assert.is(hotel.administrator?.email, request.administrator.email)
  const trialDays = (Number(hotel.trialEndsAt?.seconds) - Date.now() / 1000) / 86_400
  assert.ok(trialDays > 13.9 && trialDays < 14.1, `${trialDays}`)

  const parts: Uint8Array[] = []
  const id = hotel.qrLink?.split('/').at(-1) ?? ''
  for await (const { chunk } of host.as(MediaService).downloadMedia({ id })) if (chunk) parts.push(chunk.data)
  assert.ok(Buffer.concat(parts).equals(await qrCode(hotel.id, request.name, 'https://phare.example')))
  const { data } = await host.client(MediaService).listMedia({ ecosystemId: hotel.id, folder: 'qr-codes' })
  assert.equal(
    data.map(file => file.id),
    [id],
  )

  assert.equal(
    (await world.chatApps(request.name)).map(app => app.app_id),
    [hotel.chatAppId],
  )
  const [row] = await rows('hotel', 'select chat_api_token from hotels where id = ?', [hotel.id])
  assert.match(String(row?.['chat_api_token']), /^[\w-]+\.[\w-]{16}\.[\w-]{22}$/)
  const [customer] = await world.customers(request.name)
  assert.equal([customer?.id, customer?.email], [hotel.paymentCustomerId, 'pay@phare.example'])
  assert.equal(customer?.metadata, { hotelId: hotel.id })

  const event = await world.waitForEvent('platform.notification.hotel.created', hotel.id)
  const admin = hotel.administrator?.id
  assert.equal(event.body.payload, { id: hotel.id, hotelId: hotel.id, name: request.name, adminId: admin })
  assert.equal(event.body['workspaceId'], hotel.workspace)
  const storage = await world.waitForEvent('platform.storage.media', hotel.id)
  assert.equal(storage.body as object, { ecosystemId: hotel.id, payload: { max_size: 20000, unit: 'MO' } })
  await eventually(async () => {
    const usage = await host.client(MediaService).getMediaUsage({ ecosystemId: hotel.id })
    return usage.maxSize === 20_000
  })

  const loadedHotel = await asRoot.hotels.getHotel({ id: hotel.id })
  assert.equal(
    [loadedHotel.group?.name, loadedHotel.type?.icon, loadedHotel.settings?.currency],
    ['Groupe', '🏨', 'EUR'],
  )
  assert.equal(
    [loadedHotel.city, loadedHotel.website, loadedHotel.isActive],
    ['Marseille', 'https://phare.example', true],
  )
})

test('the longest name and website of a hotel still make a QR code, with its page on the platform', async () => {
  const name = '😀'.repeat(255)
  const hotel = await asRoot.hotels.createHotel(wish({ name, website: `https://${'é'.repeat(2040)}` }))
  const expected = await qrCode(hotel.id, name, `https://front.example/hotels/${hotel.id}`)
  const { data } = await host.client(MediaService).listMedia({ ecosystemId: hotel.id, folder: 'qr-codes' })
  assert.is(data[0]?.size, expected.length)
})

test('an unknown group, type, profile or plan is refused, and nothing is created', async () => {
  const before = (await rows('hotel', 'select count(*) as n from hotel_setups'))[0]?.['n']
  const cases = [
    [{ groupId: newId() }, 404, 'Group not found'],
    [{ typeId: newId() }, 404, 'Type not found'],
    [{ settingId: newId() }, 404, 'Setting not found'],
    [{ subscription: { plan: 'golden' } }, 400, 'subscription.plan: is not an available plan'],
    // The payment service also gives slugs in these forms.
    [{ subscription: { plan: 'prod_Summer' } }, 400, 'subscription.plan: is not an available plan'],
    [{ subscription: { plan: 'Summer 2026' } }, 400, 'subscription.plan: is not an available plan'],
    [{ subscription: { plan: 'été' } }, 400, undefined],
    [{ subscription: { plan: '' } }, 400, undefined],
    [{ website: 'javascript:alert(1)' }, 400, undefined],
    [{ administrator: { email: 'nobody', firstName: 'A', lastName: 'B' } }, 400, undefined],
  ] as const
  for (const [fields, status, message] of cases) {
    const error = await refusal(asRoot.hotels.createHotel(wish(fields)))
    assert.is(error.info.status, status)
    if (message) assert.is(error.rawMessage, message)
  }
  assert.is((await rows('hotel', 'select count(*) as n from hotel_setups'))[0]?.['n'], before)
})

test('members list and see their own hotels only, with exact totals, and a platform administrator sees all', async () => {
  const city = `Ville ${newId().slice(-4)}`
  const [one, two] = [await createHotel({ city }), await createHotel({ city })]
  const ownHotels = await asUser(one.userId).listHotels({})
  assert.equal([ownHotels.data.map(({ id }) => id), ownHotels.meta?.total], [[one.id], 1])
  const all = await asRoot.hotels.listHotels({ city: city.toUpperCase(), limit: 1 })
  assert.equal([all.data.length, all.meta?.total, all.meta?.totalPages], [1, 2, 2])
  assert.is((await asRoot.hotels.listHotels({ city, isActive: false })).meta?.total, 0)
  assert.is((await asUser(one.userId).listHotels({ city, isActive: true })).meta?.total, 1)
  assert.is((await asUser(one.userId).getHotel({ id: one.id })).id, one.id)
  const foreign = await refusal(asUser(one.userId).getHotel({ id: two.id }))
  assert.is(foreign.info.status, 403)
  assert.is((await refusal(asRoot.hotels.getHotel({ id: newId() }))).info.status, 404)
})

test('hotels are searched by a part of their name in any case, or by id, within the own ones', async () => {
  const word = `Éden${newId().slice(-6)}`
  const [one, two] = [await createHotel({ name: `${word} Nord 100%` }), await createHotel({ name: `Le ${word} Sud` })]
  const search = async (text: string, caller = asRoot.hotels) => {
    const { data, meta } = await caller.listHotels({ search: text })
    assert.is(meta?.total, data.length)
    return data.map(({ id }) => id).toSorted()
  }
  const both = [one.id, two.id].toSorted()
  assert.equal(await search(word.toLowerCase()), both)
  assert.equal([await search(`${word} nord`), await search(`${word} Nord 100%`)], [[one.id], [one.id]])
  assert.equal([await search(`${word}%Sud`), await search(`${word}_Sud`)], [[], []])
  assert.equal([await search(two.id), await search(two.id.slice(1)), await search(newId())], [[two.id], [], []])
  assert.equal([await search(word, asUser(one.userId)), await search(two.id, asUser(one.userId))], [[one.id], []])
  assert.is((await refusal(asRoot.hotels.listHotels({ search: 'x'.repeat(256) }))).info.status, 400)
})

test('an update changes the named fields, clears with null, emits the changes and renames the chat application', async () => {
  const hotel = await createHotel({ city: 'Nice', phone: '1' })
  const name = `Nouveau ${newId().slice(-6)}`
  const updateMask = { paths: ['name', 'city', 'phone'] }
  const answer = await asUser(hotel.userId).updateHotel({ id: hotel.id, updateMask, name, city: 'Cannes' })
  assert.equal([answer.name, answer.city, answer.phone, answer.address], [name, 'Cannes', undefined, undefined])
  const loadedHotel = await asRoot.hotels.getHotel({ id: hotel.id })
  assert.equal([loadedHotel.name, loadedHotel.city, loadedHotel.phone], [name, 'Cannes', undefined])
  const { body } = await world.waitForEvent('platform.notification.hotel.updated', hotel.id)
  assert.equal(body.payload['changes'] as object, { name, city: 'Cannes', phone: null })
  await eventually(async () => (await world.chatApps(name)).length === 1)
})

test('a rename reaches the chat application after the provider failed at first', async () => {
  const hotel = await createHotel()
  await world.sandbox.control({ provider: 'chat', mode: '500', method: 'PUT', times: 2 })
  const name = `Tenace ${newId().slice(-6)}`
  await asRoot.hotels.updateHotel({ id: hotel.id, updateMask: { paths: ['name'] }, name })
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).name, name)
  await eventually(async () => (await world.chatApps(name)).length === 1)
})

test('other fields cannot be updated, and group and activity only by a platform administrator', async () => {
  const hotel = await createHotel()
  const update = (paths: string[], fields: object = {}) =>
    refusal(asUser(hotel.userId).updateHotel({ id: hotel.id, updateMask: { paths }, ...fields }))
  for (const path of [
    'chat_api_token',
    'workspace',
    'subscription_status',
    'payment_customer_id',
    'deleted_at',
    '__proto__',
  ])
    assert.is((await update([path])).info.status, 400, path)
  assert.is((await update(['name'])).info.status, 400)
  assert.is((await update(['group_id'], { groupId: newId() })).info.status, 403)
  assert.is((await update(['is_active'], { isActive: false })).info.status, 403)
  assert.is((await update(['type_id'], { typeId: newId() })).rawMessage, 'Type not found')
  const { setting } = await asRoot.settings.createSetting({})
  assert.is((await update(['setting_id'], { settingId: setting?.id })).rawMessage, 'Setting not found')
  const other = await createHotel()
  const foreign = asUser(other.userId).updateHotel({ id: hotel.id, updateMask: { paths: ['city'] }, city: 'X' })
  assert.is((await refusal(foreign)).info.status, 403)
  const rest = { id: hotel.id, updateMask: { paths: ['is_active', 'setting_id'] }, isActive: false }
  assert.is((await asRoot.hotels.updateHotel({ ...rest, settingId: setting?.id ?? '' })).isActive, false)
})

test.run()
