import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { type DescMethod, toJson } from '@bufbuild/protobuf'
import { invalid, UnsupportedMediaTypeError } from '../../base/errors.ts'
import { fromJson } from '../../json/decode.ts'
import { isOpenBody, parseJson } from './body.ts'
import { countJson, countProtobuf, protobufBytes, tooLong } from './cost.ts'
import { messageLimits } from './size.ts'

/** Throws when the result exceeds `maxBytes`. */
type Decompress = (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', (bytes, maxBytes) => promisify(gunzip)(bytes, { maxOutputLength: maxBytes })],
  ['br', (bytes, maxBytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: maxBytes })],
])

/** Headers that name the compression of a body or its envelopes, by protocol. */
const compressionHeaders = ['content-encoding', 'connect-content-encoding', 'grpc-encoding']

type Options = {
  /** Whether compressed bodies are accepted. */
  decompresses: boolean
  /** Called with the refusal of a body; returns the final one. */
  refusal?: ((thrown: unknown) => Promise<unknown>) | undefined
}

/**
 * Bounds the body that Connect's handler reads from a request: each message is decompressed, and counted against the
 * limits of its method before anything is built from it. JSON is read by the rules of the routes (json/decode.ts) and
 * passed on as standard JSON.
 */
export function boundBody(
  request: IncomingMessage | Http2ServerRequest,
  method: DescMethod,
  { decompresses, refusal }: Options,
): void {
  const { headers } = request
  const declaredBytes = Number(headers['content-length'] ?? 0)
  const body = { method, type: headers['content-type'] ?? '', compression: takeCompression(headers), declaredBytes }
  // The length of what Connect reads may be another.
  delete headers['content-length']
  const chunks = request.iterator({ destroyOnReturn: false })
  request[Symbol.asyncIterator] = async function* (): NodeJS.AsyncIterator<Uint8Array> {
    try {
      yield* boundedMessages(body, chunks, decompresses)
    } catch (thrown) {
      // The rest of a refused body is discarded, so that the client reads the answer.
      request.resume()
      throw refusal ? await refusal(thrown) : thrown
    }
  }
}

/** A body as its headers describe it. */
type BodyHead = { method: DescMethod; type: string; compression: string | undefined; declaredBytes: number }

/** The uncompressed messages of a body. Those that came in envelopes stay in envelopes. */
export async function* boundedMessages(
  { method, type, compression, declaredBytes }: BodyHead,
  chunks: AsyncIterable<Uint8Array>,
  decompresses: boolean,
): AsyncGenerator<Uint8Array> {
  if (compression !== undefined && !(decompresses && decompressors.has(compression))) throw unknownCompression()
  const limits = messageLimits(method)
  const isJson = /json/i.test(type)
  const maxBytes = isJson ? limits.bytes : protobufBytes(limits)
  const bounded = async (bytes: Uint8Array, isCompressed: boolean): Promise<Uint8Array> => {
    const plain = isCompressed && compression !== undefined ? await decompress(compression, bytes, maxBytes) : bytes
    if (!isJson) {
      countProtobuf(method.input, plain, limits)
      return plain
    }
    countJson(plain, limits)
    return standardJson(method, plain)
  }
  if (/^application\/(?:json|proto)\b/i.test(type)) {
    if (declaredBytes > maxBytes) throw tooLong(limits.bytes)
    yield await bounded(await readAll(chunks, maxBytes), true)
    return
  }
  for await (const { flags, data } of envelopes(chunks, maxBytes)) {
    const isCompressed = (flags & 1) === 1
    if (isCompressed && compression === undefined) throw unknownCompression()
    const plain = await bounded(data, isCompressed)
    yield envelopeHead(flags & ~1, plain.length)
    yield plain
  }
}

function standardJson(method: DescMethod, bytes: Uint8Array): Uint8Array {
  const json = bytes.length === 0 ? {} : parseJson(bytes)
  const message = fromJson(method.input, json, { takesMask: true, isOpen: isOpenBody(method) })
  return Buffer.from(JSON.stringify(toJson(method.input, message)))
}

/** The compression that a request names, if any. Its headers are removed, because Connect gets uncompressed bytes. */
function takeCompression(headers: IncomingMessage['headers']): string | undefined {
  let compression: string | undefined
  for (const name of compressionHeaders) {
    const value = headers[name]
    delete headers[name]
    if (typeof value === 'string' && value !== 'identity' && value !== '') compression = value.toLowerCase()
  }
  return compression
}

async function decompress(compression: string, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes
  try {
    return (await decompressors.get(compression)?.(bytes, maxBytes)) ?? bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes)
    throw invalid('body', 'could not be read', 'json')
  }
}

const unknownCompression = () =>
  new UnsupportedMediaTypeError('The message must be uncompressed, or use a supported compression')

async function readAll(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw tooLong(maxBytes)
    parts.push(chunk)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

/** One byte of flags and four of length. */
const headBytes = 5

/** The messages of a body with several, each behind flags and its length (gRPC, gRPC-Web, Connect streams). */
async function* envelopes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ flags: number; data: Uint8Array }> {
  let pendingChunks: Uint8Array[] = []
  let pendingBytes = 0
  let requiredBytes = headBytes
  for await (const chunk of chunks) {
    pendingChunks.push(chunk)
    pendingBytes += chunk.length
    // Joins chunks only when a head or a message is complete: joining at each chunk is slow for small ones.
    while (pendingBytes >= requiredBytes) {
      const bytes = pendingChunks.length === 1 && pendingChunks[0] ? pendingChunks[0] : Buffer.concat(pendingChunks)
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
      if (length > maxBytes) throw tooLong(maxBytes)
      const end = headBytes + length
      const isComplete = pendingBytes >= end
      if (isComplete) yield { flags: bytes[0] ?? 0, data: bytes.subarray(headBytes, end) }
      const remainder = isComplete ? bytes.subarray(end) : bytes
      pendingChunks = [remainder]
      pendingBytes = remainder.length
      requiredBytes = isComplete ? headBytes : end
    }
  }
  if (pendingBytes > 0) throw invalid('body', 'ends in the middle of a message', 'protobuf')
}

function envelopeHead(flags: number, length: number): Uint8Array {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(flags)
  head.writeUInt32BE(length, 1)
  return head
}
