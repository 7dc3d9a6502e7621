import { getOption, type DescMethod } from '@bufbuild/protobuf'
import { type Access, access as accessOption, Caller, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import { InternalServerError } from '../base/errors.ts'

const accessOptions = new WeakMap<DescMethod, Access>()

/** The access option of a method. A method without one is refused to every caller. */
export function accessOf(method: DescMethod): Access {
  const known = accessOptions.get(method)
  if (known) return known
  const access = getOption(method, accessOption)
  if (access.callers.length === 0 || access.callers.includes(Caller.UNSPECIFIED) || access.scope === Scope.UNSPECIFIED)
    throw new InternalServerError(`${method.toString()} has no access option`)
  accessOptions.set(method, access)
  return access
}
