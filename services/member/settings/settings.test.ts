import { assert, eventually, millisOf, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('settings of members')
const { host, asUser } = await memberForTest(test)
const ownHotel = await openWorld(host)
const otherHotel = await openWorld(host)

const settings = (person: { userId: string }) => asUser(person).settings

test('settings have defaults until they are changed, and null restores the default', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const id = clerk.memberId
  const before = await settings(clerk).getMemberSettings({ id })
  assert.equal(
    [before.settings?.language, before.settings?.timezone, before.settings?.mobileAccess, before.settings?.createdAt],
    ['fr', 'Europe/Paris', true, undefined],
  )
  const { settings: updatedSettings } = await settings(clerk).updateMemberSettings({
    id,
    language: 'en',
    timezone: 'Asia/Tokyo',
    updateMask: { paths: ['language', 'timezone'] },
  })
  assert.equal([updatedSettings?.language, updatedSettings?.timezone], ['en', 'Asia/Tokyo'])
  assert.ok(updatedSettings?.createdAt)
  await settings(ownHotel.admin).updateMemberSettings({
    id,
    mobileAccess: false,
    updateMask: { paths: ['mobile_access', 'language'] },
  })
  const after = await settings(clerk).getMemberSettings({ id })
  assert.equal(
    [after.settings?.language, after.settings?.timezone, after.settings?.mobileAccess],
    ['fr', 'Asia/Tokyo', false],
  )
})

test('only the member chooses to appear online, which is sent to every process and stored', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const id = clerk.memberId
  const rights = () => host.rights.ofMember(id)
  const messages: string[] = []
  const stop = host.bus.subscribeCore('internal.rights-changed', data => messages.push(Buffer.from(data).toString()))
  const presence = async () => (await settings(clerk).getMemberPreferences({ id })).preferences?.presence
  assert.equal([await presence(), (await rights())?.isInvisible], ['visible', false])
  const only = (value?: string) => ({ id, updateMask: { paths: ['presence'] }, ...(value ? { presence: value } : {}) })
  const { preferences } = await settings(clerk).updateMemberPreferences(only('invisible'))
  assert.is(preferences?.presence, 'invisible')
  await eventually(() => messages.some(text => text.includes(id)))
  await eventually(async () => (await rights())?.isInvisible === true)
  await settings(clerk).updateMemberPreferences({ id, theme: 'dark', updateMask: { paths: ['theme'] } })
  assert.is(await presence(), 'invisible')
  const byManager = await refusal(settings(ownHotel.admin).updateMemberPreferences(only('visible')))
  assert.equal([byManager.info.status, await presence()], [403, 'invisible'])
  assert.is((await refusal(settings(clerk).updateMemberPreferences(only('away')))).info.status, 400)
  await settings(clerk).updateMemberPreferences(only())
  assert.is(await presence(), 'visible')
  await eventually(async () => (await rights())?.isInvisible === false)
  stop()
})

test('a change of mobile access alone dates the settings', async () => {
  const { memberId: id } = await addPerson(host, ownHotel, 'viewer')
  const change = async (mobileAccess: boolean) => {
    const updateMask = { paths: ['mobile_access'] }
    return (await settings(ownHotel.admin).updateMemberSettings({ id, mobileAccess, updateMask })).settings?.updatedAt
  }
  const first = millisOf(await change(false))
  assert.ok(millisOf(await change(true)) > first)
})

test('settings refuse an unknown zone, and the member’s own mobile access', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const id = clerk.memberId
  const zone = { id, timezone: 'Mars/Base', updateMask: { paths: ['timezone'] } }
  const { info } = await refusal(settings(clerk).updateMemberSettings(zone))
  assert.equal([info.status, info.violations[0]?.rule], [400, 'timezone'])
  const spelt = await settings(clerk).updateMemberSettings({ ...zone, timezone: 'europe/LISBON' })
  assert.is(spelt.settings?.timezone, 'Europe/Lisbon')
  const mobile = { id, mobileAccess: false, updateMask: { paths: ['mobile_access'] } }
  assert.is((await refusal(settings(clerk).updateMemberSettings(mobile))).info.status, 403)
  const manager = await addPerson(host, ownHotel, 'manager')
  const unchanged = { ...mobile, mobileAccess: true }
  for (const person of [clerk, manager])
    assert.is((await settings(person).updateMemberSettings(unchanged)).settings?.mobileAccess, true)
  const presence = { id, presence: 'visible', updateMask: { paths: ['presence'] } }
  assert.is((await settings(manager).updateMemberPreferences(presence)).preferences?.presence, 'visible')
  assert.is((await refusal(settings(manager).updateMemberSettings(mobile))).rawMessage, 'Cannot manage this member')
})

test('preferences are stored separately, with a workspace that must be the member’s own', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const id = clerk.memberId
  const { preferences } = await settings(clerk).updateMemberPreferences({
    id,
    theme: 'dark',
    defaultWorkspaceId: ownHotel.workspaceId,
    custom: { columns: ['name'] },
    updateMask: { paths: ['theme', 'default_workspace_id', 'custom'] },
  })
  assert.equal(
    [preferences?.theme, preferences?.defaultWorkspaceId, preferences?.weekStart],
    ['dark', ownHotel.workspaceId, 'monday'],
  )
  assert.equal((await settings(clerk).getMemberPreferences({ id })).preferences?.custom, { columns: ['name'] })
  const foreign = { id, defaultWorkspaceId: otherHotel.workspaceId, updateMask: { paths: ['default_workspace_id'] } }
  assert.is((await refusal(settings(clerk).updateMemberPreferences(foreign))).info.status, 400)
  const large = { id, custom: { text: 'x'.repeat(17_000) }, updateMask: { paths: ['custom'] } }
  assert.is((await refusal(settings(clerk).updateMemberPreferences(large))).info.status, 400)
})

test('for a person in several hotels none changes personal settings, and each changes its own mobile access', async () => {
  const sharedMember = await addPerson(host, ownHotel, 'viewer')
  const id = sharedMember.memberId
  const language = { id, language: 'en', updateMask: { paths: ['language'] } }
  const theme = { id, theme: 'dark', updateMask: { paths: ['theme'] } }
  // A hotel whose invitation they haven't accepted doesn't affect their own hotel.
  await asUser(otherHotel.admin).members.createMember({
    email: sharedMember.email,
    firstName: 'A',
    lastName: 'B',
    workspaceId: otherHotel.workspaceId,
  })
  await settings(ownHotel.admin).updateMemberSettings(language)
  await settings(ownHotel.admin).updateMemberPreferences(theme)
  await comeInto(host, otherHotel, sharedMember, 'member')
  for (const { admin } of [ownHotel, otherHotel]) {
    const otherLanguage = { ...language, language: 'fr' }
    const otherTheme = { ...theme, theme: 'light' }
    assert.is((await refusal(settings(admin).updateMemberSettings(otherLanguage))).info.status, 403)
    assert.is((await refusal(settings(admin).updateMemberPreferences(otherTheme))).info.status, 403)
    const zone = { id, timezone: 'UTC', updateMask: { paths: ['timezone', 'mobile_access'] } }
    assert.is((await refusal(settings(admin).updateMemberSettings(zone))).info.status, 403)
    const mobile = { id, mobileAccess: false, updateMask: { paths: ['mobile_access'] } }
    assert.is((await settings(admin).updateMemberSettings(mobile)).settings?.mobileAccess, false)
  }
  await settings(sharedMember).updateMemberSettings(language)
  await settings(sharedMember).updateMemberPreferences(theme)
})

test.run()
