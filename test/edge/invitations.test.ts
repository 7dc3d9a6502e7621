import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { openWorld, someAddress } from '../kit/member.ts'

const test = suite('invited people and their data through the edge')
const { host, urls, end } = await startTestEdge([auth, member, news, notification])
test.after(end)

const { admin, workspaceId } = await openWorld(host)
const adminToken = host.tokenOf(admin.userId)

async function ask(path: string, token?: string, body?: object) {
  const response = await fetch(urls.member + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = isJson ? await response.json() : await response.text()
  return { status: response.status, body: answer as Record<string, unknown>, headers: response.headers }
}

/** Registers somebody and invites them. */
async function invite() {
  const email = someAddress()
  const { accessToken } = await host.as(SignInService).register({ email, password: 'correct horse 7' })
  const { body } = await ask('/onboarding/invite', adminToken, { workspaceId, email })
  return { email, accessToken, token: String(body['token']) }
}

test('a person exports their own data, an administrator the people of the workspace, as files', async () => {
  const { accessToken, token } = await invite()
  const acceptance = await ask(`/onboarding/accept/${token}`, accessToken, {})
  const memberId = String(acceptance.body['memberId'])
  const ownExport = await ask(`/export/member/${memberId}`, accessToken)
  assert.is(ownExport.status, 200)
  assert.is(ownExport.headers.get('content-disposition'), `attachment; filename="member-${memberId}.json"`)
  for (const part of [
    'member',
    'settings',
    'memberships',
    'invitations',
    'audit',
    'lastSeenAt',
    'news',
    'notification',
  ])
    assert.ok(part in ownExport.body, part)
  for (const [format, type] of [
    ['csv', 'text/csv; charset=utf-8'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ]) {
    const { status, headers } = await ask(`/export/members/workspace/${workspaceId}?format=${format}`, adminToken)
    assert.equal([status, headers.get('content-type')], [200, type])
    assert.match(String(headers.get('content-disposition')), new RegExp(`^attachment; filename=.*\\.${format}"`))
  }
})

test.run()
