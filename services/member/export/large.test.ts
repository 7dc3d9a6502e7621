import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { fillWorkspace, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('export of a large workspace')
const many = 12_000
const { host, sql, asUser } = await memberForTest(test)
const world = await openWorld(host)
// A third of them share one name, so that chunks end among these.
const nameOf = (index: number) =>
  index % 3 === 0 ? ['Ana', 'Same'] : [`Ana ${index % 7}`, `Élan ${(index * 7919) % many}`]
const ids = await fillWorkspace(sql, world.workspaceId, many, nameOf)

const read = (format: string) => asUser(world.admin).exports.exportMembers({ workspaceId: world.workspaceId, format })

/** Running statements in the service's database, without this one. */
async function countStatements(): Promise<number> {
  const [rows] = await sql.query(
    `select count(*) as n from information_schema.processlist
     where db = database() and command <> 'Sleep' and id <> connection_id()`,
  )
  return Number((rows as { n: number }[])[0]?.n)
}

const answers = async () => {
  const { meta } = await asUser(world.admin).members.listMembers({ limit: 1 })
  return meta?.total
}

test('a file contains every member once, in the order of the list', async () => {
  const parts: Uint8Array[] = []
  for await (const { chunk } of read('csv')) parts.push(chunk?.data ?? new Uint8Array())
  const lines = Buffer.concat(parts).toString().trimEnd().split('\r\n')
  assert.is(lines.length, many + 2)
  const [memberRows] = await sql.query(
    `select member_id as id from workspace_members where workspace_id = ? and left_at is null
     order by sort_last, sort_first, member_id`,
    [world.workspaceId],
  )
  assert.equal(
    lines.slice(1).map(line => line.slice(0, 24)),
    (memberRows as { id: string }[]).map(row => row.id),
  )
})

test('slow readers beyond the number of connections cause no read-ahead and delay no other caller', async () => {
  const readers = Array.from({ length: 12 }, (_, index) => read(index % 2 ? 'csv' : 'xlsx')[Symbol.asyncIterator]())
  // The file header, and the first bytes of the rows.
  for (let part = 0; part < 2; part++) await Promise.all(readers.map(one => one.next()))
  await eventually(async () => (await countStatements()) === 0)
  assert.is(await answers(), many + 1)
  const [last] = await sql.query(
    `select member_id as id from workspace_members where workspace_id = ? and left_at is null
     order by sort_last desc, sort_first desc, member_id desc limit 1`,
    [world.workspaceId],
  )
  const { id = '' } = (last as { id: string }[])[0] ?? {}
  await asUser(world.admin).members.deleteMember({ id })
  let rest = ''
  const [, csv] = readers
  for (let part = await csv?.next(); part && !part.done; part = await csv?.next())
    rest += Buffer.from(part.value.chunk?.data ?? []).toString()
  assert.ok(rest.includes(ids[1] ?? 'none') && rest.endsWith('\r\n'))
  assert.not.ok(rest.includes(id), 'what was deleted before it was read is not in the file')
  for (const reader of readers) await reader.return?.()
})

test('readers who disconnect leave no statement and no connection open', async () => {
  for (const format of ['csv', 'xlsx']) {
    const readers = Array.from({ length: 20 }, async () => {
      let parts = 0
      for await (const { chunk } of read(format)) if (chunk && ++parts === 3) break
      assert.is(parts, 3)
    })
    await Promise.all(readers)
  }
  await eventually(async () => (await countStatements()) === 0)
  const all = await Promise.all(Array.from({ length: 20 }, answers))
  assert.equal(new Set(all), new Set([many]))
})

test.run()
