import { type DescField, getOption } from '@bufbuild/protobuf'
import type { Route } from '../../../edge/rest/routes.ts'
import { formFields } from '../../../edge/rest/upload/upload.ts'
import { UploadHeadSchema } from '../../../gen/platform/media/v1/media_pb.ts'
import {
  type Access,
  access as accessOption,
  Body,
  Caller,
  Scope,
} from '../../../gen/platform/options/v1/options_pb.ts'
import { takesPeople } from '../../../services/kernel/access/access.ts'
import { callersIn, scopes } from '../route-table.ts'
import type { Comments } from './comments.ts'
import { isRequired } from './constraints.ts'
import { failureResponses } from './errors.ts'
import { fileResponses, headerParameters, repeating, responseHeaders } from './headers.ts'
import type { SchemaBook } from './messages.ts'
import type { Path } from './paths.ts'
import { type Schema, withoutEmpty } from './schema.ts'
import { isMask } from './values.ts'

/** The context for building an operation. */
type Workshop = { book: SchemaBook; comments: Comments; pathOf: (route: Route) => Path }

/**
 * The Operation Object of a route.
 * @param aliasOf the first route of the same RPC, for its aliases
 */
export function operation(route: Route, tag: string, aliasOf: Route | undefined, workshop: Workshop): Schema {
  const { book, comments, pathOf } = workshop
  const { method, restOptions } = route
  const access = getOption(method, accessOption)
  const methodComment = comments.get(`${method.parent.typeName}.${method.name}`) ?? ''
  const comment = [methodComment, repeating(route, methodComment)].filter(Boolean).join(' ')
  const pathFields = route.segments.filter(segment => typeof segment !== 'string')
  const names = pathOf(route).parameters
  const otherFields = method.input.fields.filter(field => !pathFields.includes(field))
  const parameters = [
    ...pathFields.map((field, index) => ({
      ...parameter(field, 'path', book, comments),
      ...sharedName(field, names[index]),
    })),
    ...(route.hasBody ? [] : otherFields.map(field => parameter(field, 'query', book, comments))),
    ...headerParameters(comment),
  ]
  return withoutEmpty({
    operationId: method.name + (aliasOf ? 'Alias' : ''),
    tags: [tag],
    summary: summaryOf(comment),
    description: [
      comment,
      aliasOf && `Alias of ${aliasOf.verb} ${pathOf(aliasOf).text}.`,
      restOptions.maxBodyBytes > 0 &&
        `**Body:** at most ${restOptions.maxBodyBytes.toLocaleString('en')} bytes, instead of 100,000.`,
      rulesOf(access, restOptions.addition),
    ]
      .filter(Boolean)
      .join('\n\n'),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: route.hasBody ? requestBody(route, otherFields, book) : undefined,
    responses: {
      ...(restOptions.response === Body.FILE
        ? fileResponses(comment)
        : { [restOptions.status || 200]: success(route, comment, workshop) }),
      ...failureResponses(route, access, comment),
    },
    security: securityOf(access, comment),
    'x-callers': callersIn(access),
    'x-scope': scopes[access.scope],
    'x-scope-field': camelCase(access.scopeField),
    'x-permission': access.permission,
    'x-own-permission': access.ownPermission,
    'x-addition': restOptions.addition,
  })
}

/** The first sentence of a comment. */
const summaryOf = (comment: string): string => (/^.*?[.;](?=\s|$)/s.exec(comment)?.[0] ?? comment).replace(/[.;]$/, '')

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** A line about the permitted callers. */
function rulesOf(access: Access, addition: string): string {
  const field = access.scopeField && ` (\`${camelCase(access.scopeField)}\`)`
  const tenant = scopes[access.scope] && `**Tenant:** ${scopes[access.scope]}${field}`
  const permission = access.permission && `**Permission:** \`${access.permission}\``
  const ownRecords = access.ownPermission && `**For the caller's own records:** \`${access.ownPermission}\``
  const callersText = `**Callers:** ${callersIn(access).join(', ')}`
  const additionText = addition && `Added to the original contract: ${addition}.`
  return [[callersText, tenant, permission, ownRecords].filter(Boolean).join(' · '), additionText]
    .filter(Boolean)
    .join('\n\n')
}

/** The name that paths of one shape share, and that of the field where it is another one. */
const sharedName = ({ jsonName }: DescField, name = jsonName): Schema =>
  name === jsonName ? {} : { name, 'x-field': jsonName }

function parameter(field: DescField, place: 'path' | 'query', book: SchemaBook, comments: Comments): Schema {
  const { fieldKind, message } = field
  if (fieldKind === 'map' || (message && message.typeName !== 'google.protobuf.Timestamp'))
    throw new Error(`${field.toString()} cannot travel in a ${place}`)
  return withoutEmpty({
    name: field.jsonName,
    in: place,
    required: place === 'path' || isRequired(field) || undefined,
    description: comments.get(`${field.parent.typeName}.${field.name}`),
    schema: book.field(field, 'request'),
  })
}

function requestBody(route: Route, fields: DescField[], book: SchemaBook): Schema {
  if (route.restOptions.request === Body.MULTIPART) return uploadBody(book)
  const hasMask = fields.some(isMask)
  const isWholeInput = fields.length === route.method.input.fields.length
  const schema = isWholeInput && !hasMask ? book.message(route.method.input, 'request') : book.object(fields, 'request')
  // A change without fields is refused.
  if (hasMask) schema['minProperties'] = 1
  return {
    ...(hasMask || fields.some(isRequired) ? { required: true } : {}),
    content: { 'application/json': { schema } },
  }
}

/** The edge's form for a stream of head and bytes. */
function uploadBody(book: SchemaBook): Schema {
  const { properties, ...form } = book.object(
    UploadHeadSchema.fields.filter(field => formFields.has(field.jsonName)),
    'request',
  )
  const file = { type: 'string', format: 'binary', description: 'The file.' }
  const schema = { ...form, required: ['file'], properties: { file, ...(properties as Schema) } }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function success({ method, responseField }: Route, comment: string, { book, comments }: Workshop): Schema {
  const description = (comments.get(method.output.typeName) ?? '') || 'Done.'
  const schema = responseField ? book.field(responseField, 'answer') : book.message(method.output, 'answer')
  return withoutEmpty({ description, headers: responseHeaders(comment), content: { 'application/json': { schema } } })
}

function securityOf(access: Access, comment: string): Schema[] {
  const { callers, scope } = access
  const bearer = { bearer: [] }
  // Some public routes use a token when there is one.
  if (callers.includes(Caller.PUBLIC)) return /\bbearer\b/i.test(comment) ? [{}, bearer] : []
  if (scope === Scope.UNSPECIFIED) throw new Error('an operation without a scope is refused to everybody')
  const people = takesPeople(access) || callers.includes(Caller.PLATFORM_ADMIN)
  return [
    ...(people ? [bearer] : []),
    ...(callers.includes(Caller.PERSON_OR_CREDENTIAL) ? [{ apiKey: [], apiSecret: [] }] : []),
    ...(callers.includes(Caller.SERVICE) ? [{ apiKey: [] }] : []),
  ]
}
