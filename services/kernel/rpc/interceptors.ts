import type { Message } from '@bufbuild/protobuf'
import type { ContextValues, Interceptor, StreamRequest, StreamResponse, UnaryRequest } from '@connectrpc/connect'
import { accessOf, assertSettled, authorize } from '../access/access.ts'
import { actorKey, claimsOfActor, requestIdKey } from '../access/actor.ts'
import { authenticator, type Credentials } from '../access/authenticate.ts'
import { authorizeList } from '../access/empty-lists.ts'
import type { Rights } from '../access/rights.ts'
import { type RpcError, toRpcError } from '../base/errors.ts'
import { currentRequestId, requestIdFor } from '../base/ids.ts'
import { errorText } from '../process/error-facts.ts'
import { reportError } from '../process/error-reports.ts'
import { failureLog } from '../process/failure-log.ts'
import type { Log } from '../process/log.ts'
import type { RpcMetrics } from '../process/metrics.ts'
import { withSpan } from '../process/tracing.ts'
import { deadline } from './deadline.ts'
import { isList } from './implement.ts'
import { requestHeader } from './in-process.ts'
import { requireValid } from './validator.ts'

/** The parts of the process that the interceptors use. */
type Gate = Credentials & {
  log: Log
  rights: Rights
  metrics?: RpcMetrics
}

type Request = UnaryRequest | StreamRequest

/** Statuses of refusals: invalid credentials, missing rights, reached limits. */
const isRefusal: ReadonlySet<number> = new Set([401, 403, 429])

/** The refused caller, as far as known, and the address. */
function refusedCaller(request: Request): Record<string, string | undefined> {
  const actor = request.contextValues.get(actorKey)
  const userId = claimsOfActor(actor)?.userId
  const callerFields = { ...(actor.kind === 'person' ? {} : { caller: actor.kind }), ...(userId ? { userId } : {}) }
  return { ...callerFields, client: requestHeader(request, 'x-client-ip') }
}

/** Logs failures and turns every thrown value into a RpcError. */
const logging = ({ log, metrics }: Gate): Interceptor => {
  const logOutage = failureLog((fields, message) => log.error(fields, message))
  return next => async request => {
    const requestId = requestIdFor(requestHeader(request, 'x-request-id'))
    request.contextValues.set(requestIdKey, requestId)
    const startedAt = performance.now()
    const rpc = `${request.service.typeName}/${request.method.name}`
    const observe = (result: string) => metrics?.observe(rpc, result, performance.now() - startedAt)
    const refusal = (thrown: unknown) => {
      const error = toRpcError(thrown)
      observe(error.info.class)
      const { status } = error.info
      if (status === 500) reportError(error.cause ?? error, { source: rpc, requestId })
      if (isRefusal.has(status)) log.info({ rpc, requestId, status, ...refusedCaller(request) }, error.rawMessage)
      else if (status === 503) {
        // An outage fails every call alike: its reason is logged, once and then counted.
        const reason = errorText(error.cause ?? error)
        logOutage(reason, { rpc, requestId, status, reason }, error.rawMessage)
      } else
        log[status >= 500 ? 'error' : 'debug']({ rpc, requestId, status, err: error.cause ?? error }, error.rawMessage)
      return error
    }
    /** The messages of an answer. One whose caller leaves early counts as ok. */
    async function* observeMessages(messages: AsyncIterable<Message>) {
      let error: RpcError | undefined
      try {
        yield* messages
      } catch (thrown) {
        if (!request.signal.aborted) error = refusal(thrown)
        throw error ?? thrown
      } finally {
        if (!error) observe('ok')
      }
    }
    try {
      const from = { traceparent: requestHeader(request, 'traceparent') }
      const response = await withSpan(rpc, { kind: 'server', from }, () =>
        currentRequestId.run(requestId, () => next(request)),
      )
      if (response.stream) return withMessages(response, observeMessages(response.message))
      observe('ok')
      return response
    } catch (thrown) {
      throw refusal(thrown)
    }
  }
}

/** Identifies the caller before anything else of the request is read. */
const authenticating = (gate: Gate): Interceptor => {
  const authenticate = authenticator(gate)
  return next => async request => {
    const actor = await authenticate(name => requestHeader(request, name), accessOf(request.method))
    request.contextValues.set(actorKey, actor)
    return next(request)
  }
}

/** Validates messages against the constraints of their proto; streamed ones as they pass. */
const validating: Interceptor = next => async request => {
  if (!request.stream) {
    requireValid(request.method.input, request.message)
    return next(request)
  }
  async function* validMessages(messages: AsyncIterable<Message>) {
    for await (const message of messages) {
      requireValid(request.method.input, message)
      yield message
    }
  }
  return next(withMessages(request, validMessages(request.message)))
}

/** The same request or answer with another stream; a copy would lose the getters of a local call. */
const withMessages = <T extends StreamRequest | StreamResponse>(stream: T, message: AsyncIterable<Message>): T =>
  Object.assign(stream, { message })

/** Checks access; see access.ts. */
const authorizing =
  ({ rights }: Gate): Interceptor =>
  next =>
  async request => {
    const { message, scopeMessage } = await firstMessage(request)
    const access = accessOf(request.method)
    if (scopeMessage && isList(request.method)) await authorizeList(access, scopeMessage, request.contextValues, rights)
    else await authorize(access, scopeMessage, request.contextValues, rights)
    const response = await next(request.stream && message ? withMessages(request, message) : request)
    if (response.stream) return withMessages(response, settledMessages(response.message, request.contextValues))
    assertSettled(request.contextValues)
    return response
  }

/** The messages of an answer whose access check is over. */
async function* settledMessages(messages: AsyncIterable<Message>, values: ContextValues) {
  for await (const message of messages) {
    assertSettled(values)
    yield message
  }
}

/** The message that names the scope: the request, or the only request message of a server stream. */
async function firstMessage(request: Request): Promise<{ message?: AsyncIterable<Message>; scopeMessage?: Message }> {
  if (!request.stream) return { scopeMessage: request.message }
  if (request.method.methodKind !== 'server_streaming') return {}
  const messages = request.message[Symbol.asyncIterator]()
  const first = await messages.next()
  if (first.done) return {}
  // A second message is refused where the stream is read.
  async function* fromFirst() {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => messages }
  }
  return { message: fromFirst(), scopeMessage: first.value }
}

/**
 * The interceptors in front of every handler: log, deadline, authenticate, limit, validate, authorise
 * (docs/architecture.md).
 */
export function gateInterceptors(gate: Gate, limiting: Interceptor[] = []): Interceptor[] {
  return [logging(gate), deadline(), authenticating(gate), ...limiting, validating, authorizing(gate)]
}
