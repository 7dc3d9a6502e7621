import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import type { ConnectRouterOptions, ContextValues, Interceptor } from '@connectrpc/connect'
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node'
import { checkContent } from '../../json/content.ts'
import { maxDepth } from './cost.ts'

/**
 * Checks a call by its headers before its body is read, and throws the refusal.
 * @param header as the call's RPC receives it
 */
export type HeaderCheck = (method: DescMethod, header: (name: string) => string | undefined) => unknown

/** A level of JSON is up to two messages in protobuf, plus the message itself and its wrappers. */
export const messageDepth = 2 * maxDepth + 10

const writeMaxBytes = 8 * 1024 * 1024

const compressAsync = promisify(brotliCompress)
/** Connect's own uses quality 11, at about 1 MB/s of a core. */
const fastBrotli: typeof compressionBrotli = {
  ...compressionBrotli,
  compress: async bytes => compressAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
}

type Options = {
  interceptors?: Interceptor[]
  checkHeaders: (...call: [...Parameters<HeaderCheck>, values: ContextValues]) => unknown
  /** Whether request bodies may be compressed, and answers are. */
  compresses: boolean
  maxTimeoutMs: number
}

/**
 * Options of Connect's handlers for bodies that `boundBody` bounds. The steps are the same on every surface: credential,
 * size, decoding, content; validation and access follow in the interceptors.
 */
export function handlerOptions({ interceptors = [], checkHeaders, compresses, maxTimeoutMs }: Options) {
  return {
    interceptors: [contentCheck, ...interceptors],
    acceptCompression: compresses ? [compressionGzip, fastBrotli] : [],
    binaryOptions: { readUnknownFields: false, recursionLimit: messageDepth },
    requestGate: async ({ method, requestHeader, values }) => {
      await checkHeaders(method, name => requestHeader.get(name) ?? undefined, values)
    },
    writeMaxBytes,
    maxTimeoutMs,
  } satisfies ConnectRouterOptions
}

/** Gives a request over HTTP/1.0 a host: Connect's adapter throws without one, which would end the process. */
export function nameHost({ headers }: IncomingMessage | Http2ServerRequest): void {
  headers.host ??= 'localhost'
}

/** Finds the method of a request by its path. */
export function methodFinder(services: readonly DescService[]) {
  const methods = new Map(
    services.flatMap(service => service.methods.map(method => [`/${service.typeName}/${method.name}`, method])),
  )
  return ({ url = '' }: IncomingMessage | Http2ServerRequest): DescMethod | undefined =>
    methods.get(url.split('?', 1)[0] ?? '')
}

/** Checks messages by the rules for JSON: list limits, texts without NUL, times that can be stored. */
const contentCheck: Interceptor = next => request => {
  const { input } = request.method
  if (!request.stream) {
    checkContent(input, request.message)
    return next(request)
  }
  async function* checked(messages: AsyncIterable<Message>) {
    for await (const message of messages) {
      checkContent(input, message)
      yield message
    }
  }
  return next({ ...request, message: checked(request.message) })
}
