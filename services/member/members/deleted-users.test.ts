import { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { ProfileService } from '../../../gen/platform/member/v1/profiles_pb.ts'
import { assert, eventually, refusal, startTestHost, suite, type TestHost } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'
import { service as member } from '../service.ts'

const test = suite('members of deleted accounts')
let host: TestHost
test.before(async () => {
  host = await startTestHost([member])
})
test.after(() => host.end())

test('a person who deletes their account loses all rights, and the record stays', async () => {
  const userId = newId()
  const person = { email: 'leaver@hotel.example', firstName: 'Lea', lastName: 'Ver', userId }
  const { memberId } = await host.client(ProfileService).ensurePlatformAdministrator(person)
  const body = { type: 'user.deleted', payload: { id: userId, userId, email: person.email } }
  await host.bus.publish('platform.auth.user.deleted', JSON.stringify(body), { id: newId() })
  const gone = await eventually(async () => {
    const error = await refusal(host.client(AccessService).getAccess({ userId }))
    return error.info.status === 404 ? error : undefined
  })
  assert.is(gone.rawMessage, 'Member not found')
  const { profile } = await host.client(ProfileService).getProfile({ memberId })
  assert.equal([profile?.isActive, profile?.userId], [false, undefined])
})

test.run()
