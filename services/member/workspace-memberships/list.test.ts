import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import {
  addPerson,
  fillWorkspace,
  type HotelWorld,
  openWorld,
  someAddress,
  type TestPerson,
} from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { fold } from '../../kernel/base/texts/fold.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { searchText } from '../hotel-memberships/copy.ts'
import { type MemberTables, tenantTables } from '../tables.ts'
import { countStatement, type MemberFilter, pageStatement } from './list.sql.ts'

const test = suite('lists of members')
const { host, sql, asUser, asService } = await memberForTest(test)

const list = ({ admin }: HotelWorld, request: object = {}) => asUser(admin).members.listMembers(request)

/** Last names that a search returns, with the total. */
async function findLastNames(world: HotelWorld, search: string): Promise<[string[], number | undefined]> {
  const { data, meta } = await list(world, { search, limit: 100 })
  return [data.map(one => one.lastName), meta?.total]
}

test('a search matches any part of the full name or address, ignoring case and accents', async () => {
  const [world, otherHotel] = [await openWorld(host), await openWorld(host)]
  const add = (firstName: string, lastName: string) => addPerson(host, world, 'member', { firstName, lastName })
  const { email } = await add('Zoë', "Lefèvre-O'Neil")
  await add('Łukasz', 'Straße_100%')
  await add('Anaïs', 'Œuvrard\\')
  await addPerson(host, otherHotel, 'member', { firstName: 'Zoë', lastName: 'Lefèvre elsewhere' })
  for (const search of ['zoe lefevre', 'ZOË', 'oë Lef', "e-o'neil", 'LEFE\u0300VRE', email.toUpperCase()])
    assert.equal(await findLastNames(world, search), [["Lefèvre-O'Neil"], 1], search)
  for (const search of ['lukasz', 'strasse', 'straße', 'e_100', '100%', '_']) {
    const [names] = await findLastNames(world, search)
    assert.equal(names, ['Straße_100%'], search)
  }
  for (const search of ['oeuvrard', 'ŒUVRARD', '\\'])
    assert.equal(await findLastNames(world, search), [['Œuvrard\\'], 1])
  for (const search of ['%zoe', 'zoe%', 'z_e', "' or 1=1 --", `neil\n${email}`, `neil ${email}`, 'lefevre elsewhere'])
    assert.equal(await findLastNames(world, search), [[], 0], search)
  assert.is((await findLastNames(world, '@hotel.example'))[1], 4)
})

const roles = ['member', 'viewer', 'manager']
const states = ['active', 'pending', 'suspended']
const any = <T>(values: T[]): (T | undefined)[] => [undefined, ...values]

test('every combination of filters returns exactly the matching members, page by page, with the exact total', async () => {
  const world = await openWorld(host)
  const people = Array.from({ length: 300 }, (_, index) => ({
    firstName: ['Ana', 'Élan', 'bob'][index % 3] ?? '',
    lastName: `N${(index * 37) % 100}`,
    role: roles[index % 3] ?? '',
    status: states[Math.floor(index / 3) % 3] ?? '',
    isActive: index % 5 ? 1 : 0,
  }))
  const ids = await fillWorkspace(
    sql,
    world.workspaceId,
    people.length,
    index => [people[index]?.firstName ?? '', people[index]?.lastName ?? ''],
    index => people[index] ?? {},
  )
  assert.equal(
    MemberService.method.listMembers.input.fields
      .map(({ name }) => name)
      .filter(name => !['workspace_id', 'page', 'limit'].includes(name)),
    ['workspace_role', 'is_active', 'search', 'status'],
  )
  for (const workspaceRole of any(roles))
    for (const status of any(states))
      for (const isActive of any([true, false]))
        for (const search of any(['elan n1', 'zz', world.admin.email])) {
          const expected = people.flatMap((one, index) =>
            (workspaceRole ?? one.role) === one.role &&
            (status ?? one.status) === one.status &&
            (isActive === undefined || isActive === (one.isActive === 1)) &&
            (!search || fold(`${one.firstName} ${one.lastName}`).includes(search))
              ? [ids[index] ?? '']
              : [],
          )
          const byAdmin = !workspaceRole && (status ?? 'active') === 'active' && isActive !== false
          if (byAdmin && search !== 'elan n1' && search !== 'zz') expected.push(world.admin.memberId)
          const filter = { workspaceRole, status, isActive, search }
          const listedIds: string[] = []
          for (let page = 1; page === 1 || listedIds.length < expected.length; page++) {
            const { data, meta } = await list(world, { ...filter, page, limit: 70 })
            assert.is(meta?.total, expected.length, JSON.stringify(filter))
            if (data.length === 0) break
            listedIds.push(...data.map(one => one.id))
          }
          assert.equal(listedIds.toSorted(), expected.toSorted(), JSON.stringify(filter))
          if (expected.length === 70) assert.equal((await list(world, { ...filter, page: 2, limit: 70 })).data, [])
        }
  const beyond = await list(world, { status: 'active', page: 50 })
  const active = people.filter(one => one.status === 'active').length + 1
  assert.equal([beyond.data.length, beyond.meta?.total], [0, active])
})

/** Compares the copies on memberships with the members. */
async function checkCopies(): Promise<void> {
  const [rows] = await sql.query(
    `select m.*, wm.sort_last, wm.sort_first, wm.search_text, wm.member_active, wm.superior_id as copied_superior,
       coalesce(e.is_active, 1) and m.is_active as is_active, e.superior_id
     from workspace_members wm join members m on m.id = wm.member_id join workspaces w on w.id = wm.workspace_id
     left join ecosystem_memberships e on e.member_id = m.id and e.ecosystem_id = w.ecosystem_id`,
  )
  for (const row of rows as Record<string, never>[]) {
    const memberColumns = [row['last_name'], row['first_name'], row['is_active'], row['superior_id']]
    if (row['deleted_at'] === null)
      assert.equal([row['sort_last'], row['sort_first'], row['member_active'], row['copied_superior']], memberColumns)
    assert.is(String(row['search_text']), String(searchText(row as never)))
  }
}

test('every change of a member updates the copies in their memberships', async () => {
  const world = await openWorld(host)
  const { admin, root, hotelId, workspaceId } = world
  const members = asUser(root).members
  const inWorkspace = asUser(admin).memberships
  const boss = await addPerson(host, world, 'manager', { lastName: 'Boss' })
  const clerk = await addPerson(host, world, 'member', { lastName: 'Clerk', superior: boss.memberId })
  const change = (person: TestPerson, set: Record<string, unknown>, ...paths: string[]) =>
    members.updateMember({ id: person.memberId, ...set, updateMask: { paths } })
  await change(clerk, { firstName: 'New', lastName: 'Name' }, 'first_name', 'last_name')
  assert.equal(await findLastNames(world, 'new name'), [['Name'], 1])
  // With an account, a new address needs confirmation first; without one it applies at once.
  const email = someAddress()
  const { member } = await members.createMember({ firstName: 'Un', lastName: 'Signed', email, workspaceId })
  await members.updateMember({ id: member?.id ?? '', email: 'moved@hotel.example', updateMask: { paths: ['email'] } })
  assert.equal(
    [await findLastNames(world, email), await findLastNames(world, 'moved@')],
    [
      [[], 0],
      [['Signed'], 1],
    ],
  )
  await change(clerk, { isActive: false }, 'is_active')
  assert.is((await list(world, { isActive: false })).meta?.total, 1)
  await checkCopies()
  await inWorkspace.removeWorkspaceMember({ workspaceId, memberId: clerk.memberId })
  await change(clerk, { isActive: true, lastName: 'Back' }, 'is_active', 'last_name')
  await inWorkspace.addWorkspaceMember({ id: workspaceId, memberId: clerk.memberId, workspaceRole: 'viewer' })
  assert.equal(await findLastNames(world, 'new back'), [['Back'], 1])
  await asService.profiles.updateUserProfile({ userId: boss.userId, lastName: 'Chief' })
  assert.equal(await findLastNames(world, 'chief'), [['Chief'], 1])
  await checkCopies()
  await asService.hotelMembers.deactivateHotelMembers({ hotelId, isDeleted: true })
  await checkCopies()
  await asService.hotelMembers.reactivateHotelMembers({ hotelId })
  await checkCopies()
  await members.eraseMember({ id: clerk.memberId })
  await checkCopies()
  assert.is((await findLastNames(world, 'back'))[1], 0)
})

test('every list is read from its index alone, without sorting', async () => {
  const world = await openWorld(host)
  await fillWorkspace(
    sql,
    world.workspaceId,
    2_000,
    index => ['A', `B${index}`],
    index => (index % 100 ? {} : { role: 'viewer' }),
  )
  await sql.query('analyze table workspace_members, members')
  const db = openDatabase<MemberTables>(host.databaseUrl('member'), { tables: tenantTables })
  const tenant = systemTenant(world.workspaceId, world.hotelId, 'a plan is looked at')
  type Step = { table: string; key: string; Extra: string }
  const plan = async ({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) =>
    (await sql.query(`explain format=traditional ${text}`, [...parameters]))[0] as Step[]
  const values = { role: 'viewer', status: 'active', isActive: true, search: 'b7' }
  const names = Object.keys(values) as (keyof typeof values)[]
  for (let mask = 0; mask < 2 ** names.length; mask++) {
    const filter = Object.fromEntries(names.filter((_, index) => mask & (1 << index)).map(name => [name, values[name]]))
    const page = await plan(pageStatement(db, tenant, filter, { limit: 20, offset: 1_900 }).compile())
    assert.match(page[0]?.table ?? '', /^<derived/, 'only who is on the page is read')
    const [inner] = page.filter(({ key }) => key === 'workspace_members_list' || key === 'workspace_members_role')
    assert.match(inner?.Extra ?? '', /Using index/)
    assert.not.match(inner?.Extra ?? '', /filesort/)
    if (!filter['role']) assert.is(inner?.key, 'workspace_members_list', 'also beside a million other memberships')
    assert.ok(
      page.every(step => step.key || step.table.startsWith('<derived')),
      'no table is read whole',
    )
    const [count] = await plan(countStatement(db, tenant, filter).compile())
    assert.ok(count?.key, 'members of other workspaces are not read')
  }
  const places: MemberFilter[] = [{ teamId: newId() }, { departmentId: newId() }]
  for (const filter of places)
    for (const statement of [
      pageStatement(db, tenant, filter, { limit: 20, offset: 0 }),
      countStatement(db, tenant, filter),
    ])
      for (const { table, key } of await plan(statement.compile()))
        assert.ok(!table || key || /^<(derived|subquery)/.test(table), `${table} is not read whole`)
  await closeDatabase(db)
})

test.run()
