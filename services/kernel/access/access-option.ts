import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { type Access, access as accessOption, Caller, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import { InternalServerError } from '../base/errors.ts'
import { memoizeByObject } from '../base/memo.ts'

/** The access option of a method. A method without one is refused to every caller. */
export const accessOf = memoizeByObject((method: DescMethod): Access => {
  const access = getOption(method, accessOption)
  if (access.callers.length === 0 || access.callers.includes(Caller.UNSPECIFIED) || access.scope === Scope.UNSPECIFIED)
    throw new InternalServerError(`${method.toString()} has no access option`)
  return access
})
