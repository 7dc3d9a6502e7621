import { create } from '@bufbuild/protobuf'
import { GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import type { CurrentRights } from '../people.ts'
import { createRightsSince } from './rights-since.ts'

const test = suite('time of changed rights')

const rightsOfMember = (memberId: string) =>
  ({ access: create(GetAccessResponseSchema, { memberId }), isPlatform: false }) as unknown as CurrentRights

test('a change dropped for lack of space applies to every member, and a change of other members does not', () => {
  const rights = createRightsSince(60_000)
  rights.changed(['ada'], 7)
  assert.equal([rights.of(rightsOfMember('ada')), rights.of(rightsOfMember('ben'))], [7, 0])
  for (let n = 0; n < 100_000; n++) rights.changed([`member ${n}`], 8 + n)
  assert.equal([rights.of(rightsOfMember('ada')), rights.of(rightsOfMember('ben'))], [7, 7])
  assert.is(rights.of(rightsOfMember('member 99999')), 100_007)
  rights.clear()
  assert.is(rights.of(rightsOfMember('ada')), 0)
})

test.run()
