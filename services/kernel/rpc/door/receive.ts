import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { create, type DescMethod, type Message } from '@bufbuild/protobuf'
import { type ContextValues, createContextKey, type Interceptor } from '@connectrpc/connect'
import { invalid, UnsupportedMediaTypeError } from '../../base/errors.ts'
import { fromJson } from '../../json/decode.ts'
import { isOpenBody, parseJson } from './body.ts'
import { countJson, countProtobuf, protobufBytes, tooLong } from './cost.ts'
import { messageLimits } from './size.ts'
import { fromWire } from './wire.ts'

/** A decompressor; throws when the result exceeds `most` bytes. */
type Unpack = (bytes: Uint8Array, most: number) => Promise<Uint8Array>

const unpackers: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', (bytes, most) => promisify(gunzip)(bytes, { maxOutputLength: most })],
  ['br', (bytes, most) => promisify(brotliDecompress)(bytes, { maxOutputLength: most })],
])

/** Headers that name the compression of a body or its envelopes, by protocol. */
const packingHeaders = ['content-encoding', 'connect-content-encoding', 'grpc-encoding']

/** A body before it is read, as its headers describe it. */
export type Incoming = {
  method: DescMethod
  type: string
  packing: string | undefined
  length: number
  /** Messages decoded but not yet passed on. */
  messages: Message[]
}

/** Messages of a call that are decoded, and that Connect has not passed on yet. */
const readKey = createContextKey<Message[] | undefined>(undefined, { description: 'messages read' })

const emptyOf = { json: new TextEncoder().encode('{}'), binary: new Uint8Array(0) }

/** Describes a body by its headers. Removes those that don't hold for the empty messages given to Connect. */
export function incoming(method: DescMethod, header: Headers, values: ContextValues): Incoming {
  const messages: Message[] = []
  values.set(readKey, messages)
  const type = header.get('content-type') ?? ''
  const length = Number(header.get('content-length') ?? 0)
  header.delete('content-length')
  return { method, type, packing: takePacking(header), length, messages }
}

/**
 * Decodes the messages of a body by the rules of every surface, and gives Connect an empty one in place of each:
 * Connect's decoding has neither list limits nor the rules for JSON. `received` puts the messages back.
 * @param unpacks whether compressed bodies are accepted
 */
export async function* receive(
  body: Incoming,
  chunks: AsyncIterable<Uint8Array>,
  unpacks: boolean,
): AsyncGenerator<Uint8Array> {
  const { method, messages } = body
  const empty = isJson(body) ? emptyOf.json : emptyOf.binary
  for await (const bytes of countedMessages(body, chunks, unpacks)) {
    messages.push(isJson(body) ? jsonMessage(method, bytes) : fromWire(method.input, bytes))
    yield isEnveloped(body) ? envelope(empty) : empty
  }
}

const isJson = ({ type }: Incoming): boolean => /json/i.test(type)
const isEnveloped = ({ type }: Incoming): boolean => !/^application\/(?:json|proto)\b/i.test(type)

/** The uncompressed messages of a body, each within the limits of its method, before anything is built from them. */
async function* countedMessages(
  body: Incoming,
  chunks: AsyncIterable<Uint8Array>,
  unpacks: boolean,
): AsyncGenerator<Uint8Array> {
  const { method, packing, length } = body
  if (packing !== undefined && !(unpacks && unpackers.has(packing))) throw unknownPacking()
  const limits = messageLimits(method)
  const most = isJson(body) ? limits.bytes : protobufBytes(limits)
  const counted = async (bytes: Uint8Array, isPacked: boolean): Promise<Uint8Array> => {
    const plain = isPacked && packing !== undefined ? await unpack(packing, bytes, most) : bytes
    if (isJson(body)) countJson(plain, limits)
    else countProtobuf(method.input, plain, limits)
    return plain
  }
  if (!isEnveloped(body)) {
    if (length > most) throw tooLong(limits.bytes)
    yield await counted(await whole(chunks, most), true)
    return
  }
  for await (const { flags, data } of envelopes(chunks, most)) {
    const isPacked = (flags & 1) === 1
    if (isPacked && packing === undefined) throw unknownPacking()
    yield await counted(data, isPacked)
  }
}

/** Puts the decoded messages in the place of the empty ones. */
export const received: Interceptor = next => request => {
  const messages = request.contextValues.get(readKey)
  if (!messages) return next(request)
  if (!request.stream) return next({ ...request, message: messages.shift() ?? request.message })
  async function* put(empty: AsyncIterable<Message>) {
    for await (const one of empty) yield messages?.shift() ?? one
  }
  return next({ ...request, message: put(request.message) })
}

function jsonMessage(method: DescMethod, bytes: Uint8Array): Message {
  if (bytes.length === 0) return create(method.input)
  return fromJson(method.input, parseJson(bytes), { takesMask: true, isOpen: isOpenBody(method) })
}

/** The compression that a request names, if any. Its headers are removed, because Connect gets uncompressed bytes. */
function takePacking(header: Headers): string | undefined {
  let packing: string | undefined
  for (const name of packingHeaders) {
    const given = header.get(name)
    if (given === null) continue
    header.delete(name)
    if (given !== 'identity' && given !== '') packing = given.toLowerCase()
  }
  return packing
}

async function unpack(packing: string, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes
  try {
    return (await unpackers.get(packing)?.(bytes, most)) ?? bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(most)
    throw invalid('body', 'could not be read', 'json')
  }
}

const unknownPacking = () =>
  new UnsupportedMediaTypeError('The message must be uncompressed, or use a supported compression')

async function whole(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw tooLong(most)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** One byte of flags and four of length. */
const headBytes = 5

/** The messages of a body with several, each behind flags and its length (gRPC, gRPC-Web, Connect streams). */
async function* envelopes(
  body: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<{ flags: number; data: Uint8Array }> {
  let waiting: Uint8Array[] = []
  let size = 0
  let needed = headBytes
  for await (const chunk of body) {
    waiting.push(chunk)
    size += chunk.length
    // Joins chunks only when a head or a message is complete: joining at each chunk is slow for small ones.
    while (size >= needed) {
      const bytes = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
      if (length > most) throw tooLong(most)
      const end = headBytes + length
      const isComplete = size >= end
      if (isComplete) yield { flags: bytes[0] ?? 0, data: bytes.subarray(headBytes, end) }
      const rest = isComplete ? bytes.subarray(end) : bytes
      waiting = [rest]
      size = rest.length
      needed = isComplete ? headBytes : end
    }
  }
  if (size > 0) throw invalid('body', 'ends in the middle of a message', 'protobuf')
}

function envelope(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headBytes + data.length)
  new DataView(bytes.buffer).setUint32(1, data.length)
  bytes.set(data, headBytes)
  return bytes
}
