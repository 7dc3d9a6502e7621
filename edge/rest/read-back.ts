import { create, type DescField, type DescMessage, type DescMethodUnary, getOption } from '@bufbuild/protobuf'
import { http as httpOption } from '../../gen/google/api/annotations_pb.ts'
import { toPlatformError, ValidationError, type Violation } from '../../services/kernel/base/errors.ts'
import { memoizeByObject } from '../../services/kernel/base/memo.ts'
import { encoderOf, type Json, type JsonObject } from '../../services/kernel/json/encode.ts'
import { readBackHeader } from '../../services/kernel/rpc/read-back.ts'
import type { Call } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import type { Route } from './routes.ts'

/** The method that returns a PATCH's record, and the record's message. */
type Reader = { method: DescMethodUnary; record: DescMessage; inList: boolean; answered: DescField | undefined }

/** These can change by themselves between read and change. */
const drifts = (key: string): boolean => key.endsWith('Count') || key === 'userInteractions'

/**
 * Removes from a PATCH body what it merely repeats, since clients send back the whole record of a GET. Fields
 * with the record's current value are dropped; a read-only field with another value is a ValidationError that names it.
 */
export async function withoutReadBack(call: Call, body: unknown): Promise<unknown> {
  const { route } = call
  if (!route.rest.reads || !isObject(body)) return body
  const writable = new Set(route.method.input.fields.filter(field => !route.segments.includes(field)).map(nameOf))
  const foreign = Object.keys(body).filter(key => !writable.has(key))
  const reader = readerOf(route)
  const shown = new Set(reader.record.fields.map(nameOf))
  const readOnly = foreign.filter(key => shown.has(key))
  // A body with an unknown key isn't a record that was read; the decoder then reports all such keys.
  if (readOnly.length === 0 || (readOnly.length < foreign.length && !route.isOpen)) return body
  const record = await currentOf(call, reader, body)
  if (!record) return body
  const wrong = readOnly.filter(key => !drifts(key) && !isSame(body[key], record[key], true))
  if (wrong.length > 0) throw new ValidationError(wrong.map(readOnlyFault))
  const changed = Object.entries(body).filter(
    ([key, value]) => !readOnly.includes(key) && !(key in record && isSame(value, record[key])),
  )
  return Object.fromEntries(changed)
}

const nameOf = ({ jsonName }: DescField): string => jsonName

const readOnlyFault = (path: string): Violation => ({
  path,
  message: 'is read-only and differs from the stored value',
  rule: 'read_only',
})

const readerOf = memoizeByObject((route: Route): Reader => {
  const { method: changing, rest } = route
  const method = changing.parent.methods.find(one => one.name === rest.reads)
  if (method?.methodKind !== 'unary') throw new Error(`${changing.name}: no ${rest.reads} that answers at once`)
  const { responseBody } = getOption(method, httpOption)
  const answered = method.output.fields.find(field => field.name === (responseBody || 'data'))
  return {
    method: method as DescMethodUnary,
    record: answered?.message ?? method.output,
    inList: answered?.fieldKind === 'list',
    answered,
  }
})

/** The current record; undefined when the caller may not read it, and the change itself then gives the reason. */
async function currentOf(call: Call, reader: Reader, body: JsonObject): Promise<JsonObject | undefined> {
  const { route, values, transport, request, requestId } = call
  const { method, answered } = reader
  const bound = route.segments.filter(segment => typeof segment !== 'string')
  const inPath = new Map(bound.map((field, at) => [field.name, String(values[at]).toLowerCase()]))
  const given = method.input.fields.flatMap(field => {
    const value = inPath.get(field.name) ?? body[field.jsonName]
    return typeof value === 'string' ? [[field.localName, value] as const] : []
  })
  const message = create(method.input, Object.fromEntries(given))
  const headers = { ...rpcHeaders(request, requestId), [readBackHeader]: '1' }
  const answer = await transport.unary(method, undefined, undefined, headers, message).catch(unreadable)
  if (!answer) return undefined
  const whole = encoderOf(method.output)(answer.message)
  const part = answered ? whole[answered.jsonName] : whole
  return reader.inList ? withId(part ?? null, [...inPath.values()].at(-1)) : isObject(part) ? part : undefined
}

/** An unreadable record counts as missing; any other failure is the call's answer. */
function unreadable(error: unknown): undefined {
  const { status } = toPlatformError(error).info
  if (status !== 403 && status !== 404) throw error
  return undefined
}

/** The object with the id in a list, at any depth. */
function withId(value: Json, id: string | undefined): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isObject(value) && value['id'] === id) return value
  for (const one of Object.values(value)) {
    const found = withId(one, id)
    if (found) return found
  }
  return undefined
}

const isoTime = /^\d{4}-\d\d-\d\dT/

/**
 * Whether a sent value equals the stored one.
 * @param isPart whether objects may lack fields: clients know the documented ones only
 */
function isSame(sent: Json | undefined, stored: Json | undefined, isPart = false): boolean {
  if (sent === stored) return true
  if (typeof sent === 'string' && typeof stored === 'string')
    return isoTime.test(sent) && isoTime.test(stored) && Date.parse(sent) === Date.parse(stored)
  if (typeof sent !== 'object' || typeof stored !== 'object' || !sent || !stored) return false
  if (Array.isArray(sent) !== Array.isArray(stored)) return false
  const [keys, others] = [Object.keys(sent), Object.keys(stored)]
  if (keys.length !== others.length && (!isPart || Array.isArray(sent))) return false
  const at = (value: object, key: string) => (value as JsonObject)[key]
  return keys.every(key => key in stored && isSame(at(sent, key), at(stored, key), isPart))
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
