import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { serverText, stackFrames } from '../base/statement-failures.ts'

/** The fields of an error that may leave the process, beside its type, text and stack [D285]. */
const fields = ['code', 'errno', 'sqlState', 'syscall', 'address', 'port', 'hostname', 'status', 'statusCode', 'signal']
const longest = 2_000
/** Maximum depth of causes and inner errors. */
const deepest = 8

/**
 * The text of a thrown value. A failed statement's text has no values; a value that isn't an error may hold anything.
 */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return (serverText(thrown) ?? thrown.message).slice(0, longest)
  return typeof thrown === 'string' ? thrown.slice(0, longest) : `thrown: ${thrown === null ? 'null' : typeof thrown}`
}

/** A thrown value and its causes, outermost first. */
export function causeChain(thrown: unknown): unknown[] {
  const chain = [thrown]
  for (let cause = thrown; cause instanceof Error && chain.length < deepest; ) {
    cause = cause.cause
    if (cause === undefined || chain.includes(cause)) break
    chain.push(cause)
  }
  return chain
}

/** A thrown value as it is logged: the listed fields only, including those of its causes and inner errors. */
export function errorFacts(thrown: unknown, depth = 0): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: errorText(thrown) }
  const [, ...causes] = causeChain(thrown)
  const inner = thrown instanceof AggregateError && depth < deepest ? thrown.errors : []
  const telling = causes.find(cause => cause instanceof ConnectError || cause instanceof AggregateError)
  return {
    type: thrown.name === 'Error' ? thrown.constructor.name : thrown.name,
    message: [thrown, ...causes].map(errorText).join(': '),
    stack: [thrown, ...causes].flatMap(link => (link instanceof Error ? stackOf(link) : [])).join('\ncaused by: '),
    ...(thrown instanceof ConnectError ? refusalOf(thrown) : plainFields(thrown)),
    ...(inner.length > 0 && { aggregateErrors: inner.slice(0, 20).map(error => errorFacts(error, depth + 1)) }),
    // The text and stack are part of those above.
    ...(telling !== undefined &&
      depth < deepest && { cause: { ...errorFacts(telling, depth + 1), message: undefined, stack: undefined } }),
  }
}

const stackOf = (error: Error): string => `${error.name}: ${errorText(error)}\n${stackFrames(error)}`

function plainFields(error: Error): Record<string, string | number> {
  const values: [string, unknown][] = fields.map(name => [name, Reflect.get(error, name)])
  return Object.fromEntries(
    values.filter(
      (field): field is [string, string | number] =>
        typeof field[1] === 'number' || (typeof field[1] === 'string' && field[1].length <= 100),
    ),
  )
}

/** Code, class and violations of an RPC error, without its headers and the descriptors of its details. */
function refusalOf(error: ConnectError) {
  const info = error.findDetails(ErrorInfoSchema)[0]
  const violations = info?.violations.map(({ path, message, rule }) => ({ path, message, rule }))
  return { code: Code[error.code], class: info?.class, violations }
}
