import { SessionService } from '../../../gen/platform/member/v1/sessions_pb.ts'
import { assert, refusal, startTestHost, suite, type TestHost } from '../../../test/kit/kit.ts'
import { addPerson, openWorld, type World } from '../../../test/kit/member.ts'
import { service as auth } from '../../auth/service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { service as member } from '../service.ts'

const test = suite('member sessions')
let host: TestHost
let world: World

test.before(async () => {
  host = await startTestHost([auth, member])
  world = await openWorld(host)
})
test.after(() => host.end())

test('a session is stored by the authentication service, for the caller or by a service', async () => {
  const { memberId, userId } = world.admin
  const fields = { memberId, userAgent: 'Desk 1.0', ip: '203.0.113.7', appType: 'dashboard' }
  for (const client of [host.as(SessionService, userId), host.client(SessionService)]) {
    const { session } = await client.createSession(fields)
    assert.equal(
      [session?.memberId, session?.appType, session?.isActive, session?.ip],
      [memberId, 'dashboard', true, '203.0.113.7'],
    )
    assert.ok(session?.createdAt)
  }
})

test('a session of another person, and of an unknown member, is refused', async () => {
  const clerk = await addPerson(host, world, 'viewer')
  const fields = { memberId: world.admin.memberId, appType: 'mobile' }
  assert.is((await refusal(host.as(SessionService, clerk.userId).createSession(fields))).info.status, 404)
  const nobody = { memberId: newId(), appType: 'mobile' }
  assert.is((await refusal(host.client(SessionService).createSession(nobody))).info.status, 404)
})

test.run()
