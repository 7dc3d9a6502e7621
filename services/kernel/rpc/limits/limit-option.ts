import { type DescMethod, getOption, hasOption, ScalarType } from '@bufbuild/protobuf'
import {
  AddressLimit,
  access,
  Caller,
  type Limit,
  limit as limitOption,
} from '../../../../gen/platform/options/v1/options_pb.ts'

/** The limit option of a method. Undefined for a method that needs a credential and has no limit. */
export const limitOf = (method: DescMethod): Limit | undefined =>
  hasOption(method, limitOption) ? getOption(method, limitOption) : undefined

/** Set by the edge alone on calls for the session of one of its pages, which have a limit of their own. */
export const pageSessionHeader = 'x-page-session'

/** Address limits whose calls the handlers count: see the comments of AddressLimit. */
const limitsOfHandlers: ReadonlySet<AddressLimit> = new Set([AddressLimit.SIGN_IN, AddressLimit.UNKNOWN_TOKEN])

export const isCountedByHandler = (limit: Limit): boolean => limitsOfHandlers.has(limit.address)

/** Describes what is wrong with a method's limit option; undefined when it is correct. */
export function limitProblem(method: DescMethod): string | undefined {
  const limit = limitOf(method)
  const isPublic = getOption(method, access).callers.includes(Caller.PUBLIC)
  if (isPublic && (limit?.address ?? AddressLimit.UNSPECIFIED) === AddressLimit.UNSPECIFIED)
    return 'is public, but has no limit option for the client address'
  if (!limit) return undefined
  const { address, reason, subject, policy, perHour, own } = limit
  if (!isPublic && address !== AddressLimit.UNSPECIFIED)
    return 'limits the client address, but its callers have a credential'
  if ((address === AddressLimit.NONE) !== (reason !== ''))
    return 'ADDRESS_LIMIT_NONE requires a reason, and only it may have one'
  if ((subject === '') !== (policy === '')) return 'a subject and a policy must be set together'
  if (subject === '' && (perHour > 0 || own)) return 'limits a subject, but names none'
  const field = method.input.fields.find(({ name }) => name === subject)
  if (subject !== '' && field?.scalar !== ScalarType.STRING)
    return `no text field "${subject}" in ${method.input.typeName}`
  const isCounted = subject !== '' || address > AddressLimit.NONE
  return isCounted && method.methodKind !== 'unary' ? 'only unary calls are counted' : undefined
}
