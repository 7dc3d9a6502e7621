import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  type JsonValue,
  type Message,
  type MessageInitShape,
  type MessageShape,
  fromJson as readStandard,
  ScalarType,
} from '@bufbuild/protobuf'
import { base64Decode } from '@bufbuild/protobuf/wire'
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { json as jsonOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { maxViolations, ValidationError, type Violation } from '../base/errors.ts'
import { memoizeByObject } from '../base/memo.ts'
import { isStorableTime, maxItems, storableTimes } from './bounds.ts'

type Fields = Record<string, unknown>
type Report = (path: string, message: string, rule: string) => unknown

const absentValue = Symbol('absent')
/** Keys that no client object may have. */
export const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Options for reading a message from JSON. */
type JsonReadOptions = {
  /** JSON names that the body may not set, because the path does. */
  lockedKeys?: ReadonlySet<string>
  /** Whether unknown keys are ignored instead of refused. */
  isOpen?: boolean
  /** Whether an update mask may be set. RPCs may; a route derives it from the body's keys. */
  takesMask?: boolean
}

/**
 * Builds a message from parsed JSON, strictly: wrong types and unknown keys are a ValidationError that lists the first
 * of them with their full paths. null and "" stand for an absent value where the field may be absent, null for an empty
 * list or map; a code of digits may come as a number.
 */
export function fromJson<Desc extends DescMessage>(
  desc: Desc,
  body: unknown,
  { lockedKeys, isOpen = false, takesMask = false }: JsonReadOptions = {},
): MessageShape<Desc> {
  const violations: Violation[] = []
  const report: Report = (path, message, rule) => {
    if (isOpen && rule === 'unknown_field') return
    violations.push({ path, message, rule })
    if (violations.length >= maxViolations) throw new ValidationError(violations)
  }
  const message = decodeMessage(desc, body, '', report, lockedKeys, takesMask)
  if (violations.length > 0) throw new ValidationError(violations)
  return message as MessageShape<Desc>
}

function decodeMessage(
  desc: DescMessage,
  body: unknown,
  path: string,
  report: Report,
  lockedKeys?: ReadonlySet<string>,
  takesMask = false,
): Message {
  const message = create(desc)
  if (!isObject(body)) {
    report(path || 'body', 'must be an object', 'type')
    return message
  }
  const fieldByName = fieldsOf(desc)
  for (const [key, value] of Object.entries(body)) {
    const keyPath = path ? `${path}.${key}` : key
    const field = fieldByName.get(key)
    const isLocked = !field || lockedKeys?.has(key) || (isMask(field) && !takesMask)
    if (unsafeKeys.has(key)) report(keyPath, 'is not an allowed key', 'unsafe_key')
    else if (isLocked) report(keyPath, 'is not a known field', 'unknown_field')
    if (!field || isLocked) continue
    const decoded = decodeField(field, value, keyPath, report)
    if (decoded !== absentValue) setField(message, field, decoded)
  }
  return message
}

function setField(message: Message, field: DescField, value: unknown): void {
  const to = message as Fields
  if (field.oneof) to[field.oneof.localName] = { case: field.localName, value }
  else to[field.localName] = value
}

const isMask = ({ message }: DescField): boolean => message?.typeName === FieldMaskSchema.typeName

const fieldMaps = new Map<DescMessage, Map<string, DescField>>()

function fieldsOf(desc: DescMessage): Map<string, DescField> {
  let map = fieldMaps.get(desc)
  if (!map) {
    map = new Map(desc.fields.map(field => [field.jsonName, field]))
    fieldMaps.set(desc, map)
  }
  return map
}

function decodeField(field: DescField, value: unknown, path: string, report: Report): unknown {
  // null means absent for an optional field and empty for a list or a map, but is refused for a plain field.
  const mayBeAbsent = field.fieldKind === 'message' || field.presence === 1 /* explicit */
  if (value === '' && mayBeAbsent) return absentValue
  if (value === null) {
    if (!mayBeAbsent && field.fieldKind !== 'list' && field.fieldKind !== 'map')
      report(path, 'must not be null', 'type')
    return absentValue
  }
  if (field.fieldKind === 'list') {
    if (!Array.isArray(value)) return reportWrongType(path, 'a list', report)
    // The items are not decoded: there may be 100,000.
    if (value.length > maxItems(field)) return refuseTooMany(field, path, report)
    const desc = field.listKind === 'message' ? field.message : undefined
    if (getOption(field, jsonOption).rows) return value.map(item => decodeRow(desc, item))
    return value.map((item, index) => decodeSingle(field, desc, item, `${path}[${index}]`, report))
  }
  if (field.fieldKind === 'map') {
    if (!isObject(value)) return reportWrongType(path, 'an object', report)
    const entries = Object.entries(value)
    if (entries.length > maxItems(field)) return refuseTooMany(field, path, report)
    const desc = field.mapKind === 'message' ? field.message : undefined
    const to = Object.create(null) as Fields
    for (const [key, item] of entries) {
      if (unsafeKeys.has(key) || !isText(key)) report(`${path}.${key}`, 'is not an allowed key', 'unsafe_key')
      else to[key] = decodeSingle(field, desc, item, `${path}.${key}`, report)
    }
    return to
  }
  return decodeSingle(field, field.fieldKind === 'message' ? field.message : undefined, value, path, report)
}

const faultKey = new Set(['fault'])
const longestRow = 64

/** Decodes a row of a bulk call separately: its decoding errors go to the row's `fault`. Plain items become text. */
function decodeRow(desc: DescMessage | undefined, item: unknown): unknown {
  if (!desc) return typeof item === 'string' ? item : String(JSON.stringify(item)).slice(0, longestRow)
  const faults: string[] = []
  const message = decodeMessage(desc, item, '', (path, text) => faults.push(`${path} ${text}`), faultKey)
  const fault = faults.slice(0, 3).join(', ').slice(0, 1000)
  return fault ? create(desc, { fault } as MessageInitShape<DescMessage>) : message
}

function decodeSingle(
  field: DescField,
  desc: DescMessage | undefined,
  value: unknown,
  path: string,
  report: Report,
): unknown {
  if (desc?.typeName === 'google.protobuf.Timestamp') return decodeTime(value, path, report)
  if (desc?.typeName === 'google.protobuf.Struct') return decodeStruct(value, path, report)
  if (desc?.typeName === FieldMaskSchema.typeName)
    return decodeStandard(() => readStandard(FieldMaskSchema, value as JsonValue), path, 'names of fields', report)
  if (desc) return decodeMessage(desc, value, path, report)
  return decodeScalar(field.scalar ?? ScalarType.STRING, withNumbers(field, value), path, report)
}

/** A number as the text of a field that takes one. */
function withNumbers(field: DescField, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (isCode(field)) return padCode(value)
  return getOption(field, jsonOption).takesNumber ? String(value) : value
}

const codePattern = '^[0-9]{6}$'

/** Whether a field holds a code of six digits. */
const isCode = memoizeByObject((field: DescField): boolean => {
  const { type } = getOption(field, rulesOption)
  return type.case === 'string' && type.value.pattern === codePattern
})

/** A code sent as a number has lost its leading zeros. */
const padCode = (value: number): unknown =>
  Number.isInteger(value) && value >= 0 ? String(value).padStart(6, '0') : value

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether databases and UTF-8 can hold a text. */
export const isText = (value: string): boolean => !value.includes('\0') && !loneSurrogate.test(value)

function decodeScalar(scalar: ScalarType, value: unknown, path: string, report: Report): unknown {
  if (scalar === ScalarType.STRING) {
    if (typeof value !== 'string') return reportWrongType(path, 'a string', report)
    if (!isText(value)) return reportWrongType(path, 'text without NUL and lone surrogates', report)
    return value
  }
  if (scalar === ScalarType.BOOL)
    return typeof value === 'boolean' ? value : reportWrongType(path, 'true or false', report)
  if (scalar === ScalarType.BYTES)
    return decodeStandard(() => base64Decode(String(value)), path, 'bytes in base64', report)
  if (typeof value !== 'number' || !Number.isFinite(value)) return reportWrongType(path, 'a number', report)
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) return value
  const lowest = scalar === ScalarType.UINT32 ? 0 : -0x80000000
  const highest = scalar === ScalarType.UINT32 ? 0xffffffff : 0x7fffffff
  if (!Number.isInteger(value)) return reportWrongType(path, 'a whole number', report)
  const isInRange = lowest <= value && value <= highest
  return isInRange ? value : reportWrongType(path, `a whole number from ${lowest} to ${highest}`, report)
}

const isoTime = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/

/** Whether the month has that day: Date.parse reads 30 February as 2 March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8))

/** A time without a zone is UTC, a date alone its midnight. */
function decodeTime(value: unknown, path: string, report: Report): unknown {
  const [text = '', day = '', time, , , zone] = (typeof value === 'string' && isoTime.exec(value)) || []
  const ms = isDay(day) ? Date.parse(time && !zone ? `${text}Z` : text) : Number.NaN
  if (Number.isNaN(ms)) return reportWrongType(path, 'a time in ISO 8601, such as 2026-03-01T09:00:00Z', report)
  const seconds = Math.floor(ms / 1000)
  if (!isStorableTime(seconds)) return reportWrongType(path, storableTimes, report)
  return { $typeName: 'google.protobuf.Timestamp', seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 }
}

/** Decodes a type with a standard JSON form in protobuf. */
function decodeStandard(read: () => unknown, path: string, expected: string, report: Report): unknown {
  try {
    return read()
  } catch {
    return reportWrongType(path, expected, report)
  }
}

function decodeStruct(value: unknown, path: string, report: Report): unknown {
  if (!isObject(value)) return reportWrongType(path, 'an object', report)
  const unsafe = findUnsafe(value, path)
  if (unsafe) report(unsafe, 'is not an allowed key or text', 'unsafe_key')
  return value
}

/** Path of the first key or text in a free object that isn't allowed. */
export function findUnsafe(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : path
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const itemPath = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    if (unsafeKeys.has(key)) return itemPath
    const unsafePath = findUnsafe(item, itemPath)
    if (unsafePath) return unsafePath
  }
  return undefined
}

function refuseTooMany(field: DescField, path: string, report: Report): typeof absentValue {
  reportTooMany(field, path, report)
  return absentValue
}

/** Uses the wording of the constraint, which would refuse it later. */
export function reportTooMany(field: DescField, path: string, report: Report): void {
  const limit = maxItems(field)
  if (field.fieldKind === 'map') report(path, `map must be at most ${limit} entries`, 'map.max_pairs')
  else report(path, `must contain no more than ${limit} item(s)`, 'repeated.max_items')
}

function reportWrongType(path: string, description: string, report: Report): typeof absentValue {
  report(path, `must be ${description}`, 'type')
  return absentValue
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
