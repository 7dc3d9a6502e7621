import { getOption } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { access as accessOption, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { methods } from '../kit/requests/caller-kinds.ts'

const test = suite('access options')
/** Catalogues that belong to no tenant. */
const catalogues = ['ListTypes', 'ListPermissions']

test('no method of an account or a single person accepts a credential', () => {
  const wrong = methods.filter(method => {
    const { callers, scope } = getOption(method, accessOption)
    return callers.includes(Caller.PERSON_OR_CREDENTIAL) && scope === Scope.IDENTITY
  })
  assert.equal(
    wrong.map(method => method.name),
    catalogues,
  )
})
test.run()
