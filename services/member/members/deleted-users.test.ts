import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('members of deleted accounts')
const { host, asService } = await memberForTest(test)

test('a person who deletes their account loses all rights, and the record stays', async () => {
  const userId = newId()
  const person = { email: 'leaver@hotel.example', firstName: 'Lea', lastName: 'Ver', userId }
  const { memberId } = await asService.profiles.ensurePlatformAdministrator(person)
  const body = { type: 'user.deleted', payload: { id: userId, userId, email: person.email } }
  await host.bus.publish('platform.auth.user.deleted', JSON.stringify(body), { id: newId() })
  const gone = await eventually(async () => {
    const error = await refusal(asService.access.getAccess({ userId }))
    return error.info.status === 404 ? error : undefined
  })
  assert.is(gone.rawMessage, 'Member not found')
  const { profile } = await asService.profiles.getProfile({ memberId })
  assert.equal([profile?.isActive, profile?.userId], [false, undefined])
})

test.run()
