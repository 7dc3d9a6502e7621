import type { Route } from '../../../edge/rest/routes.ts'
import { refTo, type Schema } from './schema.ts'

/** Headers that some RPCs read or set; the comments of those name them. */
const known = {
  'If-Match': 'The ETag of the version to change; another one is a 412.',
  'Idempotency-Key': 'Makes a repetition answer the first result, at most 255 characters.',
}

/** What the comment of a creating RPC need not say, because all of them do it (services/kernel/idempotency.ts). */
export const repeating = ({ method, rest }: Route, comment: string): string =>
  rest.status === 201 && method.methodKind === 'unary' && !comment.includes('Idempotency-Key')
    ? 'With an Idempotency-Key, the same request within 24 hours answers the first result: 409 while the first is running, 422 for another request under that key.'
    : ''

/** Header parameters of an RPC. */
export const headerParameters = (comment: string): Schema[] =>
  Object.entries(known)
    .filter(([name]) => comment.includes(name))
    .map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }))

/** Headers of an RPC's success. */
export const responseHeaders = (comment: string): Schema | undefined =>
  comment.includes('ETag') ? { ETag: refTo('headers', 'ETag') } : undefined

export const sharedHeaders = {
  ETag: { description: 'The version, in quotes, for If-Match.', schema: { type: 'string' } },
}
