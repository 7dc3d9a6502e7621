import { type DescField, type DescMessage, getOption, type Message } from '@bufbuild/protobuf'
import type { FieldMask } from '@bufbuild/protobuf/wkt'
import { json as jsonOption } from '../../../gen/platform/options/v1/options_pb.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

type Encode = (value: unknown) => Json
type Fields = Record<string, unknown>

const encoders = new Map<DescMessage, (message: Message) => JsonObject>()

/**
 * The encoder of a message type, built once from its descriptor. Every field is printed; an absent one is null (or left
 * out where its option says so). Times are ISO 8601 UTC with milliseconds. A field mask isn't printed: the fields it
 * names are never left out.
 */
export function encoderOf(desc: DescMessage): (message: Message) => JsonObject {
  const existing = encoders.get(desc)
  if (existing) return existing
  // Registered before its fields are read, so that a recursive type finds itself.
  let steps: Step[] | undefined
  const encoder = (message: Message): JsonObject => {
    steps ??= stepsOf(desc)
    const to: JsonObject = {}
    for (const step of steps) step(message as Fields, to)
    return to
  }
  encoders.set(desc, encoder)
  return encoder
}

/** Encodes one message. */
export const toJson = (desc: DescMessage, message: Message): JsonObject => encoderOf(desc)(message)

type Step = (from: Fields, to: JsonObject) => void

function stepsOf(desc: DescMessage): Step[] {
  const mask = desc.fields.find(isMask)
  const maskPaths = (from: Fields): string[] => (mask && (from[mask.localName] as FieldMask | undefined)?.paths) ?? []
  return desc.fields.filter(field => !isMask(field)).map(field => stepOf(field, maskPaths))
}

const isMask = (field: DescField): boolean => field.message?.typeName === 'google.protobuf.FieldMask'

function stepOf(field: DescField, maskPathsOf: (from: Fields) => string[]): Step {
  const { jsonName: key, localName, oneof } = field
  const omit = getOption(field, jsonOption).omitAbsent
  const encode = encodeField(field)
  const read = oneof
    ? (from: Fields) => {
        const oneofValue = from[oneof.localName] as { case?: string; value?: unknown }
        return oneofValue.case === localName ? oneofValue.value : undefined
      }
    : (from: Fields) => from[localName]
  if (omit && field.fieldKind === 'list')
    return (from, to) => {
      const list = read(from) as unknown[]
      if (list.length > 0) to[key] = encode(list)
    }
  return (from, to) => {
    const value = read(from)
    if (value !== undefined) to[key] = encode(value)
    else if ((!omit && !oneof) || maskPathsOf(from).includes(field.name)) to[key] = null
  }
}

function encodeField(field: DescField): Encode {
  if (field.fieldKind === 'list') {
    const encode = encodeSingle(field.listKind === 'message' ? field.message : undefined, field)
    return value => (value as unknown[]).map(encode)
  }
  if (field.fieldKind === 'map') {
    const encode = encodeSingle(field.mapKind === 'message' ? field.message : undefined, field)
    return value => {
      const to = Object.create(null) as JsonObject
      for (const [key, item] of Object.entries(value as Fields)) to[key] = encode(item)
      return to
    }
  }
  return encodeSingle(field.fieldKind === 'message' ? field.message : undefined, field)
}

function encodeSingle(desc: DescMessage | undefined, field: DescField): Encode {
  if (desc?.typeName === 'google.protobuf.Timestamp') return encodeTime
  // protobuf-es holds Struct fields as plain JSON objects.
  if (desc?.typeName === 'google.protobuf.Struct') return value => value as Json
  if (desc) {
    const encode = encoderOf(desc)
    return value => encode(value as Message)
  }
  if (field.enum) {
    const names = new Map(field.enum.values.map(value => [value.number, value.name]))
    return value => names.get(value as number) ?? null
  }
  return encodeScalar
}

function encodeScalar(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value as Json
}

function encodeTime(value: unknown): Json {
  const { seconds, nanos } = value as { seconds: bigint; nanos: number }
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6)).toISOString()
}
