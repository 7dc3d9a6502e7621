import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('bulk')
const { host, sql, asUser } = await memberForTest(test)
const theirs = await openWorld(host)

const bulk = (person: { userId: string }) => asUser(person).bulk

test('each row of new members has its own result, and invalid ones stop no other', async () => {
  const world = await openWorld(host)
  const person = (fields: object = {}) => ({ email: someAddress(), firstName: 'A', lastName: 'B', ...fields })
  const first = person({ workspaceRole: 'viewer' })
  const { results, total, succeeded, failed } = await bulk(world.admin).bulkAddMembers({
    members: [
      first,
      person({ email: 'nonsense' }),
      person({ email: first.email.toUpperCase() }),
      person({ email: world.admin.email }),
      person({ workspaceRole: 'captain' }),
      person({ workspaceRole: 'réception' }),
      person({ firstName: '' }),
      person({ email: theirs.admin.email }),
      person(),
    ],
  })
  assert.equal([total, succeeded, failed], [9, 3, 6])
  assert.equal(
    results.map(one => one.error),
    [
      undefined,
      'ValidationError',
      'ConflictError',
      'ConflictError',
      'ValidationError',
      'ValidationError',
      'ValidationError',
      undefined,
      undefined,
    ],
  )
  assert.equal(results[7]?.memberId, theirs.admin.memberId)
  const memberList = await asUser(world.admin).members.listMembers({})
  assert.equal([memberList.meta?.total, memberList.data.length], [4, 4])
  const [open] = await sql.query('select id from onboardings where email = ?', [first.email])
  assert.is((open as unknown[]).length, 1)
})

test('roles change row by row, with the rules of rank, hierarchy and last administrator', async () => {
  const world = await openWorld(host)
  const boss = await addPerson(host, world, 'manager')
  const clerk = await addPerson(host, world, 'viewer', { superior: boss.memberId })
  const other = await addPerson(host, world, 'viewer')
  const row = (memberId: string, workspaceRole: string) => ({ memberId, workspaceRole })
  const managed = await bulk(boss).bulkUpdateRoles({
    members: [
      row(clerk.memberId, 'member'),
      row(other.memberId, 'member'),
      row(clerk.memberId, 'viewer'),
      row(clerk.memberId, 'admin'),
    ],
  })
  assert.equal(
    managed.results.map(one => one.message),
    [
      undefined,
      'Cannot manage this member',
      'The member appears in an earlier row',
      'The member appears in an earlier row',
    ],
  )
  const led = await bulk(world.admin).bulkUpdateRoles({
    members: [
      row(world.admin.memberId, 'viewer'),
      row(theirs.admin.memberId, 'viewer'),
      row('numéro 1', 'viewer'),
      row(clerk.memberId, 'réception'),
      row(other.memberId, 'admin'),
    ],
  })
  assert.equal(
    led.results.map(one => one.error),
    ['ConflictError', 'NotFoundError', 'NotFoundError', 'ValidationError', undefined],
  )
  const above = await bulk(boss).bulkUpdateRoles({ members: [row(clerk.memberId, 'admin')] })
  assert.is(above.results[0]?.error, 'ForbiddenError')
})

test('both changes take rows with values of their own, or ids with one value for all', async () => {
  const world = await openWorld(host)
  const [one, two] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  const memberIds = [one.memberId.toUpperCase(), two.memberId]
  const { bulkUpdateRoles, bulkAssignPermissions } = bulk(world.admin)
  const errors = ({ results }: { results: { error?: string | undefined }[] }) => results.map(row => row.error)
  assert.equal(errors(await bulkUpdateRoles({ memberIds, workspaceRole: 'member' })), [undefined, undefined])
  const rows = [{ memberId: one.memberId, workspaceRole: 'manager' }, { memberId: two.memberId }]
  assert.equal(errors(await bulkUpdateRoles({ members: rows, workspaceRole: 'viewer' })), [undefined, undefined])
  const grants = [
    { memberId: one.memberId, permissions: ['view_reports'] },
    { memberId: two.memberId, permissions: ['fly'] },
    { memberId: two.memberId, permissions: ['volé'] },
    { memberId: two.memberId },
  ]
  const unknown = 'ValidationError'
  assert.equal(errors(await bulkAssignPermissions({ members: grants })), [undefined, unknown, unknown, unknown])
  const all = { members: grants, permissions: ['export_data'] }
  assert.equal(errors(await bulkAssignPermissions(all)), [undefined, unknown, unknown, undefined])
  const { data } = await asUser(world.admin).members.listMembers({})
  const findMembership = (memberId: string) => data.find(member => member.id === memberId)?.workspaces[0]
  assert.equal(
    [findMembership(one.memberId)?.workspaceRole, findMembership(two.memberId)?.workspaceRole],
    ['manager', 'viewer'],
  )
  for (const [call, path] of [
    [bulkUpdateRoles({}), 'members'],
    [bulkUpdateRoles({ memberIds }), 'workspaceRole'],
    [bulkUpdateRoles({ memberIds, members: rows, workspaceRole: 'viewer' }), 'memberIds'],
    [bulkAssignPermissions({ permissions: ['view_reports'] }), 'members'],
    [bulkAssignPermissions({ memberIds }), 'permissions'],
    [bulkAssignPermissions({ memberIds, members: grants, permissions: ['view_reports'] }), 'memberIds'],
  ] as const) {
    const { info } = await refusal(call)
    assert.equal([info.status, info.violations[0]?.path], [400, path])
  }
  const above = await bulk(two)
    .bulkAssignPermissions({ members: grants })
    .catch(error => error.rawMessage)
  assert.is(above, 'Permission denied')
})

test.run()
