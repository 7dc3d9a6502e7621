import type { DescField, DescMessage, Message } from '@bufbuild/protobuf'
import { maxViolations, ValidationError, type Violation } from '../base/errors.ts'
import { isStorableTime, maxItems, storableTimes } from './bounds.ts'
import { findUnsafe, isText, reportTooMany, unsafeKeys } from './decode.ts'

type Report = (path: string, message: string, rule: string) => void

/** Checks a message that didn't come as JSON by the rules for JSON: the length of lists, texts, free objects and times. */
export function checkContent(desc: DescMessage, message: Message): void {
  const violations: Violation[] = []
  inspect(desc, message, '', (path, text, rule) => {
    violations.push({ path, message: text, rule })
    if (violations.length >= maxViolations) throw new ValidationError(violations)
  })
  if (violations.length > 0) throw new ValidationError(violations)
}

function inspect(desc: DescMessage, message: Message, path: string, report: Report): void {
  for (const field of desc.fields) {
    const { oneof, localName, jsonName } = field
    const holder = message as Record<string, unknown>
    const oneofValue = oneof && (holder[oneof.localName] as { case: string | undefined; value?: unknown })
    const value = oneof ? (oneofValue?.case === localName ? oneofValue.value : undefined) : holder[localName]
    if (value !== undefined) inspectField(field, value, path ? `${path}.${jsonName}` : jsonName, report)
  }
}

function inspectField(field: DescField, value: unknown, path: string, report: Report): void {
  if (field.fieldKind === 'list') {
    const items = value as unknown[]
    if (items.length > maxItems(field)) return reportTooMany(field, path, report)
    for (const [index, item] of items.entries()) inspectOne(field, item, `${path}[${index}]`, report)
  } else if (field.fieldKind === 'map') {
    const entries = Object.entries(value as object)
    if (entries.length > maxItems(field)) return reportTooMany(field, path, report)
    for (const [key, item] of entries) {
      if (unsafeKeys.has(key) || !isText(key)) report(`${path}.${key}`, 'is not an allowed key', 'unsafe_key')
      else inspectOne(field, item, `${path}.${key}`, report)
    }
  } else inspectOne(field, value, path, report)
}

function inspectOne({ message: desc }: DescField, value: unknown, path: string, report: Report): void {
  if (typeof value === 'string') {
    if (!isText(value)) report(path, 'must be text without NUL and lone surrogates', 'type')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(path, 'must be a number', 'type')
  } else if (desc?.typeName === 'google.protobuf.Struct') {
    const unsafe = findUnsafe(value, path)
    if (unsafe) report(unsafe, 'is not an allowed key or text', 'unsafe_key')
  } else if (desc?.typeName === 'google.protobuf.Timestamp') {
    if (!isStorableTime(Number((value as { seconds: bigint }).seconds)))
      report(path, `must be ${storableTimes}`, 'type')
  } else if (desc) inspect(desc, value as Message, path, report)
}
