import { strict as assert } from 'node:assert'
import { type BulkAddMembersResponse, BulkService } from '../gen/platform/member/v1/bulk_pb.ts'
import { MemberService } from '../gen/platform/member/v1/members_pb.ts'
import { newId } from '../services/kernel/base/ids.ts'
import { connectDatabase } from '../services/kernel/database/connection.ts'
import { service as member } from '../services/member/service.ts'
import { startTestHost, type TestHost } from '../test/kit/kit.ts'
import { addPerson, openWorld, type Person } from '../test/kit/member.ts'
import type { Platform } from '../test/kit/platform/platform.ts'
import { line, median } from './support/figures.ts'
import { interleaved, type Side, table } from './support/load.ts'
import { childRunning, mostMemory, processorTime, residentMemory } from './support/processes.ts'
import { sized } from './support/size.ts'
import { type Seeded, seed, startPlain, startPlatform, withServers } from './support/world.ts'

const [rounds, seconds] = sized([5, 6], [1, 3], [1, 1])
const people = sized(100_000, 100_000, 2_000)

/**
 * Members: the cost of rights checks, a deep hierarchy, bulk calls, lists and searches of a large workspace, and its
 * export.
 */
export async function benchMembers(): Promise<string> {
  return withServers(async () => [await inOneProcess(), await overRest()].join('\n\n'))
}

async function inOneProcess(): Promise<string> {
  // As in production, without the guard that checks every statement in development and tests.
  process.env['NODE_ENV'] = 'production'
  const host = await startTestHost([member])
  const world = await openWorld(host)
  const crowd = await Promise.all(Array.from({ length: 64 }, () => addPerson(host, world, 'manager')))
  const warm = await checksPerSecond(host, crowd, world.workspaceId, sized(200_000, 200_000, 640), false)
  const cold = await checksPerSecond(host, crowd, world.workspaceId, sized(20_000, 6_400, 640), true)
  const tree = await hierarchyTimes(host, world.admin, world.workspaceId)
  const bulk = await bulkTimes(host)
  await host.end()
  return [
    '| measure | figure |\n|-|-|',
    line('effective rights checked per second, warm', warm.toFixed(0)),
    line('effective rights computed from the database and checked per second', cold.toFixed(0)),
    line('5 levels × 1,000 members below one, RPC, median', `${median(tree.times).toFixed(1)} ms`),
    line('the same, least', `${Math.min(...tree.times).toFixed(1)} ms`),
    line('processor time of it, database and service', `${tree.processor.toFixed(1)} ms`),
    ...Object.entries(bulk).map(([name, times]) =>
      line(`bulk, 1,000 rows in one call: ${name}, median (most)`, `${ms(median(times))} (${ms(Math.max(...times))})`),
    ),
  ].join('\n')
}

/** The gate's own check of a permission in a workspace, 64 at a time. */
async function checksPerSecond(host: TestHost, crowd: Person[], workspaceId: string, count: number, isCold: boolean) {
  const holds = async ({ userId }: Person): Promise<boolean> => {
    const access = await host.rights.ofUser(userId)
    const own = access?.workspaces.find(one => one.workspaceId === workspaceId)
    return own?.permissions.includes('manage_members') ?? false
  }
  const batch = async () => {
    if (isCold) host.rights.clear()
    assert.ok((await Promise.all(crowd.map(holds))).every(Boolean))
  }
  for (let i = 0; i < 10; i++) await batch()
  const began = performance.now()
  for (let done = 0; done < count; done += crowd.length) await batch()
  return count / ((performance.now() - began) / 1000)
}

async function hierarchyTimes(host: TestHost, admin: Person, workspaceId: string) {
  const db = await connectDatabase(host.databaseUrl('member'))
  let superiors = [admin.memberId]
  for (let level = 0; level < 5; level++) {
    const ids = Array.from({ length: 1_000 }, () => newId())
    await db.query('insert into members (id, first_name, last_name, email, live_email, superior_id) values ?', [
      ids.map((id, at) => [
        id,
        'Ana',
        `Number ${(at * 7919) % 1000}`,
        `${id}@b.example`,
        `${id}@b.example`,
        superiors[at % superiors.length],
      ]),
    ])
    const columns = 'workspace_id, member_id, permission_slugs, sort_first, sort_last, superior_id'
    await db.query(`insert into workspace_members (${columns}) values ?`, [
      ids.map((id, at) => [
        ...[workspaceId, id, '[]', 'Ana', `Number ${(at * 7919) % 1000}`],
        superiors[at % superiors.length],
      ]),
    ])
    superiors = ids
  }
  await db.end()
  const ask = async () => {
    const began = performance.now()
    const { subordinates } = await host.as(MemberService, admin.userId).getMemberHierarchy({ id: admin.memberId })
    assert.equal(subordinates.length, 1_000)
    return performance.now() - began
  }
  for (let round = 0; round < sized(20, 20, 1); round++) await ask()
  const database = childRunning('mariadbd')
  const used = () => processorTime(database) + processorTime(process.pid)
  const [before, times] = [used(), [] as number[]]
  for (let round = 0; round < sized(100, 100, 2); round++) times.push(await ask())
  return { times, processor: (used() - before) / times.length }
}

/** The three bulk calls with a thousand rows, each time in a new workspace. */
async function bulkTimes(host: TestHost) {
  const times: Record<'add members' | 'update roles' | 'assign permissions', number[]> = {
    'add members': [],
    'update roles': [],
    'assign permissions': [],
  }
  for (let round = 0; round < sized(10, 3, 1); round++) {
    const { admin } = await openWorld(host)
    const bulk = host.as(BulkService, admin.userId)
    const timed = async (
      name: keyof typeof times,
      call: () => Promise<Pick<BulkAddMembersResponse, 'results' | 'succeeded'>>,
    ) => {
      const began = performance.now()
      const report = await call()
      times[name].push(performance.now() - began)
      assert.equal(report.succeeded, 1_000)
      return report
    }
    const person = () => ({ email: `${newId()}@b.example`, firstName: 'Ana', lastName: 'Roux' })
    const members = Array.from({ length: 1_000 }, person)
    const { results } = await timed('add members', () => bulk.bulkAddMembers({ members }))
    const memberIds = results.map(one => one.memberId ?? '')
    const roles = memberIds.map(memberId => ({ memberId, workspaceRole: 'viewer' }))
    await timed('update roles', () => bulk.bulkUpdateRoles({ members: roles }))
    await timed('assign permissions', () => bulk.bulkAssignPermissions({ memberIds, permissions: ['view_reports'] }))
  }
  return times
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`

/** Requests for a list of a hundred thousand, one after another. */
async function askedLists(platform: Platform, seeded: Seeded): Promise<string> {
  const [id = ''] = seeded.memberIds.slice(-1)
  const asked = {
    'first page': '',
    'last page': `&page=${people / 20}`,
    'search: part of every name': '&search=number',
    'search: part of few names': `&search=${encodeURIComponent(`BER ${id.slice(-4)}`)}`,
    'search: part of an e-mail': `&search=${id.slice(3)}`,
    'search: nobody': '&search=100%25',
    'one role, everybody': '&workspaceRole=member',
    'one role, few': '&workspaceRole=admin',
    active: '&isActive=true',
    suspended: '&status=suspended',
    'role, status, active and search': '&workspaceRole=member&status=active&isActive=true&search=number%201',
  }
  const rows: string[] = []
  for (const [name, query] of Object.entries(asked)) {
    const times: number[] = []
    let total = 0
    for (let round = 0; round < sized(30, 5, 1); round++) {
      const began = performance.now()
      const url = `${platform.urls.member}/members/get/all?workspaceId=${seeded.workspaceId}${query}`
      const response = await fetch(url, { headers: headersOf(seeded) })
      total = ((await response.json()) as { meta: { total: number } }).meta.total
      times.push(performance.now() - began)
      assert.equal(response.status, 200)
    }
    rows.push(line(name, String(total), ms(median(times)), ms(Math.max(...times))))
  }
  return [`| GET /members/get/all of ${people} | found | median | most |\n|-|-|-|-|`, ...rows].join('\n')
}

async function overRest(): Promise<string> {
  const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
  const seeded = await seed(platform, people, 0)
  const exports = [await exported(platform, seeded, 'csv'), await exported(platform, seeded, 'xlsx')]
  const lists = await askedLists(platform, seeded)
  const plain = await startPlain(platform, 'plain Express, rows alone', 'no')
  const query = `/members/get/all?workspaceId=${seeded.workspaceId}&page=1&limit=20`
  const ours: Side = { name: 'platform, with total', url: platform.urls.member + query, headers: headersOf(seeded) }
  const sides = [ours, plain.side(query)]
  await check(sides)
  const rows = await interleaved(
    sides.map(side => ({ ...side, pages: 50 })),
    rounds,
    seconds,
  )
  plain.stop()
  await platform.stop()
  return [
    `| export of ${people} members | rows/s | MB | MiB above idle |\n|-|-|-|-|`,
    ...exports,
    `\n${lists}`,
    `\nGET /members/get/all, 20 of ${people}, each request another of the first 50 pages:\n\n${table(rows)}`,
  ].join('\n')
}

const headersOf = ({ token }: Seeded) => ({ authorization: `Bearer ${token}` })

/** Both must return the same people before either is measured. */
async function check(sides: Side[]): Promise<void> {
  const bodies = await Promise.all(sides.map(async ({ url, headers }) => (await fetch(url, { headers })).json()))
  const [ours, others] = (bodies as { data: object[] }[]).map(({ data }) => data)
  assert.equal(ours?.length, 20)
  assert.deepEqual(others, ours)
}

/** Reads a whole export and discards it. */
async function exported(platform: Platform, seeded: Seeded, format: string): Promise<string> {
  const pid = childRunning('cli/worker.ts')
  await new Promise(resolve => setTimeout(resolve, 2_000))
  const idle = residentMemory(pid)
  const began = performance.now()
  const { most, result } = await mostMemory(pid, async () => {
    const url = `${platform.urls.member}/export/members/workspace/${seeded.workspaceId}?format=${format}`
    const { status, body } = await fetch(url, { headers: headersOf(seeded) })
    assert.equal(status, 200)
    let bytes = 0
    for await (const part of body ?? []) bytes += (part as Uint8Array).length
    return bytes
  })
  const took = (performance.now() - began) / 1000
  return line(format, (people / took).toFixed(0), (result / 1e6).toFixed(1), (most - idle).toFixed(0))
}
