import { create, type DescField, type DescMessage, type DescMethodUnary, getOption } from '@bufbuild/protobuf'
import { http as httpOption } from '../../gen/google/api/annotations_pb.ts'
import { toRpcError, ValidationError, type Violation } from '../../services/kernel/base/errors.ts'
import { memoizeByObject } from '../../services/kernel/base/memo.ts'
import { encoderOf, type Json, type JsonObject } from '../../services/kernel/json/encode.ts'
import { readBackHeader } from '../../services/kernel/rpc/call-headers.ts'
import type { RestCall } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import type { Route } from './routes.ts'

/** The method that returns a PATCH's record, and the record's message. */
type Reader = { method: DescMethodUnary; record: DescMessage; isInList: boolean; recordField: DescField | undefined }

/** Whether a value may change by itself between the client's GET and its PATCH. */
const changesByItself = (key: string): boolean => key.endsWith('Count') || key === 'userInteractions'

/**
 * Removes unchanged fields from a PATCH body, since clients send back the whole record of a GET. A read-only field with
 * another value than the record's is a ValidationError that names it.
 */
export async function withoutReadBack(call: RestCall, body: unknown): Promise<unknown> {
  const { route } = call
  if (!route.restOptions.reads || !isObject(body)) return body
  const writable = new Set(route.method.input.fields.filter(field => !route.segments.includes(field)).map(nameOf))
  const foreignKeys = Object.keys(body).filter(key => !writable.has(key))
  const reader = readerOf(route)
  const recordKeys = new Set(reader.record.fields.map(nameOf))
  const readOnlyKeys = foreignKeys.filter(key => recordKeys.has(key))
  // A body with an unknown key isn't a record that was read; the decoder then reports all such keys.
  if (readOnlyKeys.length === 0 || (readOnlyKeys.length < foreignKeys.length && !route.isOpen)) return body
  const record = await loadRecord(call, reader, body)
  if (!record) return body
  const wrongKeys = readOnlyKeys.filter(key => !changesByItself(key) && !isSame(body[key], record[key], true))
  if (wrongKeys.length > 0) throw new ValidationError(wrongKeys.map(readOnlyFault))
  const changedEntries = Object.entries(body).filter(
    ([key, value]) => !readOnlyKeys.includes(key) && !(key in record && isSame(value, record[key])),
  )
  return Object.fromEntries(changedEntries)
}

const nameOf = ({ jsonName }: DescField): string => jsonName

const readOnlyFault = (path: string): Violation => ({
  path,
  message: 'is read-only and differs from the stored value',
  rule: 'read_only',
})

const readerOf = memoizeByObject((route: Route): Reader => {
  const { method: changing, restOptions } = route
  const method = changing.parent.methods.find(one => one.name === restOptions.reads)
  if (method?.methodKind !== 'unary') throw new Error(`${changing.name}: no ${restOptions.reads} that answers at once`)
  const { responseBody } = getOption(method, httpOption)
  const recordField = method.output.fields.find(field => field.name === (responseBody || 'data'))
  return {
    method: method as DescMethodUnary,
    record: recordField?.message ?? method.output,
    isInList: recordField?.fieldKind === 'list',
    recordField,
  }
})

/** The current record; undefined when the caller may not read it: the PATCH itself is then refused with the reason. */
async function loadRecord(call: RestCall, reader: Reader, body: JsonObject): Promise<JsonObject | undefined> {
  const { route, values, transport, request, requestId } = call
  const { method, recordField } = reader
  const pathFields = route.segments.filter(segment => typeof segment !== 'string')
  const pathValues = new Map(pathFields.map((field, index) => [field.name, String(values[index]).toLowerCase()]))
  const inputFields = method.input.fields.flatMap(field => {
    const value = pathValues.get(field.name) ?? body[field.jsonName]
    return typeof value === 'string' ? [[field.localName, value] as const] : []
  })
  const message = create(method.input, Object.fromEntries(inputFields))
  const headers = { ...rpcHeaders(request, requestId), [readBackHeader]: '1' }
  const answer = await transport.unary(method, undefined, undefined, headers, message).catch(undefinedIfUnreadable)
  if (!answer) return undefined
  const json = encoderOf(method.output)(answer.message)
  const part = recordField ? json[recordField.jsonName] : json
  return reader.isInList ? findById(part ?? null, [...pathValues.values()].at(-1)) : isObject(part) ? part : undefined
}

/** An unreadable record counts as missing; any other failure is the call's answer. */
function undefinedIfUnreadable(error: unknown): undefined {
  const { status } = toRpcError(error).info
  if (status !== 403 && status !== 404) throw error
  return undefined
}

/** The object with the id in a list, at any depth. */
function findById(value: Json, id: string | undefined): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isObject(value) && value['id'] === id) return value
  for (const one of Object.values(value)) {
    const objectWithId = findById(one, id)
    if (objectWithId) return objectWithId
  }
  return undefined
}

const isoTime = /^\d{4}-\d\d-\d\dT/

/**
 * Whether a sent value equals the stored one.
 * @param isPart whether objects may lack fields: clients know the documented ones only
 */
function isSame(sentValue: Json | undefined, storedValue: Json | undefined, isPart = false): boolean {
  if (sentValue === storedValue) return true
  if (typeof sentValue === 'string' && typeof storedValue === 'string')
    return isoTime.test(sentValue) && isoTime.test(storedValue) && Date.parse(sentValue) === Date.parse(storedValue)
  if (typeof sentValue !== 'object' || typeof storedValue !== 'object' || !sentValue || !storedValue) return false
  if (Array.isArray(sentValue) !== Array.isArray(storedValue)) return false
  const [sentKeys, storedKeys] = [Object.keys(sentValue), Object.keys(storedValue)]
  if (sentKeys.length !== storedKeys.length && (!isPart || Array.isArray(sentValue))) return false
  const valueAt = (value: object, key: string) => (value as JsonObject)[key]
  return sentKeys.every(key => key in storedValue && isSame(valueAt(sentValue, key), valueAt(storedValue, key), isPart))
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
