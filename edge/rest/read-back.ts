import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  getOption,
  type Message,
} from '@bufbuild/protobuf'
import { http as httpOption } from '../../gen/google/api/annotations_pb.ts'
import { toRpcError, ValidationError, type Violation } from '../../services/kernel/base/errors.ts'
import { memoizeByObject } from '../../services/kernel/base/memo.ts'
import { encoderOf, type Json, type JsonObject } from '../../services/kernel/json/encode.ts'
import { readBackHeader } from '../../services/kernel/rpc/call-headers.ts'
import type { RestCall } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import { requestMessage } from './request.ts'
import type { Route } from './routes.ts'

/** The method that returns a PATCH's record, and the record's message. */
type Reader = { method: DescMethodUnary; record: DescMessage; isInList: boolean; recordField: DescField | undefined }

/** What changes with each change of a record, or with its use [R79]. A page's `version` isn't among it. */
const changingKeys = new Set(['updatedAt', 'editedAt', 'isEdited', 'lastLoginAt', 'failingSince', 'userInteractions'])

/** Whether a value may change by itself between the client's GET and its PATCH. */
const changesByItself = (key: string): boolean => key.endsWith('Count') || changingKeys.has(key)

/**
 * Removes unchanged fields from a PATCH body, since clients send back the whole record of a GET, or of the answer to
 * another change. A read-only field with another value than the record's is a ValidationError that names it.
 */
export async function withoutReadBack(call: RestCall, body: unknown): Promise<unknown> {
  const { route } = call
  if (!route.restOptions.reads || !isObject(body)) return body
  const writable = new Set(route.method.input.fields.filter(field => !route.segments.includes(field)).map(nameOf))
  const foreignKeys = Object.keys(body).filter(key => !writable.has(key))
  const reader = readerOf(route)
  const answer = route.responseField?.message ?? route.method.output
  const recordKeys = new Set([...reader.record.fields, ...answer.fields].map(nameOf))
  const readOnlyKeys = foreignKeys.filter(key => recordKeys.has(key))
  // A body with an unknown key isn't a record that was read; the decoder then reports all such keys.
  if (readOnlyKeys.length === 0 || (readOnlyKeys.length < foreignKeys.length && !route.isOpen)) return body
  const forms = await loadForms(call, reader)
  const isUnchanged = (key: string, isPart = false) => forms.some(form => isSame(body[key], form[key], isPart))
  const wrongKeys = readOnlyKeys.filter(key => !changesByItself(key) && !isUnchanged(key, true))
  if (wrongKeys.length > 0) throw new ValidationError(wrongKeys.map(readOnlyFault))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !readOnlyKeys.includes(key) && !isUnchanged(key)))
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

/**
 * The current record in the forms that a client may have: as its PATCH answers it, and as its GET does where the caller
 * may read it. An empty PATCH changes nothing, and is refused to callers to whom the PATCH itself would be.
 */
async function loadForms(call: RestCall, reader: Reader): Promise<JsonObject[]> {
  const { route, values, query } = call
  const { method, recordField } = reader
  const emptyPatch = requestMessage(route, values, query, {})
  const answer = partOf(await read(call, route.method as DescMethodUnary, emptyPatch), route.responseField)
  const patchForm = isObject(answer) ? answer : {}
  const pathFields = Object(emptyPatch) as JsonObject
  const inputFields = method.input.fields.flatMap(({ localName, jsonName }) => {
    const value = pathFields[localName] || patchForm[jsonName]
    return typeof value === 'string' ? [[localName, value] as const] : []
  })
  const message = create(method.input, Object.fromEntries(inputFields))
  const json = await read(call, method, message).catch(undefinedIfUnreadable)
  const part = json && partOf(json, recordField)
  const readForm = reader.isInList ? findById(part ?? null, patchForm['id']) : part
  return isObject(readForm) ? [patchForm, readForm] : [patchForm]
}

async function read(call: RestCall, method: DescMethodUnary, message: Message): Promise<JsonObject> {
  const headers = { ...rpcHeaders(call.request, call.requestId), [readBackHeader]: '1' }
  const answer = await call.transport.unary(method, undefined, undefined, headers, message)
  return encoderOf(method.output)(answer.message)
}

const partOf = (json: JsonObject, field: DescField | undefined): Json | undefined =>
  field ? json[field.jsonName] : json

/** An unreadable record counts as missing; any other failure is the call's answer. */
function undefinedIfUnreadable(error: unknown): undefined {
  const { status } = toRpcError(error).info
  if (status !== 403 && status !== 404) throw error
  return undefined
}

/** The object with the id in a list, at any depth. */
function findById(value: Json, id: Json | undefined): JsonObject | undefined {
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
