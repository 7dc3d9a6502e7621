import { Buffer } from 'node:buffer'
import { Readable, type Writable } from 'node:stream'
import {
  create,
  type DescMessage,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { Code, ConnectError, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect'
import { findTrailerError } from '@connectrpc/connect/protocol-grpc'
import { type CallOptions, Client, connectivityState, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { traceHeaders } from '../process/tracing.ts'
import { userAgentHeader } from './call-headers.ts'
import { lateError, longestCallMs } from './deadline.ts'
import { messageDepth } from './door/handlers.ts'
import type { HeadersInput } from './in-process.ts'
import { copyLimitHeaders } from './limits/quota.ts'

/** How long a call waits for a connection, in ms. */
const maxConnectMs = 3_000

/**
 * A connection without an answer to a ping is closed 4.5 s after a call began, so that a vanished machine costs its
 * callers no more. Names are resolved again whenever a connection ends, at most once a second.
 */
const channelOptions = {
  'grpc.keepalive_time_ms': 1_000,
  'grpc.keepalive_timeout_ms': 3_500,
  'grpc.client_idle_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.max_receive_message_length': -1,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
}

/**
 * Calls services in other processes over gRPC, which repeats a call that a stopping server refused at another one.
 * @param baseUrl such as http://127.0.0.1:4001; calls alternate between all addresses of a name
 */
export function remoteTransport(baseUrl: string): Transport & { close(): void } {
  const client = new Client(`dns:///${new URL(baseUrl).host}`, credentials.createInsecure(), channelOptions)

  let lastReadyAt = 0
  /**
   * Resolves once there is a connection. Throws at once when all addresses refuse one, unless there was one a moment
   * ago: then a server is being replaced.
   */
  const connected = async (deadline: number): Promise<void> => {
    const channel = client.getChannel()
    const limit = Math.min(deadline, Date.now() + maxConnectMs)
    for (;;) {
      const state = channel.getConnectivityState(true)
      if (state === connectivityState.READY) return void (lastReadyAt = Date.now())
      const isRefused = state === connectivityState.TRANSIENT_FAILURE
      if (isRefused && Date.now() - lastReadyAt > maxConnectMs) throw unreachable(new Error('connections are refused'))
      await new Promise<void>((resolve, reject) =>
        channel.watchConnectivityState(state, limit, error => {
          if (!error) return resolve()
          reject(limit === deadline ? lateError() : unreachable(error))
        }),
      )
    }
  }

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: HeadersInput | undefined,
      input: MessageInitShape<I>,
    ): Promise<UnaryResponse<I, O>> {
      const deadline = Date.now() + (timeoutMs ?? longestCallMs)
      const { path, serialize, deserialize } = codecOf(method)
      await connected(deadline)
      const answer = Promise.withResolvers<MessageShape<O>>()
      let answerHeader = new Headers()
      const call = client
        .makeUnaryRequest(path, serialize, deserialize, input, toMetadata(header), { deadline }, (error, message) =>
          error
            ? answer.reject(toConnectError(error, signal, answerHeader))
            : answer.resolve(message as MessageShape<O>),
        )
        .on('metadata', (metadata: Metadata) => (answerHeader = toHeaders(metadata)))
      const release = cancelOnAbort(call, signal)
      const message = await answer.promise.finally(release)
      return { stream: false, service: method.parent, method, header: answerHeader, trailer: new Headers(), message }
    },
    async stream<I extends DescMessage, O extends DescMessage>(
      method: DescMethodStreaming<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: HeadersInput | undefined,
      input: AsyncIterable<MessageInitShape<I>>,
    ): Promise<StreamResponse<I, O>> {
      const options: CallOptions = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs }
      const { path, serialize, deserialize } = codecOf(method)
      await connected(Date.now() + (timeoutMs ?? maxConnectMs))
      const call = client.makeBidiStreamRequest(path, serialize, deserialize, toMetadata(header), options)
      const release = cancelOnAbort(call, signal)
      const writable: unknown = call
      Readable.from(input)
        .on('error', () => call.cancel())
        .pipe(writable as Writable)
      const answerHeader = await new Promise<Headers>((resolve, reject) =>
        call
          .on('metadata', (metadata: Metadata) => resolve(toHeaders(metadata)))
          // An answer without messages may have no header.
          .on('status', () => resolve(new Headers()))
          .on('error', error => {
            release()
            reject(toConnectError(error, signal))
          }),
      )
      const messages = async function* (): AsyncGenerator<MessageShape<O>> {
        let isOver = false
        try {
          yield* call.iterator({ destroyOnReturn: false })
          isOver = true
        } catch (error) {
          throw toConnectError(error as Error, signal)
        } finally {
          release()
          // The caller may leave before the end.
          if (!isOver) call.cancel()
        }
      }
      return {
        stream: true,
        service: method.parent,
        method,
        header: answerHeader,
        trailer: new Headers(),
        message: messages(),
      }
    },
    close: () => client.close(),
  }
}

function codecOf<I extends DescMessage, O extends DescMessage>({
  parent,
  name,
  input,
  output,
}: DescMethodUnary<I, O> | DescMethodStreaming<I, O>) {
  return {
    path: `/${parent.typeName}/${name}`,
    serialize: (message: MessageInitShape<I>) => Buffer.from(toBinary(input, create(input, message))),
    deserialize: (bytes: Buffer) => fromBinary(output, bytes, { recursionLimit: messageDepth }),
  }
}

function cancelOnAbort(call: { cancel(): void }, signal: AbortSignal | undefined): () => void {
  const cancel = () => call.cancel()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel)
  return () => signal?.removeEventListener('abort', cancel)
}

/** gRPC headers are printable ASCII: others become characters that no credential, key or entity tag has. */
function toMetadata(header: HeadersInput | undefined): Metadata {
  // A call that was refused waits for the next connection.
  const metadata = new Metadata({ waitForReady: true })
  const entries = header instanceof Headers ? [...header] : Object.entries(header ?? {})
  for (const [name, value] of [...entries, ...Object.entries(traceHeaders() ?? {})])
    metadata.set(name === 'user-agent' ? userAgentHeader : name, toPrintable(String(value)))
  return metadata
}

const toPrintable = (text: string): string => text.replace(/[^ -~]/g, character => (character < ' ' ? '?' : ' '))

function toHeaders(metadata: Metadata): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(metadata.toJSON()))
    for (const value of values) headers.append(name, Buffer.isBuffer(value) ? value.toString('base64') : value)
  return headers
}

/** Codes of calls that end with their connection. */
const brokenCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
  Code.Aborted,
])

/** An error of a service keeps its details. One without details comes from the connection, or from the caller's abort. */
function toConnectError(error: Error, signal: AbortSignal | undefined, answerHeader?: Headers): ConnectError {
  if (!isServiceError(error)) return unreachable(error)
  const trailer = toHeaders(error.metadata)
  const { details, rawMessage, code } =
    findTrailerError(trailer) ?? new ConnectError(error.details, error.code as number)
  const thrown = new ConnectError(rawMessage, code)
  thrown.details = details
  copyLimitHeaders(trailer, thrown.metadata)
  if (answerHeader) copyLimitHeaders(answerHeader, thrown.metadata)
  const isOfService = thrown.findDetails(ErrorInfoSchema).length > 0
  if (!isOfService && code === Code.DeadlineExceeded) return lateError()
  return isOfService || signal?.aborted || !brokenCodes.has(code) ? thrown : unreachable(error)
}

const isServiceError = (error: Error): error is ServiceError => 'metadata' in error

const unreachable = (cause: unknown): ConnectError =>
  new ConnectError('the service cannot be reached', Code.Unavailable, undefined, undefined, cause)
