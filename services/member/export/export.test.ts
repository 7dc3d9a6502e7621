import { assert, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { csvCell } from '../../kernel/files/csv.ts'

const test = suite('export')
const { host, asUser } = await memberForTest(test)
const world = await openWorld(host)

async function fetchFile(userId: string, format?: string) {
  const parts: Uint8Array[] = []
  let head: { contentType: string; fileName: string; attachment: boolean } | undefined
  const request = { workspaceId: world.workspaceId, ...(format ? { format } : {}) }
  for await (const { chunk } of asUser(userId).exports.exportMembers(request)) {
    if (chunk?.head) head = chunk.head
    if (chunk) parts.push(chunk.data)
  }
  return { head, bytes: Buffer.concat(parts) }
}

test('members are exported as csv, with formulas escaped', async () => {
  const clerk = await addPerson(host, world, 'viewer', { firstName: '=1+1', lastName: 'O"Neil, É' })
  await asUser(world.admin).teams.createTeam({
    workspaceId: world.workspaceId,
    name: 'Front',
    leaderId: clerk.memberId,
  })
  const { head, bytes } = await fetchFile(world.admin.userId)
  assert.equal(
    [head?.contentType, head?.fileName, head?.attachment],
    ['text/csv; charset=utf-8', 'members-le-phare.csv', true],
  )
  const lines = bytes.toString().split('\r\n')
  assert.ok(lines[0]?.startsWith('\uFEFFid,firstName,lastName,email'))
  const line = lines.find(one => one.startsWith(clerk.memberId)) ?? ''
  assert.ok(line.includes(`,'=1+1,"O""Neil, É",`))
  assert.ok(line.includes(',viewer,active,view_members,Front,,'))
  assert.is(lines.length, 4)
  assert.is((await fetchFile(world.admin.userId, 'xlsx')).head?.fileName, 'members-le-phare.xlsx')
})

test('a cell is escaped whatever it starts with', () => {
  for (const text of ['=1', '+1', '-1', '@a', '  =1', '\t=1', '\uFF1D1']) assert.match(csvCell(text), /^"?'/)
  assert.is(csvCell('plain'), 'plain')
})

test.run()
