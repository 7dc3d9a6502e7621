import { startEdge } from '../../edge/edge.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog, silentLog } from '../../services/kernel/process/log.ts'
import { startHost } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { anyPorts, startTestEdge } from '../kit/edge.ts'
import { assert, refusal, suite } from '../kit/kit.ts'
import { addPerson, fillWorkspace, openWorld } from '../kit/member.ts'
import { freePorts } from '../kit/platform/ports.ts'
import { testPool } from '../kit/sql.ts'

const test = suite('whole lists')

// One edge in the service's process, and one that reaches it over the network, where messages have a size limit.
const [port] = await freePorts(1)
const localEdge = await startTestEdge([member], { MEMBER_RPC_PORT: `${port}` })
const { host } = localEdge
const remoteEnv = { ...host.env, ...anyPorts, MEMBER_RPC_URL: `http://127.0.0.1:${port}` }
const remoteHost = await startHost([], remoteEnv, silentLog, { accounts: 'unchecked' })
const edge = await startEdge(remoteHost, remoteEnv, createLog('edge', 'fatal'))
const sql = testPool(host.databaseUrl('member'))
test.after(async () => {
  await edge.stop()
  await remoteHost.stop()
  await sql.end()
  await localEdge.end()
})

const apiKey = { 'x-api-key': String(host.env['SERVICE_API_KEY']) }
const fetchMembers = (base: string, hotelId: string, query = '', init: RequestInit = {}) =>
  fetch(`${base}/members/get/by/hotel_id/${hotelId}${query}`, { headers: apiKey, ...init })
const bearer = ({ userId }: { userId: string }) => ({ authorization: `Bearer ${host.tokenOf(userId)}` })
type List = { data: { id: string; lastName: string }[]; meta: object }

test('the members of a large hotel are returned whole, by name, from an edge that reaches the service over the network', async () => {
  const { hotelId, workspaceId, admin } = await openWorld(host)
  const count = 10_000
  const ids = await fillWorkspace(sql, workspaceId, count, at => ['Zoé', `Zz${String(at).padStart(5, '0')}`])
  await sql.query(
    "update members set photo_url = concat('https://photos.example/', repeat('p', 900)) where id in (?)",
    [ids],
  )
  await sql.query(
    `insert into ecosystem_memberships (member_id, ecosystem_id, permissions)
     select member_id, ?, '[]' from workspace_members where workspace_id = ? and member_id in (?)`,
    [hotelId, workspaceId, ids],
  )
  // A message with the whole list exceeds that limit.
  const wholeList = remoteHost.client(HotelMemberService).listHotelMembers({ id: hotelId })
  const { info, cause } = await refusal(wholeList)
  assert.equal([info.status, info.class], [500, 'InternalServerError'])
  assert.match(String(cause), /larger than|exceed|too large|writeMaxBytes/i)
  for (const base of [localEdge.urls.member, edge.urls.member]) {
    const response = await fetchMembers(base, hotelId)
    assert.equal([response.status, response.headers.get('cache-control')], [200, 'no-store'])
    const text = await response.text()
    assert.ok(text.length > 9_000_000)
    const { data, meta } = JSON.parse(text) as List
    // One more than a list shows whole.
    assert.equal(meta, { total: count + 1, page: 1, limit: count, totalPages: 2 })
    assert.equal(
      data.filter(one => one.lastName !== 'Chef').map(({ id }) => id),
      ids.slice(0, -1),
    )
    const page = (await (await fetchMembers(base, hotelId, '?page=2&limit=100')).json()) as List
    assert.equal(page.data, data.slice(100, 200))
    const none = (await (await fetchMembers(base, hotelId, '?isActive=false')).json()) as List
    assert.equal(none, { data: [], meta: { total: 0, page: 1, limit: 20, totalPages: 0 } })
  }
  // The workspace itself shows as many, and their number.
  const detail = await fetch(`${edge.urls.member}/workspaces/get/${workspaceId}`, { headers: bearer(admin) })
  const { members, membersCount } = (await detail.json()) as { members: unknown[]; membersCount: number }
  assert.equal([members.length, membersCount], [count, count + 1])
  // A client that disconnects midway must block no one.
  const controller = new AbortController()
  const cut = await fetchMembers(edge.urls.member, hotelId, '', { signal: controller.signal })
  await cut.body?.getReader().read()
  controller.abort()
  assert.is((await fetchMembers(edge.urls.member, hotelId, '', { method: 'HEAD' })).status, 200)
})

test('a list beyond 10,000 entries comes with its first 10,000 and their total, and the rest page by page', async () => {
  const { hotelId, workspaceId, admin } = await openWorld(host)
  const count = 10_100
  await sql.query(
    `insert into onboardings (id, email, ecosystem_id, workspace_id, token_digest, permissions, status, expires_at)
     select lpad(hex(seq), 24, '0'), concat('guest', seq, '@guests.example'), ?, ?, lpad(seq, 64, '0'), '[]', 'cancelled', now()
     from seq_1_to_${count}`,
    [hotelId, workspaceId],
  )
  for (const { urls } of [localEdge, edge]) {
    const list = async (query: string) => {
      const response = await fetch(`${urls.member}/onboarding/get/all?status=cancelled${query}`, {
        headers: bearer(admin),
      })
      assert.is(response.status, 200)
      return (await response.json()) as List
    }
    const wholeList = await list('')
    assert.is(wholeList.data.length, 10_000)
    assert.equal(wholeList.meta, { total: count, page: 1, limit: 10_000, totalPages: 2 })
    const last = await list('&page=101&limit=100')
    assert.is(last.data.length, 100)
    assert.is(new Set([...wholeList.data, ...last.data].map(({ id }) => id)).size, count)
  }
})

test('a small hotel’s members are returned in one part, and a caller without access is refused', async () => {
  const world = await openWorld(host)
  const clerk = await addPerson(host, world, 'viewer')
  for (const base of [localEdge.urls.member, edge.urls.member]) {
    const response = await fetchMembers(base, world.hotelId)
    const text = await response.text()
    assert.is(Number(response.headers.get('content-length')), Buffer.byteLength(text))
    assert.equal((JSON.parse(text) as List).data.length, 2)
    const clerkAnswer = await fetchMembers(base, world.hotelId, '', { headers: bearer(clerk) })
    assert.is(clerkAnswer.status, 403)
    assert.is((await fetchMembers(base, 'x')).status, 400)
    assert.is((await fetchMembers(base, world.hotelId, '?page=0')).status, 400)
    assert.equal(((await (await fetchMembers(base, newId())).json()) as List).data, [])
  }
})

test.run()
