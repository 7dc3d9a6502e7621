import { GroupService } from '../../../gen/platform/hotel/v1/groups_pb.ts'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { SettingService } from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { TypeService } from '../../../gen/platform/hotel/v1/types_pb.ts'
import { HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { MemberSettingsService } from '../../../gen/platform/member/v1/member_settings_pb.ts'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { WorkspaceService } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { hotelSuite } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import type { RpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, asRoot, wish } = await hotelSuite('types, groups and settings')

const createHotel = async (fields: object = {}) => {
  const hotel = await asRoot.hotels.createHotel(wish(fields))
  return { ...hotel, userId: await world.administratorOf(hotel) }
}
const unique = (text: string) => `${text} ${newId().slice(-6)}`

/** Path and rule of each violation. */
const faults = ({ info }: RpcError) => info.violations.map(({ path, rule }) => `${path} ${rule}`)

test('a type is created, listed by name, updated field by field and deleted', async () => {
  const name = unique('resort')
  const { type } = await asRoot.types.createType({ name, description: 'By the sea', icon: '🏖️' })
  const id = type?.id ?? ''
  assert.equal([type?.name, type?.description, type?.icon], [name, 'By the sea', '🏖️'])
  const { data } = await asRoot.types.listTypes({})
  assert.ok(data.some(each => each.id === id))
  const answer = await asRoot.types.updateType({ id, updateMask: { paths: ['icon', 'description'] }, icon: '🌴' })
  assert.equal([answer.type?.name, answer.type?.icon, answer.type?.description], [name, '🌴', undefined])
  assert.is((await asRoot.types.deleteType({ id })).id, id)
  assert.is((await refusal(asRoot.types.deleteType({ id }))).rawMessage, 'Type not found')
  assert.is((await refusal(asRoot.types.updateType({ id, updateMask: { paths: [] } }))).info.status, 404)
})

test('a type’s name is unique and cannot be cleared, and a type in use cannot be deleted', async () => {
  const [one, two] = [unique('hostel'), unique('hotel')]
  const { type } = await asRoot.types.createType({ name: one })
  const other = await asRoot.types.createType({ name: two })
  assert.is((await refusal(asRoot.types.createType({ name: one.toUpperCase() }))).info.status, 409)
  const rename = { id: other.type?.id ?? '', updateMask: { paths: ['name'] } }
  assert.is((await refusal(asRoot.types.updateType({ ...rename, name: one }))).info.status, 409)
  assert.is((await refusal(asRoot.types.updateType(rename))).info.status, 400)
  const hotel = await createHotel({ typeId: type?.id })
  assert.is((await refusal(asRoot.types.deleteType({ id: type?.id ?? '' }))).info.status, 409)
  const asMember = host.as(TypeService, hotel.userId)
  assert.ok((await asMember.listTypes({})).data.length >= 2)
  assert.is((await refusal(asMember.createType({ name: unique('x') }))).info.status, 403)
  assert.is((await refusal(asMember.deleteType({ id: rename.id }))).info.status, 403)
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  assert.is((await refusal(asRoot.types.deleteType({ id: type?.id ?? '' }))).info.status, 409, 'it can be restored')
})

test('a group shows each caller their own hotels, and a stranger does not see it', async () => {
  const { group } = await asRoot.groups.createGroup({ name: unique('Groupe'), logoUrl: 'https://logo.example/a.png' })
  const groupId = group?.id ?? ''
  assert.equal([group?.hotelsCount, group?.logoUrl], [0, 'https://logo.example/a.png'])
  const [one, two, stranger] = [
    await createHotel({ groupId, city: 'Nice' }),
    await createHotel({ groupId }),
    await createHotel(),
  ]
  const ofOne = host.as(GroupService, one.userId)
  const fullGroup = await asRoot.groups.getGroup({ id: groupId })
  assert.equal(new Set(fullGroup.hotels.map(({ id }) => id)), new Set([one.id, two.id]))
  const ownGroup = await ofOne.getGroup({ id: groupId })
  assert.equal(
    ownGroup.hotels.map(({ id, city, subscriptionStatus }) => [id, city, subscriptionStatus]),
    [[one.id, 'Nice', 'active']],
  )
  assert.is((await ofOne.listGroups({})).data.find(({ id }) => id === groupId)?.hotelsCount, 1)
  assert.is((await asRoot.groups.listGroups({})).data.find(({ id }) => id === groupId)?.hotelsCount, 2)
  const ofStranger = host.as(GroupService, stranger.userId)
  assert.equal((await ofStranger.listGroups({})).data, [])
  const [hiddenError, absentError] = [
    await refusal(ofStranger.getGroup({ id: groupId })),
    await refusal(ofStranger.getGroup({ id: newId() })),
  ]
  assert.equal([hiddenError.info.status, hiddenError.rawMessage], [404, absentError.rawMessage])
  assert.is((await refusal(ofOne.createGroup({ name: 'x' }))).info.status, 403)
})

test('a group is updated field by field, and its deletion keeps its hotels', async () => {
  const { group } = await asRoot.groups.createGroup({ name: unique('Groupe'), description: 'd' })
  const id = group?.id ?? ''
  const hotel = await createHotel({ groupId: id })
  const answer = await asRoot.groups.updateGroup({ id, updateMask: { paths: ['name', 'description'] }, name: 'Neu' })
  assert.equal([answer.group?.name, answer.group?.description, answer.group?.hotelsCount], ['Neu', undefined, 1])
  assert.is((await refusal(asRoot.groups.updateGroup({ id, updateMask: { paths: ['name'] } }))).info.status, 400)
  await asRoot.groups.deleteGroup({ id })
  assert.is((await asRoot.hotels.getHotel({ id: hotel.id })).group, undefined)
  assert.is((await refusal(asRoot.groups.getGroup({ id }))).info.status, 404)
  assert.is((await refusal(asRoot.groups.deleteGroup({ id }))).info.status, 404)
  assert.is((await refusal(asRoot.hotels.createHotel(wish({ groupId: id })))).rawMessage, 'Group not found')
})

test('a profile has the documented defaults, and null restores one', async () => {
  const { setting } = await asRoot.settings.createSetting({ language: 'en', enableSms: true })
  const { id = '', createdAt: _, updatedAt: __, $typeName: ___, ...fields } = setting ?? {}
  assert.equal(fields, {
    timezone: 'Europe/Paris',
    language: 'en',
    currency: 'EUR',
    enablePush: true,
    enableEmail: true,
    enableSms: true,
    checkInTime: '14:00',
    checkOutTime: '11:00',
    primaryColor: '#1E40AF',
    secondaryColor: '#10B981',
  })
  const change = {
    id,
    updateMask: { paths: ['language', 'enable_push', 'logo_url', 'picture_url'] },
    enablePush: false,
  }
  const [logo, picture] = ['https://logo.example/b.png', 'https://logo.example/house.jpg']
  const answer = await asRoot.settings.updateSetting({ ...change, logoUrl: logo, pictureUrl: picture })
  const { language, enablePush, logoUrl, pictureUrl, enableSms } = answer.setting ?? {}
  assert.equal([language, enablePush, logoUrl, pictureUrl, enableSms], ['fr', false, logo, picture, true])
  for (const timezone of ['Mars/Olympus', '+02:00'])
    assert.equal(faults(await refusal(asRoot.settings.createSetting({ timezone }))), ['timezone timezone'])
  const spelt = await asRoot.settings.createSetting({ timezone: 'europe/LISBON' })
  assert.is(spelt.setting?.timezone, 'Europe/Lisbon')
  assert.is((await refusal(asRoot.settings.updateSetting({ id: newId() }))).info.status, 404)
})

test('changing a profile requires the right on every hotel that uses it, and each of these is notified', async () => {
  const { setting } = await asRoot.settings.createSetting({})
  const settingId = setting?.id ?? ''
  const one = await createHotel({ settingId })
  const ofOne = host.as(SettingService, one.userId)
  const change = { id: settingId, updateMask: { paths: ['currency', 'enable_sms'] }, currency: 'CHF', enableSms: true }
  assert.is((await ofOne.updateSetting(change)).setting?.currency, 'CHF')
  const { body } = await world.waitForEvent('platform.hotel.settings_updated', one.id)
  assert.equal(body.payload, {
    id: settingId,
    hotelIds: [one.id],
    changes: { currency: 'CHF', enable_sms: true },
    previous: { currency: 'EUR', enable_sms: false },
  })

  const two = await createHotel({ settingId })
  assert.is((await refusal(ofOne.updateSetting(change))).info.status, 403)
  assert.is((await refusal(ofOne.createSetting({}))).info.status, 403)
  assert.is((await asRoot.settings.updateSetting(change)).setting?.id, settingId)
  const both = await world.waitForEvent('platform.hotel.settings_updated', two.id)
  assert.equal(both.body.payload['hotelIds'], [one.id, two.id].toSorted())

  const stranger = host.as(SettingService, (await createHotel()).userId)
  assert.is((await refusal(stranger.updateSetting(change))).info.status, 404)
  assert.is((await refusal(stranger.getSetting({ id: settingId }))).info.status, 404)
  assert.equal((await stranger.listSettings({})).data, [])
  assert.is((await ofOne.getSetting({ id: settingId })).setting?.currency, 'CHF')
  assert.equal((await ofOne.listSettings({})).data.length, 1)
  assert.ok((await asRoot.settings.listSettings({})).data.length >= 2)

  const guest = await createHotel()
  const person = { email: guest.administrator?.email ?? '', firstName: 'Ada', lastName: 'Chef' }
  await host.client(HotelMemberService).addHotelMember({ hotelId: one.id, ...person })
  // The guest has accepted.
  await world.rows('member', "update ecosystem_memberships set status = 'active' where ecosystem_id = ?", [one.id])
  await world.rows('member', "update workspace_members set status = 'active' where workspace_id = ?", [one.workspace])
  const ofGuest = host.as(HotelService, guest.userId)
  const adoption = { id: guest.id, settingId, updateMask: { paths: ['setting_id'] } }
  await eventually(async () => (await ofGuest.listHotels({})).data.some(({ id }) => id === one.id))
  assert.is((await refusal(ofGuest.updateHotel(adoption))).rawMessage, 'Setting not found')
  await world.rows('member', "update ecosystem_memberships set role = 'admin' where ecosystem_id = ?", [one.id])
  await eventually(() => ofGuest.updateHotel(adoption))
})

test('a hotel that changes or removes its profile is sent the differing settings', async () => {
  const { setting: calm } = await asRoot.settings.createSetting({ currency: 'CHF', enableSms: true })
  const { setting: loud } = await asRoot.settings.createSetting({ currency: 'CHF', language: 'it' })
  const hotel = await createHotel({ settingId: calm?.id })
  const take = (settingId?: string) =>
    asRoot.hotels.updateHotel({ id: hotel.id, updateMask: { paths: ['setting_id'] }, ...(settingId && { settingId }) })
  for (const id of [loud?.id, loud?.id, undefined]) await take(id)
  const events = await eventually(() => {
    const matches = world.events.filter(
      ({ subject, body }) =>
        subject.endsWith('hotel.settings_updated') && String(body.payload['hotelIds']) === hotel.id,
    )
    return matches.length > 1 ? matches : undefined
  })
  assert.equal(
    events.map(({ body }) => body.payload),
    [
      {
        id: loud?.id,
        hotelIds: [hotel.id],
        changes: { language: 'it', enable_sms: false },
        previous: { language: 'fr', enable_sms: true },
      },
      {
        id: loud?.id,
        hotelIds: [hotel.id],
        changes: { language: 'fr', currency: 'EUR' },
        previous: { language: 'it', currency: 'CHF' },
      },
    ],
  )
})

test('the workspace of a hotel takes a later language and zone of its profile, but keeps what its people have set', async () => {
  const { setting } = await asRoot.settings.createSetting({ language: 'en', timezone: 'Europe/London' })
  const settingId = setting?.id ?? ''
  const [earlyHotel, lateHotel] = [await createHotel({ settingId }), await createHotel()]
  const settingsOf = async ({ workspace }: { workspace?: string | undefined }) => {
    const [row] = await world.rows('member', 'select settings from workspaces where id = ?', [workspace])
    return row?.['settings']
  }
  const awaitSettings = (hotel: typeof earlyHotel, settings: object) =>
    eventually(async () => {
      assert.equal(await settingsOf(hotel), settings)
      return true
    })
  const members = host.as(MemberSettingsService, world.rootId)
  assert.equal(await settingsOf(lateHotel), {})
  await asRoot.hotels.updateHotel({ id: lateHotel.id, settingId, updateMask: { paths: ['setting_id'] } })
  await awaitSettings(lateHotel, { language: 'en', timezone: 'Europe/London' })

  const workspaceId = lateHotel.workspace ?? ''
  const guest = world.address()
  await host.as(OnboardingService, world.rootId).invite({ email: guest, workspaceId })
  const invitation = await world.waitForEvent('member.onboarding', guest)
  assert.is(invitation.body.payload['language'], 'en')
  const newcomer = { email: world.address(), firstName: 'Bea', lastName: 'Roux', workspaceId }
  const { member } = await host.as(MemberService, world.rootId).createMember(newcomer)
  const languageOf = async (memberId = '') => (await members.getMemberSettings({ id: memberId })).settings?.language
  assert.equal([await languageOf(member?.id), await languageOf(lateHotel.administrator?.id)], ['en', 'fr'])

  const ownSettings = { timezone: 'Asia/Tokyo', theme: 'dark' }
  const workspaces = host.as(WorkspaceService, world.rootId)
  await workspaces.updateWorkspace({
    id: workspaceId,
    settings: { language: 'en', ...ownSettings },
    updateMask: { paths: ['settings'] },
  })
  const update = (fields: object) =>
    asRoot.settings.updateSetting({ id: settingId, updateMask: { paths: Object.keys(fields) }, ...fields })
  await update({ language: 'it', timezone: 'Europe/Rome' })
  await update({ language: 'fr' })
  await awaitSettings(earlyHotel, { language: 'fr', timezone: 'Europe/Rome' })
  await awaitSettings(lateHotel, { language: 'fr', ...ownSettings })
  assert.is(await languageOf(member?.id), 'en', 'who has joined keeps their language')

  await asRoot.hotels.deleteHotel({ id: earlyHotel.id })
  await update({ timezone: 'Europe/London' })
  await asRoot.hotels.restoreHotel({ id: earlyHotel.id })
  await update({ timezone: 'Europe/Berlin' })
  await awaitSettings(earlyHotel, { language: 'fr', timezone: 'Europe/Berlin' })
})

test('a hotel without a profile shows the documented defaults', async () => {
  const { id, userId, settings } = await createHotel()
  assert.equal([settings?.id, settings?.timezone], [undefined, 'Europe/Paris'])
  const { settings: shownSettings } = await host.as(HotelService, userId).getHotel({ id })
  const { timezone, currency, primaryColor } = shownSettings ?? {}
  assert.equal([timezone, currency, primaryColor], ['Europe/Paris', 'EUR', '#1E40AF'])
})

test('a service reads the profile in force, or the defaults, and people do not', async () => {
  const asService = host.client(SettingService)
  const { setting } = await asRoot.settings.createSetting({ enablePush: false })
  const [one, two] = [await createHotel({ settingId: setting?.id }), await createHotel()]
  const answer = await asService.getHotelSetting({ hotelId: one.id })
  assert.equal([answer.setting?.enablePush, answer.hotelName], [false, one.name])
  const byDefault = (await asService.getHotelSetting({ hotelId: two.id })).setting
  assert.equal([byDefault?.id, byDefault?.enablePush, byDefault?.timezone], ['', true, 'Europe/Paris'])
  assert.is((await refusal(asService.getHotelSetting({ hotelId: newId() }))).info.status, 404)
  assert.is((await refusal(asRoot.settings.getHotelSetting({ hotelId: one.id }))).info.status, 403)
})

test.run()
