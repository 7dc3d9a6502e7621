import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { service as auth } from '../../auth/service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('member sessions')
const { host, asUser, asService } = await memberForTest(test, {}, [auth])
const world = await openWorld(host)

test('a session is stored by the authentication service, for the caller or by a service', async () => {
  const { memberId, userId } = world.admin
  const fields = { memberId, userAgent: 'Desk 1.0', ip: '203.0.113.7', appType: 'dashboard' }
  for (const client of [asUser(userId).sessions, asService.sessions]) {
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
  assert.is((await refusal(asUser(clerk).sessions.createSession(fields))).info.status, 404)
  const nobody = { memberId: newId(), appType: 'mobile' }
  assert.is((await refusal(asService.sessions.createSession(nobody))).info.status, 404)
})

test.run()
