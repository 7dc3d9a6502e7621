import type { Route } from '../../../edge/rest/routes.ts'
import { refTo, type Schema } from './schema.ts'

/** Headers that some RPCs read or set; their comments name them. */
const headersByName = {
  'If-Match': 'ETag of the version to change; 412 when it is not the current one.',
  'Idempotency-Key': 'Repeated requests with the same key return the first result. At most 255 characters.',
  'If-None-Match': 'Entity tags that the client has; 304 when the current one is among them.',
  'If-Modified-Since': '304 when the file has not changed since; ignored with If-None-Match.',
  Range: 'A range of bytes, such as bytes=0-499. Several ranges return the whole file.',
  'If-Range':
    'Entity tag or date of the version that the range belongs to; returns the whole file when it has changed.',
}

/** A name in a comment, but not within a longer one. */
const names = (comment: string, name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(comment)

/** A text for all creating RPCs, which their comments need not repeat (services/kernel/rpc/idempotency.ts). */
export const repeating = ({ method, restOptions }: Route, comment: string): string =>
  restOptions.status === 201 && method.methodKind === 'unary' && !comment.includes('Idempotency-Key')
    ? 'With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.'
    : ''

/** Header parameters of an RPC. */
export const headerParameters = (comment: string): Schema[] =>
  Object.entries(headersByName)
    .filter(([name]) => names(comment, name))
    .map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }))

const text = { type: 'string' }

/** Headers of some successes, which comments name. */
const headersInComments = {
  Age: { description: 'Age in seconds of a cached answer, while the source is down.', schema: text },
  Warning: { description: '110 - "Response is Stale", beside Age.', schema: text },
}

/** Headers of an RPC's success. */
export function responseHeaders(comment: string): Schema | undefined {
  const mentionedHeaders = Object.entries(headersInComments).filter(([name]) => names(comment, name))
  const tag = comment.includes('ETag') ? [['ETag', refTo('headers', 'ETag')] as const] : []
  return mentionedHeaders.length + tag.length > 0 ? Object.fromEntries([...tag, ...mentionedHeaders]) : undefined
}

export const sharedHeaders = {
  ETag: { description: 'Version in quotes, for If-Match.', schema: text },
}

const header = (description: string) => ({ description, schema: text })
const bytes = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }

/** Successes of an RPC that streams a file. If its comment names Range, the file has versions and parts. */
export function fileResponses(comment: string): Record<string, Schema> {
  const disposition = { 'Content-Disposition': header('inline, or attachment for files to save.') }
  if (!names(comment, 'Range')) return { 200: { description: 'The file.', headers: disposition, ...bytes } }
  const version = {
    ETag: header('Version in quotes, for If-None-Match and If-Range.'),
    'Last-Modified': header('Time of the last change, for If-Modified-Since.'),
    'Cache-Control': header('How long the file may be cached.'),
  }
  const fileHeaders = { ...version, ...disposition }
  return {
    200: { description: 'The file.', headers: fileHeaders, ...bytes },
    206: {
      description: 'The requested range.',
      headers: { ...fileHeaders, 'Content-Range': header('Position of the range and size of the file.') },
      ...bytes,
    },
    304: { description: 'The file has not changed.', headers: version },
  }
}
