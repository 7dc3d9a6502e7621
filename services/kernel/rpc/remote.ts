import { Buffer } from 'node:buffer'
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf'
import { Code, ConnectError, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect'
import { codeFromString } from '@connectrpc/connect/protocol-connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { Pool } from 'undici'
import { ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { traceHeaders } from '../process/tracing.ts'
import { longestCallMs, within } from './deadline.ts'
import { messageDepth } from './door/handlers.ts'
import type { HeadersInput } from './in-process.ts'
import { passQuota } from './limits/quota.ts'
import { lookupShared } from './lookup.ts'
import { http2Sessions } from './remote-sessions.ts'

/** How long a connection may be idle, in ms. */
const idleMs = 3_000
const lookup = lookupShared()

/**
 * Calls services in other processes. Unary calls use pooled keep-alive connections in Connect's binary form, at about
 * half the cost of Connect's client. Streams use Connect's HTTP/2 transport: server streams share a
 * connection; client streams have one each, because a stream that a draining server refused can't be replayed.
 * @param baseUrl such as http://127.0.0.1:4001
 */
export function remoteTransport(baseUrl: string): Transport & { close(): Promise<void> } {
  // Idle connections close long before the server would close them, also one that drains (DRAIN_SECONDS), whatever it
  // announces. So no call meets a server that is closing its connection.
  const kept = { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs }
  const openPool = () => new Pool(baseUrl, { connections: 32, pipelining: 1, connect: { lookup }, ...kept })
  let pool = openPool()
  let renewedAt = 0
  let usedAt = Date.now()
  /** A process behind the address is draining: closes idle connections before it does. */
  const renew = () => {
    if (Date.now() - renewedAt < 100) return
    renewedAt = Date.now()
    const former = pool
    pool = openPool()
    former.close().catch(() => undefined)
  }
  /** The pool for the next call. In a process that stalled, timers are late but the clock is right. */
  const fresh = (): Pool => {
    if (Date.now() - usedAt >= idleMs) renew()
    usedAt = Date.now()
    return pool
  }
  const openHttp2 = () =>
    createConnectTransport({
      baseUrl,
      httpVersion: '2',
      acceptCompression: [],
      sessionManager: http2Sessions(new URL(baseUrl).origin, lookup),
    })
  const streams = openHttp2()

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: HeadersInput | undefined,
      input: MessageInitShape<I>,
    ): Promise<UnaryResponse<I, O>> {
      const limitMs = timeoutMs ?? longestCallMs
      const request = {
        path: `/${method.parent.typeName}/${method.name}`,
        method: 'POST' as const,
        headers: {
          ...headerRecord(header),
          ...traceHeaders(),
          'content-type': 'application/proto',
          'connect-protocol-version': '1',
          'connect-timeout-ms': String(limitMs),
        },
        body: toBinary(method.input, create(method.input, input)),
        // These would start only once the call has a connection.
        headersTimeout: 0,
        bodyTimeout: 0,
      }
      const { statusCode, headers, bytes } = await within(limitMs, async late => {
        const given = signal ? AbortSignal.any([signal, late]) : late
        const answer = await fresh()
          .request({ ...request, signal: given })
          .catch(unreachable)
        if (answer.headers['connection'] === 'close') renew()
        return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer().catch(unreachable)) }
      })
      if (statusCode !== 200) throw errorOf(bytes, statusCode, headers)
      return {
        stream: false,
        service: method.parent,
        method,
        header: new Headers(headers as Record<string, string>),
        trailer: new Headers(),
        message: fromBinary(method.output, bytes, { recursionLimit: messageDepth }),
      }
    },
    async stream(method, signal, timeoutMs, header, input, values) {
      if (method.methodKind !== 'server_streaming')
        return openHttp2()
          .stream(method, signal, timeoutMs, header, input, values)
          .then(answer => withHonestEnd(answer, signal), rethrow(signal))
      const messages: MessageInitShape<typeof method.input>[] = []
      for await (const message of input) messages.push(message)
      for (let tries = 1; ; tries++) {
        try {
          return withHonestEnd(
            await streams.stream(method, signal, timeoutMs, header, replay(messages), values),
            signal,
          )
        } catch (error) {
          if (tries === 3 || signal?.aborted || !isBrokenOff(error)) rethrow(signal)(error)
        }
      }
    },
    close: () => pool.close(),
  }
}

/**
 * Translates errors within an answer's messages: a broken connection otherwise looks as if the caller had cancelled the
 * stream.
 */
function withHonestEnd<I extends DescMessage, O extends DescMessage>(
  answer: StreamResponse<I, O>,
  signal: AbortSignal | undefined,
): StreamResponse<I, O> {
  const messages = async function* () {
    try {
      yield* answer.message
    } catch (error) {
      rethrow(signal)(error)
    }
  }
  return { ...answer, message: messages() }
}

/** Throws a call's error, or "unreachable" for a broken connection. */
const rethrow =
  (signal: AbortSignal | undefined) =>
  (error: unknown): never => {
    if (!signal?.aborted && isBrokenOff(error) && (brokenCodes.has(error.code) || isCutShort(error))) unreachable(error)
    throw error
  }

async function* replay<T>(messages: readonly T[]): AsyncGenerator<T> {
  yield* messages
}

/** Codes of streams that end with their connection. Errors of the platform carry details. */
const brokenCodes: ReadonlySet<Code> = new Set([Code.Canceled, Code.Internal, Code.Unknown, Code.Aborted])

/**
 * Whether a stream broke off before its answer began, without an error of the service: its connection was refused, or
 * closed midway. Server streams only read, so they may be retried.
 */
const isBrokenOff = (error: unknown): error is ConnectError =>
  error instanceof ConnectError &&
  error.code !== Code.DeadlineExceeded &&
  error.findDetails(ErrorInfoSchema).length === 0

/** An answer that ends too early for the protocol; Connect blames the caller (invalid_argument). */
const isCutShort = ({ rawMessage }: ConnectError): boolean => rawMessage.startsWith('protocol error: ')

function unreachable(cause: unknown): never {
  throw new ConnectError('the service cannot be reached', Code.Unavailable, undefined, undefined, cause)
}

function headerRecord(header: HeadersInput | undefined): Record<string, string> {
  if (!header) return {}
  return Object.fromEntries(header instanceof Headers ? header : Object.entries(header)) as Record<string, string>
}

type ErrorBody = { code?: string; message?: string; details?: { type: string; value: string }[] }

/** Reads a Connect error body. Details keep their type and bytes, so ErrorInfo survives the hop. */
function errorOf(bytes: Buffer, status: number, headers: Record<string, string | string[] | undefined>): ConnectError {
  let body: ErrorBody
  try {
    body = JSON.parse(bytes.toString('utf8')) as ErrorBody
  } catch {
    return new ConnectError(`the service answered ${status}`, status >= 502 ? Code.Unavailable : Code.Unknown)
  }
  const error = new ConnectError(body.message ?? '', codeFromString(body.code ?? '') ?? Code.Unknown)
  error.details = (body.details ?? []).map(detail => ({
    type: detail.type,
    value: Buffer.from(detail.value, 'base64'),
  }))
  passQuota(new Headers(headers as Record<string, string>), error.metadata)
  return error
}
