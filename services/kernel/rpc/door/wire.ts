import { type DescField, type DescMessage, fromBinary, type Message, toJsonString } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { invalid } from '../../base/errors.ts'
import { perObject } from '../../base/memo.ts'
import { mostItems } from '../../json/bounds.ts'
import { checkContent } from '../../json/content.ts'
import { maxDepth } from '../../json/decode.ts'

/** A level of JSON is up to two messages in protobuf, plus the message itself and its wrappers. */
export const messageDepth = 2 * maxDepth + 10

const broken = () => invalid('body', 'is not valid protobuf', 'protobuf')

/**
 * Decodes a protobuf message by the rules for JSON: list limits before decoding, texts without NUL, storable times.
 * Throws a ValidationError otherwise, also for bytes that aren't protobuf.
 */
export function fromWire(desc: DescMessage, bytes: Uint8Array): Message {
  // An item takes two bytes at least, so most messages are too small for a list that is too long.
  if (bytes.length > 2 * shortestBound(desc)) countItems(desc, bytes)
  let message: Message
  try {
    message = fromBinary(desc, bytes, { readUnknownFields: false, recursionLimit: messageDepth })
  } catch {
    throw broken()
  }
  checkContent(desc, message)
  return message
}

/** Size of a message as JSON. A message without a JSON form, such as a mask of odd paths, is refused. */
export function jsonBytes(desc: DescMessage, message: Message): number {
  try {
    return Buffer.byteLength(toJsonString(desc, message))
  } catch {
    throw broken()
  }
}

/** The smallest list limit in a message, at any depth; Infinity without lists. */
const shortestBound = perObject((desc: DescMessage): number => {
  const fields = [...heldBy(desc)].flatMap(held => held.fields)
  return Math.min(...fields.map(mostItems))
})

/** A message type and all platform types in it, at any depth. */
function heldBy(desc: DescMessage, found = new Set<DescMessage>()): Set<DescMessage> {
  if (found.has(desc)) return found
  found.add(desc)
  for (const field of desc.fields) if (isOurs(field)) heldBy(field.message, found)
  return found
}

const isOurs = (field: DescField): field is DescField & { message: DescMessage } =>
  field.message !== undefined && !field.message.typeName.startsWith('google.')

function countItems(desc: DescMessage, bytes: Uint8Array): void {
  try {
    const reader = new BinaryReader(bytes)
    countIn(desc, reader, bytes.length, '', new Map(), 0)
  } catch (error) {
    throw error instanceof TooMany ? invalid(error.path, error.message, error.rule) : broken()
  }
}

class TooMany extends Error {
  readonly path: string
  readonly rule: string

  constructor(path: string, { fieldKind }: DescField, most: number) {
    super(fieldKind === 'map' ? `map must be at most ${most} entries` : `must contain no more than ${most} item(s)`)
    this.path = path
    this.rule = fieldKind === 'map' ? 'map.max_pairs' : 'repeated.max_items'
  }
}

/** Counts list items. A field may occur in several places of the bytes, so counts are kept by its path. */
function countIn(
  desc: DescMessage,
  reader: BinaryReader,
  end: number,
  path: string,
  counts: Map<string, number>,
  depth: number,
): void {
  if (depth > messageDepth) throw new Error('too deep')
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const field = fieldsByNumber(desc).get(number)
    const most = field ? mostItems(field) : Number.POSITIVE_INFINITY
    let at = path
    if (field) at = path ? `${path}.${field.jsonName}` : field.jsonName
    if (field && most !== Number.POSITIVE_INFINITY) {
      const count = (counts.get(at) ?? 0) + 1
      if (count > most) throw new TooMany(at, field, most)
      counts.set(at, count)
      at = `${at}[${count - 1}]`
    }
    if (field && isOurs(field) && field.fieldKind !== 'map' && wireType === WireType.LengthDelimited) {
      const inner = reader.uint32() + reader.pos
      if (inner > end) throw new Error('premature end')
      countIn(field.message, reader, inner, at, counts, depth + 1)
    } else reader.skip(wireType, number, messageDepth - depth)
  }
}

const fieldsByNumber = perObject((desc: DescMessage) => new Map(desc.fields.map(field => [field.number, field])))
