import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RestService } from '../../gen/catalogue.ts'
import { merged, type OpenApi } from './merge.ts'

/** A serialised OpenAPI document. */
type Document = { text: string; etag: string }

const folder = new URL('../../gen/openapi/', import.meta.url)
const textOf = (name: RestService): string => readFileSync(new URL(`${name}.json`, folder), 'utf8')

/** The entity tag of a text, with its quotes. */
export const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url')}"`

const documents = new Map<string, Document>()

/** The document of one service, or the merged document of all services of a listener. Built once. */
export function documentOf(names: RestService[]): Document {
  const key = names.join()
  let document = documents.get(key)
  if (!document) {
    const [name] = names
    const text = name && names.length === 1 ? textOf(name) : mergedText(names)
    document = { text, etag: etagOf(text) }
    documents.set(key, document)
  }
  return document
}

const mergedText = (names: RestService[]): string =>
  JSON.stringify(merged(names.map(name => ({ name, document: JSON.parse(textOf(name)) as OpenApi }))))
