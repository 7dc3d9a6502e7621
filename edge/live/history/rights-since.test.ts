import { create } from '@bufbuild/protobuf'
import { GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import type { Standing } from '../sockets/identity.ts'
import { createRightsSince } from './rights-since.ts'

const test = suite('since when rights hold')

const standing = (memberId: string) =>
  ({ access: create(GetAccessResponseSchema, { memberId }), isPlatform: false }) as unknown as Standing

test('a change that is forgotten for want of room counts for everybody; one that concerns others does not', () => {
  const rights = createRightsSince(60_000)
  rights.changed(['ada'], 7)
  assert.equal([rights.of(standing('ada')), rights.of(standing('ben'))], [7, 0])
  for (let n = 0; n < 100_000; n++) rights.changed([`member ${n}`], 8 + n)
  assert.equal([rights.of(standing('ada')), rights.of(standing('ben'))], [7, 7])
  assert.is(rights.of(standing('member 99999')), 100_007)
  rights.clear()
  assert.is(rights.of(standing('ada')), 0)
})

test.run()
