import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { addPerson, openWorld, type TestPerson } from '../kit/member.ts'

const test = suite('Idempotency-Key through the edge')
const { host, urls, end } = await startTestEdge([member, news])
test.after(end)

/** Posts with a key. The result has the bytes of the answer, and the headers that clients act upon. */
async function post(url: string, { userId }: TestPerson, key: string, body: unknown) {
  const authorization = `Bearer ${host.tokenOf(userId)}`
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const headerValues = ['content-type', 'cache-control', 'etag', 'retry-after'].map(name => response.headers.get(name))
  return { status: response.status, text: await response.text(), headerValues }
}

test('a page created twice with one key is one page, and both answers have the same bytes', async () => {
  const { admin, workspaceId } = await openWorld(host)
  const [url, key] = [`${urls.news}/api/v1/pages`, newId()]
  const content = { z: 1.5, '7': [null, true, 'é 🛎'], a: { nested: [] }, blocks: [{ type: 'paragraph' }] }
  const page = { workspaceId, title: 'Open day — été', content }
  const first = await post(url, admin, key, page)
  assert.is(first.status, 201, first.text)
  for (let i = 0; i < 3; i++) assert.equal(await post(url, admin, key, page), first)
  const list = await fetch(`${url}?workspaceId=${workspaceId}`, {
    headers: { authorization: `Bearer ${host.tokenOf(admin.userId)}` },
  })
  assert.is(((await list.json()) as { meta: { total: number } }).meta.total, 1)
  const other = await post(url, admin, key, { ...page, title: 'Other' })
  assert.equal([other.status, JSON.parse(other.text).error], [422, 'UnprocessableError'])
})

test('a stored answer is refused to a suspended caller and without the permission, and returned after both are back', async () => {
  const world = await openWorld(host)
  const { admin, workspaceId } = world
  const page = { workspaceId, title: 'Open day', content: {}, status: 'published' }
  const pageId = JSON.parse((await post(`${urls.news}/api/v1/pages`, admin, newId(), page)).text).id
  const person = await addPerson(host, world, 'manager')
  const { memberId } = person
  const keys = [newId(), newId(), newId()]
  const team = JSON.parse((await post(`${urls.member}/teams`, admin, newId(), { workspaceId, name: 'Day' })).text)
  // The tenant of each is found by its page, workspace or team.
  const repeat = () =>
    Promise.all([
      post(`${urls.news}/api/v1/comments`, person, keys[0] ?? '', { pageId, content: 'Well done' }),
      post(`${urls.member}/teams`, person, keys[1] ?? '', { workspaceId, name: 'Night' }),
      post(`${urls.member}/teams/${team.id}/add-member`, person, keys[2] ?? '', { memberId }),
    ])
  const statuses = async () => (await repeat()).map(one => one.status)
  const first = await repeat()
  assert.equal(
    first.map(one => one.status),
    [201, 201, 201],
  )
  const by = host.as(WorkspaceMemberService, admin.userId)
  await by.suspendWorkspaceMember({ workspaceId, memberId })
  assert.equal(await statuses(), [403, 403, 403])
  await by.reactivateWorkspaceMember({ workspaceId, memberId })
  await by.updateWorkspaceMember({ workspaceId, memberId, workspaceRole: 'viewer', ...only('workspace_role') })
  assert.equal(await statuses(), [201, 403, 403])
  await by.updateWorkspaceMember({ workspaceId, memberId, workspaceRole: 'manager', ...only('workspace_role') })
  assert.equal(await repeat(), first)
})

const only = (...paths: string[]) => ({ updateMask: { paths } })

test('twenty simultaneous requests with one key create one team, and every refusal is a 409 to retry', async () => {
  const { admin, workspaceId } = await openWorld(host)
  const [url, key] = [`${urls.member}/teams`, newId()]
  const team = { workspaceId, name: 'Night' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, admin, key, team)))
  const createdAnswers = answers.filter(({ status }) => status === 201)
  assert.is(new Set(createdAnswers.map(({ text }) => text)).size, 1)
  for (const { status, headerValues } of answers)
    if (status !== 201) assert.equal([status, headerValues[3]], [409, '1'])
  assert.equal(await post(url, admin, key, team), createdAnswers[0])
})

test.run()
