import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { openWorld, someAddress, type TestPerson } from '../kit/member.ts'

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

test.run()
