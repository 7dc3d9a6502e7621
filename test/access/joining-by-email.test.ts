import { call, invitationToken, type LooseJson, mailsTo } from '../../cli/tour/client.ts'
import { expect, password } from '../../cli/tour/world.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'

const test = suite('person of another hotel added by e-mail')
const platform = await sharedPlatform()
let hotels: Houses
let home: House
let other: House
let nia: SharedPerson
let mails = 1
const real = { firstName: 'Nia', lastName: 'Verity', phone: '+33 6 11 22 33 44' }

test.before(async () => {
  hotels = await houses(platform)
  home = await hotels.house('Le Phare', 'ada')
  other = await hotels.house('Autre', 'eve')
  nia = await hotels.settle(home, 'nia', [real.firstName, real.lastName])
  const { phone } = real
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${nia.id}`, { token: nia.token, body: { phone } })
})
const typed = () => ({ email: nia.email, firstName: 'Typed', lastName: 'Name' })
const seenBy = async (token: string) => (await hotels.member('GET', `/members/get/${nia.id}`, token)).body
const patch = (token: string, body: object) => hotels.member('PATCH', `/members/update/${nia.id}`, token, body)

/** Removes the person from the other hotel. */
async function leave(): Promise<void> {
  const { status } = await hotels.member(
    'DELETE',
    `/workspaces/${other.workspace}/remove-member/${nia.id}`,
    other.token,
  )
  assert.is(status, 200)
}

const rowsOf = (body: LooseJson): LooseJson[] => body['data'] as unknown as LooseJson[]

type Way = () => Promise<string | undefined>

const ways: Record<string, Way> = {
  'POST /members/': async () => {
    const body = { ...typed(), workspaceId: other.workspace, workspaceRole: 'admin', dashboardAccess: true }
    const member = await expect(hotels.world, 201, 'member', 'POST', '/members/', { token: other.token, body })
    assert.equal(
      [member['firstName'], member['phone'], member['userId'], member['photo_url']],
      ['Typed', null, null, null],
    )
    return String(member['workspaces'][0]?.['status'])
  },
  'POST /bulk/add-members': async () => {
    const body = { workspaceId: other.workspace, members: [typed()] }
    const { results } = await expect(hotels.world, 200, 'member', 'POST', '/bulk/add-members', {
      token: other.token,
      body,
    })
    assert.is(results?.[0]?.['success'], true)
    return undefined
  },
  'POST /members/add/hotel/member': async () => {
    const body = { ...typed(), hotelId: other.ecosystem, dashboardAccess: true, isAdmin: true }
    const member = await expect(hotels.world, 201, 'member', 'POST', '/members/add/hotel/member', {
      key: hotels.apiKey,
      body,
    })
    assert.equal([member['firstName'], member['phone'], member['userId']], ['Typed', null, null])
    return undefined
  },
}

for (const [way, add] of Object.entries(ways))
  test(`${way}: they are invited, appear only as typed, and nothing changes in their own hotel`, async () => {
    const status = await add()
    if (status) assert.is(status, 'pending')
    mails += 1
    assert.is((await mailsTo(hotels.world.sandboxUrl, nia.email, mails)).length, mails)
    const profile = await seenBy(other.token)
    assert.equal(
      [
        profile['firstName'],
        profile['lastName'],
        profile['email'],
        profile['phone'],
        profile['userId'],
        profile['isActive'],
      ],
      ['Typed', 'Name', nia.email, null, null, true],
    )
    assert.is((profile['workspaces'] as LooseJson)[0]?.['status'], 'pending')
    // They aren't a member, and nobody outside can make them one.
    assert.is((await hotels.member('GET', `/workspaces/get/${other.workspace}`, nia.token)).status, 403)
    const wake = `/workspaces/${other.workspace}/reactivate-member/${nia.id}`
    assert.is((await hotels.member('POST', wake, other.token, {})).status, 409)
    assert.is((await patch(other.token, { firstName: 'Mine' })).status, 403)
    assert.is((await hotels.member('DELETE', `/members/erase/${nia.id}`, other.token)).status, 403)
    // Their own administrator keeps every right.
    for (const body of [{ dashboardAccess: true }, { phone: '1' }, { firstName: 'Nia' }, { isActive: true }])
      assert.is((await patch(home.token, body)).status, 200, JSON.stringify(body))
    const homeProfile = await seenBy(home.token)
    assert.equal([homeProfile['firstName'], (homeProfile['workspaces'] as LooseJson[]).length], ['Nia', 1])
    await leave()
  })

test('once they accept they are members, and each hotel keeps its own values about them', async () => {
  await hotels.member('POST', '/members/', other.token, {
    ...typed(),
    workspaceId: other.workspace,
    dashboardAccess: true,
  })
  // Inviting again with the same rights returns the token of the latest mail.
  const invitation = { ...typed(), workspaceId: other.workspace, ecosystemId: other.ecosystem, permissions: [] }
  const answer = await hotels.member('POST', '/onboarding/invite', other.token, {
    ...invitation,
    workspaceRole: 'member',
  })
  await hotels.accept(nia, String(answer.body['token']))
  assert.is((await seenBy(other.token))['lastName'], real.lastName)
  await patch(home.token, { dashboardAccess: false })
  assert.equal(
    [(await seenBy(home.token))['dashboardAccess'], (await seenBy(other.token))['dashboardAccess']],
    [false, true],
  )
  // Name, phone and picture belong to the person and the hotel that created them.
  assert.is((await patch(other.token, { firstName: 'Mine' })).status, 403)
  assert.is((await patch(home.token, { firstName: 'Nia' })).status, 200)
  // A superior in one hotel is not a superior in the other.
  const { body: eve } = await hotels.member(
    'GET',
    `/members/get/all?workspaceId=${other.workspace}&search=ada`,
    other.token,
  )
  const chief = String(eve['data'][0]?.['id'])
  assert.is((await patch(other.token, { superior: chief })).status, 200)
  assert.is((await seenBy(home.token))['manager'], null)
  assert.is((await seenBy(other.token))['manager']?.['id'], chief)
})

test('inactive in one hotel closes that hotel only, and inactive in all closes the sign-in', async () => {
  assert.is((await patch(other.token, { isActive: false })).status, 200)
  assert.is((await hotels.member('GET', `/workspaces/get/${other.workspace}`, nia.token)).status, 403)
  const answer = await hotels.member('GET', `/permissions/mine/workspace/${home.workspace}`, nia.token)
  assert.is(answer.status, 200)
  assert.equal([(await seenBy(home.token))['isActive'], (await seenBy(other.token))['isActive']], [true, false])
  const list = async (house: House, isActive: boolean) => {
    const query = `workspaceId=${house.workspace}&isActive=${isActive}&search=${encodeURIComponent(` ${nia.email} `)}`
    const { body } = await hotels.member('GET', `/members/get/all?${query}`, house.token)
    return rowsOf(body).length
  }
  assert.equal([await list(home, true), await list(other, true), await list(other, false)], [1, 0, 1])
  const analytics = await hotels.member('GET', `/analytics/workspace/${other.workspace}`, other.token)
  const { total, active } = analytics.body['members'] as unknown as { total: number; active: number }
  assert.equal([total, active], [2, 1])
  const signsIn = async () => {
    const body = { email: nia.email, password }
    return (await call(hotels.world.urls, 'legacyauth', 'POST', '/auth/login/mobile', { body })).status
  }
  assert.is(await signsIn(), 200)
  assert.is((await patch(home.token, { isActive: false })).status, 200)
  assert.is(await signsIn(), 404)
  assert.is((await hotels.member('GET', `/workspaces/get/${home.workspace}`, nia.token)).status, 403)
  assert.is((await patch(home.token, { isActive: true })).status, 200)
  assert.is(await signsIn(), 200)
  assert.is((await patch(other.token, { isActive: true })).status, 200)
})

test('a hotel that closes its mobile app or dashboard to a person locks them out of no other', async () => {
  const set = (house: House, mobileAccess: boolean) =>
    hotels.member('PATCH', `/settings/member/${nia.id}`, house.token, { mobileAccess })
  const legacy = async (type: string) => {
    const body = { email: nia.email, password }
    const answer = await call(hotels.world.urls, 'legacyauth', 'POST', `/auth/login/${type}`, { body })
    return [answer.status, answer.body['msg'] ?? answer.body['user']?.['hotelId']]
  }
  assert.is((await set(home, false)).status, 200)
  const loadMobileAccess = async (house: House) =>
    (await hotels.member('GET', `/settings/member/${nia.id}`, house.token)).body['mobileAccess']
  assert.equal([await loadMobileAccess(home), await loadMobileAccess(other)], [false, true])
  assert.equal(await legacy('mobile'), [200, other.ecosystem])
  assert.is((await set(other, false)).status, 200)
  assert.equal(await legacy('mobile'), [403, 'MSG_603'])
  assert.is((await set(home, true)).status, 200)
  assert.equal(await legacy('mobile'), [200, home.ecosystem])
  assert.equal(await legacy('dashboard'), [200, other.ecosystem])
  await patch(other.token, { dashboardAccess: false })
  assert.equal(await legacy('dashboard'), [403, 'MSG_604'])
})

test('a platform administrator is asked like anybody of another hotel, and every route answers about both alike', async () => {
  const root = await hotels.settle(home, 'root', ['Rhea', 'Root'])
  const eve = await hotels.settle(home, 'eva', ['Eva', 'Elsewhere'])
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${root.id}`, {
    token: hotels.root,
    body: { isSuperAdmin: true },
  })
  await expect(hotels.world, 200, 'member', 'DELETE', `/workspaces/${home.workspace}/remove-member/${root.id}`, {
    token: hotels.root,
  })
  const names = { firstName: 'Typed', lastName: 'Name' }
  const [workspaceId, ecosystemId] = [other.workspace, other.ecosystem]
  const invitation = { workspaceId, ecosystemId, workspaceRole: 'viewer', permissions: [] }
  const inHotel = { ...names, hotelId: ecosystemId, isAdmin: true }
  type Ask = (email: string, id: string) => Promise<{ status: number; body: LooseJson }>
  const ask =
    (verb: string, path: (id: string) => string, body?: object): Ask =>
    (_, id) =>
      hotels.member(verb, path(id), other.token, body)
  const remove = ask('DELETE', id => `/workspaces/${workspaceId}/remove-member/${id}`)
  const update = (set: object) => ask('PATCH', id => `/members/update/${id}`, set)
  const calls: [Ask, status: number][] = [
    [email => hotels.member('POST', '/onboarding/invite', other.token, { ...names, ...invitation, email }), 201],
    [
      email => hotels.member('POST', '/members/', other.token, { ...names, email, workspaceId, dashboardAccess: true }),
      201,
    ],
    [email => hotels.member('POST', '/members/', other.token, { ...names, email, workspaceId }), 409],
    [ask('GET', id => `/members/get/${id}`), 200],
    [update({ dashboardAccess: false }), 200],
    [update({ isActive: true }), 200],
    [update({ firstName: 'Mine' }), 403],
    [update({ email: 'mine@hotel.example' }), 403],
    [ask('PATCH', id => `/settings/member/${id}`, { language: 'en' }), 403],
    [ask('POST', id => `/workspaces/${workspaceId}/suspend-member/${id}`, {}), 200],
    [ask('POST', id => `/workspaces/${workspaceId}/reactivate-member/${id}`, {}), 409],
    [ask('DELETE', id => `/members/erase/${id}`), 403],
    [ask('DELETE', id => `/members/delete/${id}`), 200],
    [
      email => hotels.member('POST', '/bulk/add-members', other.token, { workspaceId, members: [{ ...names, email }] }),
      200,
    ],
    [remove, 200],
    [
      email =>
        call(hotels.world.urls, 'member', 'POST', '/members/add/hotel/member', {
          key: hotels.apiKey,
          body: { ...inHotel, email },
        }),
      201,
    ],
    [remove, 200],
  ]
  /** What differs between two people anyway: ids, addresses and times. */
  const general = (body: LooseJson, { email, id }: SharedPerson) =>
    JSON.stringify(body)
      .replaceAll(email, 'ADDRESS')
      .replaceAll(id, 'ID')
      .replaceAll(/"(id|token|invitationLink|requestId)":"[^"]+"|"\d{4}-[^"]+Z"/g, '')
  for (const [index, [one, status]] of calls.entries()) {
    const answers = []
    for (const person of [root, eve]) {
      const answer = await one(person.email, person.id)
      answers.push([answer.status, general(answer.body, person)])
    }
    assert.equal(answers[0], answers[1], `${index}`)
    assert.is(answers[0]?.[0], status, `${index}: ${answers[0]?.[1]}`)
  }
  // Nobody accepts for them, and they administer the platform as before.
  const inviteAnswer = await hotels.member('POST', '/onboarding/invite', other.token, {
    ...names,
    ...invitation,
    email: root.email,
  })
  const path = `/onboarding/accept/${inviteAnswer.body['token']}`
  assert.is((await hotels.member('POST', path, undefined, {})).status, 401)
  assert.is((await hotels.member('GET', '/audit/platform', root.token)).status, 200)
  // Their former hotel asks them too, and they join when they accept.
  const newMember = { ...names, email: root.email, workspaceId: home.workspace }
  const { body } = await hotels.member('POST', '/members/', home.token, newMember)
  assert.equal([body['firstName'], body['workspaces'][0]?.['status']], ['Typed', 'pending'])
  await hotels.accept(root, String(inviteAnswer.body['token']))
  const profile = await hotels.member('GET', `/members/get/${root.id}`, other.token)
  assert.equal([profile.body['firstName'], profile.body['workspaces'][0]?.['status']], ['Rhea', 'active'])
})

/** Somebody of another hotel, whom the owner adds as administrator and a workspace's manager invites. */
async function addAdministrator(name: string, managedId?: string) {
  const { world } = hotels
  const asOwner = { token: other.token }
  const person = await hotels.settle(home, name, [name, 'Elsewhere'])
  const annexe = await expect(world, 201, 'member', 'POST', '/workspaces', {
    ...asOwner,
    body: { name: `Annexe of ${name}`, ecosystemId: other.ecosystem },
  })
  const annexeId = String(annexe['id'])
  const { token } = await hotels.settle(other, `manager-${name}`, ['Mia', 'Manager'], managedId ?? annexeId, 'manager')
  const fields = { firstName: name, lastName: 'Typed', hotelId: other.ecosystem, isAdmin: true }
  const added = { ...asOwner, body: { email: person.email, ...fields } }
  const add = () => expect(world, 201, 'member', 'POST', '/members/add/hotel/member', added)
  const inviteByManager = async () => {
    const grant = { workspaceId: managedId ?? annexeId, workspaceRole: 'viewer', permissions: [] }
    const body = { email: person.email, ...grant }
    const invitation = await expect(world, 201, 'member', 'POST', '/onboarding/invite', { token, body })
    return String(invitation['token'])
  }
  const rights = async () => {
    const path = `/permissions/member/${person.id}/ecosystem/${other.ecosystem}`
    const { role, isOwner } = await expect(world, 200, 'member', 'GET', path, asOwner)
    return [role, isOwner]
  }
  const cancel = async () => {
    const list = `/onboarding/get/all?status=pending&search=${encodeURIComponent(person.email)}`
    const [invitation, ...others] = rowsOf(await expect(world, 200, 'member', 'GET', list, asOwner))
    assert.equal(others, [])
    await expect(world, 200, 'member', 'DELETE', `/onboarding/cancel/${invitation?.['id']}`, asOwner)
  }
  return { person, add, inviteByManager, rights, cancel }
}

test('a rank in the hotel whose invitation was cancelled is made active by none from somebody without it', async () => {
  const { person, add, inviteByManager, rights, cancel } = await addAdministrator('pia')
  await add()
  assert.equal(await rights(), ['owner', true])
  await cancel()
  await hotels.accept(person, await inviteByManager())
  assert.equal(await rights(), ['member', false])
})

test('a rank in the hotel becomes active with whichever invitation is accepted first', async () => {
  const { person, add, inviteByManager, rights } = await addAdministrator('quin')
  await add()
  await hotels.accept(person, await inviteByManager())
  assert.equal(await rights(), ['owner', true])
})

test('a rank in the hotel gets an invitation from who granted it in place of one from somebody without it', async () => {
  const { person, add, inviteByManager, rights } = await addAdministrator('rob', other.workspace)
  await inviteByManager()
  for (let call = 1; call <= 2; call++) await add()
  // After the mails of their own hotel: the manager's and the owner's.
  await hotels.accept(person, await invitationToken(platform.sandboxUrl, person.email, 4))
  assert.equal(await rights(), ['owner', true])
  const mailsToPerson = await mailsTo(platform.sandboxUrl, person.email, 5, 500)
  assert.is(mailsToPerson.filter(mail => String(mail['text']).includes('/invitation?token=')).length, 3)
})

test.run()
