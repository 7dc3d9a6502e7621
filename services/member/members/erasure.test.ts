import type { RowDataPacket } from 'mysql2/promise'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { acceptFor, addPerson, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('erasure and deletion')
const { host, sql, asUser, asService, anonymous } = await memberForTest(test)

/** Tables that contain a text in any column; events are skipped, since they are deleted after a day. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const [tables] = await sql.query<RowDataPacket[]>("show full tables where table_type = 'BASE TABLE'")
  const matchingTables: string[] = []
  for (const table of tables.map(row => String(Object.values(row)[0])).filter(name => name !== 'outbox')) {
    const [rows] = await sql.query<RowDataPacket[]>(`select * from \`${table}\``)
    const text = rows
      .flatMap(row => Object.values(row))
      .map(value => (Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value)))
      .join('\n')
      .toLowerCase()
    if (texts.some(one => text.includes(one.toLowerCase()))) matchingTables.push(table)
  }
  return matchingTables
}

/** Tables whose rows name a member, without those that hold none of this one. */
async function tablesWithout(memberId: string): Promise<string[]> {
  const [tables] = await sql.query<RowDataPacket[]>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = database() and table_type = 'BASE TABLE' and column_name = 'member_id'`,
  )
  const filled = await tablesWith(memberId)
  return tables.map(row => String(row['name'])).filter(name => !filled.includes(name))
}

async function traceable() {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const names = { firstName: 'Ottilie', lastName: 'Quitzow' }
  const person = await addPerson(host, world, 'viewer', names)
  const people = asUser(person).members
  const set = { id: person.memberId, phone: '+33777', photoUrl: 'https://a.example/otti.png' }
  await people.updateMember({ ...set, updateMask: { paths: ['phone', 'photo_url'] } })
  await asUser(person).settings.updateMemberPreferences({
    id: person.memberId,
    custom: { note: 'ottinote' },
    updateMask: { paths: ['custom'] },
  })
  await asUser(admin).teams.createTeam({ workspaceId, name: 'Night', leaderId: person.memberId })
  const { department } = await asUser(admin).departments.createDepartment({
    workspaceId,
    name: 'Lobby',
    managerId: person.memberId,
  })
  const id = department?.id ?? ''
  await asUser(admin).departments.addDepartmentMember({ id, memberId: person.memberId })
  await eventually(async () => {
    // The note is written in the background; the next call repeats one that was missed.
    host.rights.evict()
    await host.rights.ofUser(person.userId)
    return (await tablesWith(person.memberId)).includes('member_activity')
  })
  return {
    world,
    person,
    traces: ['ottilie', 'quitzow', person.email, '+33777', 'otti.png', 'ottinote', person.userId],
  }
}

test('an erasure overwrites each column of a member, but for those that identify nobody', async () => {
  const { world, person } = await traceable()
  const load = async (): Promise<Record<string, unknown>> => {
    const [rows] = await sql.query<RowDataPacket[]>('select * from members where id = ?', [person.memberId])
    return rows[0] ?? {}
  }
  const before = await load()
  await asUser(world.admin).members.eraseMember({ id: person.memberId })
  const after = await load()
  const columns = Object.keys(before).filter(name => JSON.stringify(before[name]) === JSON.stringify(after[name]))
  const keptColumns =
    'created_at departing_until former_user_id home_ecosystem_id id is_super_admin registered_at rested_at'
  assert.equal(columns.toSorted().join(' '), keptColumns, 'Erase a new column in `anonymise`, or name it here.')
})

test('no table contains data that identifies an erased person', async () => {
  const { world, person, traces } = await traceable()
  const empty = await tablesWithout(person.memberId)
  assert.ok((await tablesWith(...traces)).includes('members'))
  await asUser(world.admin).members.eraseMember({ id: person.memberId })
  assert.equal(await tablesWith(...traces), [])
  assert.equal(
    empty,
    [],
    'Store rows of a new table in traceable(), with its texts in `traces`, and erase them in `anonymise` (services/member/members/erasure.ts).',
  )
})

test('erasing a person also clears the invitations to a former address', async () => {
  const world = await openWorld(host)
  const members = asUser(world.admin).members
  const [former, email] = [someAddress(), someAddress()]
  const names = { firstName: 'Ottilie', lastName: 'Quitzow', workspaceRole: 'viewer' }
  const { member } = await members.createMember({ ...names, email: former, workspaceId: world.workspaceId })
  const id = member?.id ?? ''
  await members.updateMember({ id, email, updateMask: { paths: ['email'] } })
  assert.ok((await tablesWith(former)).includes('onboardings'))
  await members.eraseMember({ id })
  assert.equal(await tablesWith('ottilie', 'quitzow', former, email), [])
})

test('an open invitation of an erased person to another workspace ends', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const person = await addPerson(host, world, 'viewer')
  const otherOnboarding = asUser(other.admin).onboarding
  const { invitation } = await otherOnboarding.invite({ email: person.email, workspaceId: other.workspaceId })
  await asUser(world.admin).members.eraseMember({ id: person.memberId })
  const acceptance = anonymous.onboarding.acceptInvitation({ token: invitation?.token ?? '' })
  assert.is((await refusal(acceptance)).rawMessage, 'The invitation is cancelled')
  const [events] = await sql.query<RowDataPacket[]>(
    "select 1 from outbox where subject = 'platform.member.invitation_cancelled' and body like ?",
    [`%${invitation?.id}%`],
  )
  const [entries] = await sql.query<RowDataPacket[]>(
    "select 1 from audit_entries where action = 'invitation.cancelled' and entity_id = ?",
    [invitation?.id],
  )
  assert.equal([events.length, entries.length], [1, 1])
  const { data } = await otherOnboarding.listInvitations({ status: 'pending' })
  assert.not.ok(data.some(one => one.id === invitation?.id))
})

test('an erasure leaves the invitations of the member who has the address by now', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const { email, memberId } = await addPerson(host, world, 'viewer')
  await asUser(world.admin).members.deleteMember({ id: memberId })
  const { workspaceId } = other
  const fields = { firstName: 'New', lastName: 'Owner', workspaceRole: 'viewer', workspaceId }
  await asUser(other.admin).members.createMember({ ...fields, email })
  await asUser(world.admin).members.eraseMember({ id: memberId })
  const { data } = await asUser(other.admin).onboarding.listInvitations({ status: 'pending' })
  const invitation = data.find(one => one.email === email)
  assert.ok(invitation)
  const [entries] = await sql.query<RowDataPacket[]>(
    "select new_values from audit_entries where entity = 'invitation' and entity_id = ?",
    [invitation.id],
  )
  assert.match(JSON.stringify(entries), email)
})

test('a deleted person is erased later by their former hotels or the platform, once', async () => {
  for (const by of ['admin', 'root'] as const) {
    const { world, person, traces } = await traceable()
    const stranger = (await openWorld(host)).admin
    const clerk = await addPerson(host, world, 'viewer')
    await asUser(world.admin).members.deleteMember({ id: person.memberId })
    assert.ok((await tablesWith(...traces)).includes('members'))
    const erase = (userId: string) => asUser(userId).members.eraseMember({ id: person.memberId })
    assert.is((await refusal(erase(stranger.userId))).info.status, 404)
    assert.is((await refusal(erase(clerk.userId))).info.status, 403)
    await erase(by === 'root' ? world.root : world.admin.userId)
    assert.equal(await tablesWith(...traces), [])
    assert.is((await refusal(erase(world.root))).info.status, 404)
    assert.is((await refusal(asUser(world.root).members.eraseMember({ id: newId() }))).info.status, 404)
  }
})

test('an owner of another hotel is not deleted with the membership here, nor erased by its administrators', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const owner = await addPerson(host, world, 'viewer')
  const { hotelId, workspaceId } = other
  const person = { hotelId, email: owner.email, firstName: 'A', lastName: 'B', isAdmin: true }
  await asService.hotelMembers.addHotelMember(person)
  const { email, userId, memberId } = owner
  const { invitation } = await asUser(other.root).onboarding.invite({ email, workspaceId, workspaceRole: 'admin' })
  await acceptFor(host, invitation?.token, { email, userId })
  // Of the other hotel they keep only the ecosystem membership.
  await asUser(other.root).members.getMember({ id: memberId })
  await sql.query('update workspace_members set left_at = now() where member_id = ? and workspace_id = ?', [
    memberId,
    workspaceId,
  ])
  host.rights.evict()
  const admin = asUser(world.admin).members
  assert.is((await refusal(admin.eraseMember({ id: memberId }))).info.status, 403)
  await admin.deleteMember({ id: memberId })
  const { member: formerMember } = await asUser(world.root).members.getMember({ id: memberId })
  assert.equal(
    [formerMember?.workspaces, formerMember?.ecosystems.map(one => [one.ecosystemId, one.role])],
    [[], [[hotelId, 'owner']]],
  )
})

test.run()
