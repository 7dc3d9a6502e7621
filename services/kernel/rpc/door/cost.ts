import { isUtf8 } from 'node:buffer'
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { invalid, PayloadTooLargeError, ValidationError } from '../../base/errors.ts'
import { memoizeByObject } from '../../base/memo.ts'

/** What a body may cost: its bytes after unpacking, and the values that would be built from them. */
export type BodyLimits = { bytes: number; values: number }

/** Levels below the outermost. Deeper nesting is refused before anything recurses over it. */
export const maxDepth = 100

/** How much longer a value of a free object can be in protobuf than in JSON: `0,` of a list of numbers takes 11 bytes. */
const valueOverhead = 12

/** The most bytes that a body within the limits can have in protobuf. */
export const protobufBytes = ({ bytes, values }: BodyLimits): number => bytes + values * valueOverhead

export const tooLong = (maxBytes: number) => new PayloadTooLargeError(`The body must not exceed ${maxBytes} bytes`)
const tooMany = (maxValues: number) => new PayloadTooLargeError(`The body must not hold more than ${maxValues} values`)
const tooDeep = (field: string) => invalid(field, `must not nest deeper than ${maxDepth} levels`, 'depth')
const brokenProtobuf = () => invalid('body', 'is not valid protobuf', 'protobuf')

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts the values of a JSON text in UTF-8 without building any: each object, list, text, number and literal; keys
 * count as nothing. Throws beyond a limit; whether it is JSON shows when it is parsed.
 * @param field the field named in errors
 */
export function countJson(bytes: Uint8Array, limits: BodyLimits, field = 'body'): void {
  if (bytes.length > limits.bytes) throw tooLong(limits.bytes)
  let [values, depth] = [0, 0]
  let [inText, inWord] = [false, false]
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position] ?? 0
    if (inText) {
      if (byte === backslash) position++
      else inText = byte !== quote
      continue
    }
    const isWord = byte > 0x20 && byte !== comma && byte !== colon && byte !== closeList && byte !== closeObject
    const opens = byte === openList || byte === openObject
    if (isWord && (opens || byte === quote || !inWord) && ++values > limits.values) throw tooMany(limits.values)
    inText = byte === quote
    inWord = isWord && !opens && !inText
    // The text before a colon was a key.
    if (byte === colon) values--
    else if (opens && ++depth > maxDepth + 1) throw tooDeep(field)
    else if (byte === closeList || byte === closeObject) depth--
  }
}

/**
 * Counts the values of a protobuf message without building any, like those of the same message in JSON: each field,
 * each item of a list and each entry of a map, at any depth. Throws beyond a limit, and for bytes that aren't protobuf.
 */
export function countProtobuf(desc: DescMessage, bytes: Uint8Array, limits: BodyLimits): void {
  if (bytes.length > protobufBytes(limits)) throw tooLong(limits.bytes)
  const count = { reader: new BinaryReader(bytes), bytes, values: 1, maxValues: limits.values }
  try {
    countMessage(count, fieldsOf(desc), bytes.length, 1)
  } catch (error) {
    throw error instanceof PayloadTooLargeError || error instanceof ValidationError ? error : brokenProtobuf()
  }
  if (bytes.length > limits.bytes + count.values * valueOverhead) throw tooLong(limits.bytes)
}

type Count = { readonly reader: BinaryReader; readonly bytes: Uint8Array; values: number; readonly maxValues: number }

/** How the values of a field are counted. */
type CountedField = {
  /** Its wire type; a list of numbers may also be packed. */
  wireType: WireType
  /** Bytes of each number of a packed list; 0 for those of varying length. */
  packedBytes: number | undefined
  isText: boolean
  /** The fields of its message. */
  inner: (() => Inner) | undefined
}

type Inner = {
  fields: ReadonlyMap<number, CountedField>
  /** Fields that count with what contains them: the kind of a google.protobuf.Value, key and value of a map entry. */
  uncounted: number
  /** Levels that it has in JSON. */
  levels: 0 | 1
}

function countMessage(count: Count, { fields, uncounted }: Inner, end: number, depth: number): void {
  if (depth > maxDepth + 1) throw tooDeep('body')
  const { reader } = count
  let remainingUncounted = uncounted
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    // Each occurrence counts: the decoder builds what a later one replaces.
    if (remainingUncounted > 0) remainingUncounted--
    else addValues(count, 1)
    const field = fields.get(number)
    if (field?.inner && wireType === WireType.LengthDelimited) {
      const inner = field.inner()
      countMessage(count, inner, endOf(reader, end), depth + inner.levels)
    } else if (field?.packedBytes !== undefined && wireType === WireType.LengthDelimited)
      countPacked(count, field.packedBytes, endOf(reader, end))
    // The decoder would take bytes of another wire type for something else than what is counted here.
    else if (field && wireType !== field.wireType) throw brokenProtobuf()
    else if (field?.isText) skipText(count, endOf(reader, end))
    else reader.skip(wireType, number, maxDepth)
  }
  if (reader.pos !== end) throw brokenProtobuf()
}

function countPacked(count: Count, bytesEach: number, end: number): void {
  const { reader, bytes } = count
  if (bytesEach > 0) addValues(count, Math.ceil((end - reader.pos) / bytesEach))
  // The last byte of a varint has no high bit.
  else
    for (let position = reader.pos; position < end; position++) if ((bytes[position] ?? 0) < 0x80) addValues(count, 1)
  reader.pos = end
}

function skipText({ reader, bytes }: Count, end: number): void {
  if (!isUtf8(bytes.subarray(reader.pos, end))) throw brokenProtobuf()
  reader.pos = end
}

function addValues(count: Count, values: number): void {
  count.values += values
  if (count.values > count.maxValues) throw tooMany(count.maxValues)
}

/** The end of the bytes whose length follows. */
function endOf(reader: BinaryReader, outerEnd: number): number {
  const end = reader.uint32() + reader.pos
  if (end > outerEnd) throw brokenProtobuf()
  return end
}

const fieldsOf = memoizeByObject((desc: DescMessage): Inner => {
  const isValue = desc.typeName === 'google.protobuf.Value'
  const fields = new Map(desc.fields.map(field => [field.number, toCounted(field)]))
  return { fields, uncounted: isValue ? 1 : 0, levels: isValue ? 0 : 1 }
})

const entryOf = memoizeByObject((field: DescField & { fieldKind: 'map' }): Inner => {
  return {
    fields: new Map([
      [1, toScalar(field.mapKey)],
      [2, toSingle(field)],
    ]),
    uncounted: 2,
    levels: 0,
  }
})

function toCounted(field: DescField): CountedField {
  if (field.fieldKind === 'map') return toMessage(() => entryOf(field))
  return toSingle(field)
}

function toSingle(field: DescField): CountedField {
  const { message } = field
  if (message) return toMessage(() => fieldsOf(message))
  const scalarField = toScalar(field.scalar ?? ScalarType.INT32)
  const isPackable = field.fieldKind === 'list' && scalarField.wireType !== WireType.LengthDelimited
  return isPackable ? { ...scalarField, packedBytes: fixedBytes.get(scalarField.wireType) ?? 0 } : scalarField
}

const toMessage = (inner: () => Inner): CountedField => ({
  wireType: WireType.LengthDelimited,
  packedBytes: undefined,
  isText: false,
  inner,
})

/** Enums and all numbers that aren't named are varints. */
const toScalar = (scalar: ScalarType): CountedField => ({
  wireType: wireTypes.get(scalar) ?? WireType.Varint,
  packedBytes: undefined,
  isText: scalar === ScalarType.STRING,
  inner: undefined,
})

const fixedBytes = new Map([
  [WireType.Bit32, 4],
  [WireType.Bit64, 8],
])

const wireTypes = new Map<ScalarType, WireType>([
  [ScalarType.STRING, WireType.LengthDelimited],
  [ScalarType.BYTES, WireType.LengthDelimited],
  [ScalarType.DOUBLE, WireType.Bit64],
  [ScalarType.FIXED64, WireType.Bit64],
  [ScalarType.SFIXED64, WireType.Bit64],
  [ScalarType.FLOAT, WireType.Bit32],
  [ScalarType.FIXED32, WireType.Bit32],
  [ScalarType.SFIXED32, WireType.Bit32],
])
