import {
  create,
  type DescMessage,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect'
import { within } from './deadline.ts'
import { copyLimitHeaders } from './limits/quota.ts'

/** The argument of the Headers constructor. */
export type HeadersInput = ConstructorParameters<typeof Headers>[0]

type AnyHandler = (input: never, context: HandlerContext) => unknown
type Next = (request: UnaryRequest | StreamRequest) => Promise<UnaryResponse | StreamResponse>

const neverAborted = new AbortController().signal

/** Casts a local request, context or answer to Connect's type of the same shape, which only Connect can construct. */
const asConnectType = <T>(value: unknown): T => value as T

/**
 * A call within the process. Headers cost more than the rest of the call, so they are created only when read as such;
 * requestHeader() reads one without creating them.
 */
class LocalCall {
  readonly url = 'local:'
  readonly requestMethod = 'POST'
  readonly protocolName = 'local'
  readonly service: DescService
  readonly method: DescMethodUnary | DescMethodStreaming
  readonly stream: boolean
  readonly signal: AbortSignal
  readonly contextValues: ContextValues
  readonly raw: HeadersInput | undefined
  message: unknown
  #header: Headers | undefined
  #responseHeader: Headers | undefined
  #responseTrailer: Headers | undefined

  constructor(
    method: DescMethodUnary | DescMethodStreaming,
    signal: AbortSignal | undefined,
    raw: HeadersInput | undefined,
    message: unknown,
    values: ContextValues | undefined,
  ) {
    this.service = method.parent
    this.method = method
    this.stream = method.methodKind !== 'unary'
    this.signal = signal ?? neverAborted
    this.contextValues = values ?? createContextValues()
    this.raw = raw
    this.message = message
  }

  get header(): Headers {
    return (this.#header ??= new Headers(this.raw))
  }
  get requestHeader(): Headers {
    return this.header
  }
  get responseHeader(): Headers {
    return (this.#responseHeader ??= new Headers())
  }
  get madeResponseHeader(): Headers | undefined {
    return this.#responseHeader
  }
  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers())
  }
  get values(): ContextValues {
    return this.contextValues
  }
  timeoutMs(): undefined {
    return undefined
  }
}

/** The answer of a local call. Its headers, too, are created on demand. */
class LocalAnswer {
  readonly call: LocalCall
  readonly message: unknown

  constructor(call: LocalCall, message: unknown) {
    this.call = call
    this.message = message
  }
  get stream(): boolean {
    return this.call.stream
  }
  get service(): DescService {
    return this.call.service
  }
  get method(): DescMethodUnary | DescMethodStreaming {
    return this.call.method
  }
  get header(): Headers {
    return this.call.responseHeader
  }
  get trailer(): Headers {
    return this.call.responseTrailer
  }
}

/** Headers that a handler set on its answer; undefined when it set none in this process. */
export function responseHeaders(answer: UnaryResponse | StreamResponse): Headers | undefined {
  return answer instanceof LocalAnswer ? answer.call.madeResponseHeader : answer.header
}

/** A request's header by its lower-case name, for local and remote calls. */
export function requestHeader(request: UnaryRequest | StreamRequest, name: string): string | undefined {
  const raw = request instanceof LocalCall ? request.raw : undefined
  if (raw && !(raw instanceof Headers) && !Array.isArray(raw)) return (raw as Record<string, string>)[name]
  if (request instanceof LocalCall && raw === undefined) return undefined
  return request.header.get(name) ?? undefined
}

/** The service implementations of this process, callable without leaving it. */
export type LocalServices = {
  /** Adds an implementation; missing methods answer as unimplemented. */
  add(service: DescService, implementation: Record<string, unknown>, interceptors: Interceptor[]): void
  transport: Transport
}

/**
 * An empty set of local services and the transport that calls them: same interceptors and messages, without
 * serialisation.
 */
export function localServices(): LocalServices {
  const chains = new Map<DescMethodUnary | DescMethodStreaming, Next>()

  const chainOf = (method: DescMethodUnary | DescMethodStreaming): Next => {
    const chain = chains.get(method)
    if (chain) return chain
    throw new ConnectError(`${method.parent.typeName}.${method.name} is not available`, Code.Unimplemented)
  }

  return {
    add(service, implementation, interceptors) {
      for (const method of service.methods) {
        const handler = implementation[method.localName]
        if (typeof handler !== 'function') continue
        const invoke: Next = call =>
          callHandler(method as DescMethodUnary, handler.bind(implementation) as AnyHandler, call)
        chains.set(
          method as DescMethodUnary,
          interceptors.reduceRight<Next>((next, interceptor) => interceptor(next as never) as Next, invoke),
        )
      }
    },
    transport: {
      async unary<I extends DescMessage, O extends DescMessage>(
        method: DescMethodUnary<I, O>,
        signal: AbortSignal | undefined,
        timeoutMs: number | undefined,
        header: HeadersInput | undefined,
        input: MessageInitShape<I>,
        values?: ContextValues,
      ) {
        const call = new LocalCall(method, signal, header, create(method.input, input), values)
        const answer = () => chainOf(method)(asConnectType(call))
        try {
          return (await (timeoutMs === undefined ? answer() : within(timeoutMs, answer))) as UnaryResponse<I, O>
        } catch (error) {
          if (call.madeResponseHeader && error instanceof ConnectError)
            copyLimitHeaders(call.madeResponseHeader, error.metadata)
          throw error
        }
      },
      async stream<I extends DescMessage, O extends DescMessage>(
        method: DescMethodStreaming<I, O>,
        signal: AbortSignal | undefined,
        _timeoutMs: number | undefined,
        header: HeadersInput | undefined,
        input: AsyncIterable<MessageInitShape<I>>,
        values?: ContextValues,
      ) {
        const call = new LocalCall(method, signal, header, messagesOf(method.input, input), values)
        return (await chainOf(method)(asConnectType(call))) as StreamResponse<I, O>
      },
    },
  }
}

async function* messagesOf<T extends DescMessage>(
  desc: T,
  inits: AsyncIterable<MessageInitShape<T>>,
): AsyncIterable<MessageShape<T>> {
  for await (const init of inits) yield create(desc, init)
}

/** Runs a handler of any kind and shapes its answer as the interceptors expect it. */
async function callHandler(
  method: DescMethodUnary | DescMethodStreaming,
  handler: AnyHandler,
  request: UnaryRequest | StreamRequest,
) {
  const call = asConnectType<LocalCall>(request)
  const input = method.methodKind === 'server_streaming' ? await onlyMessage(request.message) : request.message
  const answer = handler(input as never, asConnectType<HandlerContext>(call))
  if (method.methodKind === 'unary')
    return asConnectType<UnaryResponse>(new LocalAnswer(call, create(method.output, (await answer) as Message)))
  const messages =
    method.methodKind === 'client_streaming'
      ? oneMessage(create(method.output, (await answer) as Message))
      : messagesOf(method.output, answer as AsyncIterable<Message>)
  return asConnectType<StreamResponse>(new LocalAnswer(call, messages))
}

async function onlyMessage(messages: unknown): Promise<unknown> {
  for await (const message of messages as AsyncIterable<unknown>) return message
  throw new ConnectError('missing request message', Code.InvalidArgument)
}

async function* oneMessage<T>(message: T): AsyncIterable<T> {
  yield message
}
