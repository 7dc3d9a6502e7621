import { WebSocket } from 'ws'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { opened } from '../kit/live/live.ts'
import { addPerson, openWorld, someAddress, type TestPerson } from '../kit/member.ts'

const test = suite('members through the edge')
const { host, urls, end } = await startTestEdge([member])
test.after(end)

const headersOf = (person: TestPerson) => ({ authorization: `Bearer ${host.tokenOf(person.userId)}` })

type Answer = { status: number; body: Record<string, unknown> }

async function post(path: string, person: TestPerson, body: unknown): Promise<Answer> {
  const headers = { ...headersOf(person), 'content-type': 'application/json' }
  const response = await fetch(urls.member + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const openSocket = async (person: TestPerson) =>
  opened(new WebSocket(`${urls.member.replace('http', 'ws')}/ws`, { headers: headersOf(person) }))

const manage = ({ userId }: TestPerson) => host.as(WorkspaceMemberService, userId)

test('a thousand rows with long names fit in one bulk call, and more than 1 MB does not', async () => {
  const { admin } = await openWorld(host)
  const row = () => ({ email: someAddress(), firstName: 'Maximiliana'.repeat(4), lastName: 'de la Tour'.repeat(5) })
  const members = Array.from({ length: 1_000 }, row)
  assert.ok(JSON.stringify({ members }).length > 100_000)
  const { status, body } = await post('/bulk/add-members', admin, { members })
  assert.equal([status, body['succeeded'], body['failed']], [200, 1_000, 0])
  const rows = (body['results'] as { memberId: string }[]).map(({ memberId }) => memberId)
  const roles = rows.map(memberId => ({ memberId, workspaceRole: 'viewer' }))
  assert.is((await post('/bulk/update-roles', admin, { members: roles })).body['succeeded'], 1_000)
  const granted = { memberIds: rows, permissions: ['view_reports'] }
  assert.is((await post('/bulk/assign-permissions', admin, granted)).body['succeeded'], 1_000)
  const tooLong = await post('/bulk/add-members', admin, { members: [{ ...row(), firstName: 'x'.repeat(1_000_000) }] })
  assert.equal([tooLong.status, tooLong.body['message']], [413, 'The body must not exceed 1000000 bytes'])
  const usual = await post('/members', admin, { ...row(), firstName: 'x'.repeat(100_000) })
  assert.equal([usual.status, usual.body['message']], [413, 'The body must not exceed 100000 bytes'])
})

test('member:joined is sent to the workspace and role:updated to the member, and to no stranger', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const clerk = await addPerson(host, world, 'viewer')
  const stranger = (await openWorld(host)).admin
  const [watching, own, foreign] = await Promise.all([admin, clerk, stranger].map(openSocket))
  if (!watching || !own || !foreign) return assert.unreachable()
  assert.equal((await watching.ask('joinWorkspaces', [workspaceId])).event, 'ack')
  assert.equal((await own.ask('joinMember', clerk.memberId)).event, 'ack')
  assert.is((await foreign.ask('joinWorkspaces', [workspaceId])).event, 'error')
  assert.is((await foreign.ask('joinMember', clerk.memberId)).event, 'error')

  const target = { workspaceId, memberId: clerk.memberId }
  await manage(admin).updateWorkspaceMember({
    ...target,
    workspaceRole: 'manager',
    updateMask: { paths: ['workspace_role'] },
  })
  const role = await own.next('role:updated')
  assert.equal(
    [role.data['memberId'], role.data['workspaceId'], role.data['workspaceRole']],
    [clerk.memberId, workspaceId, 'manager'],
  )
  assert.ok((role.data['permissions'] as string[]).includes('manage_members'))

  const late = await addPerson(host, world, 'viewer', { firstName: 'Lea', lastName: 'Late' })
  // Frames of earlier arrivals may still be in transit.
  const joined = await eventually(() => watching.frames.find(one => one.data['id'] === late.memberId))
  assert.equal(
    [joined.event, joined.data['workspaceId'], joined.data['workspaceRole']],
    ['member:joined', workspaceId, 'viewer'],
  )
  await foreign.ask('ping')
  assert.equal(
    foreign.frames.filter(one => one.data['workspaceId'] === workspaceId),
    [],
  )
  for (const { ws } of [watching, own, foreign]) ws.close()
})

test('only spaces may stand between Bearer and its token', async () => {
  const { admin, workspaceId } = await openWorld(host)
  const statusWith = async (authorization: string) =>
    (await fetch(`${urls.member}/workspaces/get/${workspaceId}`, { headers: { authorization } })).status
  const token = host.tokenOf(admin.userId)
  for (const right of [`Bearer ${token}`, `Bearer  ${token}`, `BEARER   ${token}`])
    assert.is(await statusWith(right), 200)
  for (const wrong of [`Bearer${token}`, `Bearer\t${token}`, `Bearer ${token} ${token}`, `Bearer =${token}`])
    assert.is(await statusWith(wrong), 401)
})

test.run()
