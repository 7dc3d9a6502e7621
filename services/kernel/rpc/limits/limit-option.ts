import { type DescMethod, getOption, hasOption, ScalarType } from '@bufbuild/protobuf'
import {
  access,
  AddressLimit,
  Caller,
  type Limit,
  limit as limitOption,
} from '../../../../gen/platform/options/v1/options_pb.ts'

/** The limit option of a method. Undefined for a method that needs a credential and has no limit. */
export const limitOf = (method: DescMethod): Limit | undefined =>
  hasOption(method, limitOption) ? getOption(method, limitOption) : undefined

/** Counted by handlers: see the comments of AddressLimit. */
const byHandler: ReadonlySet<AddressLimit> = new Set([AddressLimit.SIGN_IN, AddressLimit.UNKNOWN_TOKEN])

export const countsItself = (limit: Limit): boolean => byHandler.has(limit.address)

/** Describes what is wrong with a method's limit option; undefined when it is correct. */
export function limitProblem(method: DescMethod): string | undefined {
  const limit = limitOf(method)
  const isPublic = getOption(method, access).callers.includes(Caller.PUBLIC)
  if (isPublic && (limit?.address ?? AddressLimit.UNSPECIFIED) === AddressLimit.UNSPECIFIED)
    return 'anybody may call it, and no limit option says which count of the client address takes it'
  if (!limit) return undefined
  const { address, reason, subject, policy, perHour, own } = limit
  if (!isPublic && address !== AddressLimit.UNSPECIFIED) return 'counts the address of callers with a credential'
  if ((address === AddressLimit.NONE) !== (reason !== ''))
    return 'a reason belongs to ADDRESS_LIMIT_NONE, and to it alone'
  if ((subject === '') !== (policy === '')) return 'a subject and the policy of its limit belong together'
  if (subject === '' && (perHour > 0 || own)) return 'limits a subject and names none'
  const field = method.input.fields.find(({ name }) => name === subject)
  if (subject !== '' && field?.scalar !== ScalarType.STRING)
    return `no text field "${subject}" in ${method.input.typeName}`
  const isCounted = subject !== '' || address > AddressLimit.NONE
  return isCounted && method.methodKind !== 'unary' ? 'only unary calls are counted' : undefined
}
