import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import type { RestService } from '../../gen/catalogue.ts'
import { pageFile } from '../http/page-files.ts'
import { mergeDocuments, type OpenApi } from './merge.ts'
import { asVersion30 } from './version-30.ts'

/** A serialised OpenAPI document, and what sends it. */
type Document = { text: string; send: RequestHandler }

const folder = new URL('../../gen/openapi/', import.meta.url)
const textOf = (name: RestService): string => readFileSync(new URL(`${name}.json`, folder), 'utf8')

/** 3.0 is the contract's, 3.1 the one that the protos are written in. */
export type Version = '3.0' | '3.1'

type DocumentQuery = {
  /** One service, or several for a merged document. */
  names: RestService[]
  version?: Version
  /** The path below which the routes of a service are served, from the document's folder. */
  pathOf?: (name: RestService) => string
}

const documents = new Map<string, Document>()

/** An OpenAPI document. Each is built once. */
export function documentOf({ names, version = '3.0', pathOf = () => '' }: DocumentQuery): Document {
  const key = [version, ...names.map(name => name + pathOf(name))].join(' ')
  let document = documents.get(key)
  if (!document) {
    const parts = names.map(name => ({ name, document: withServer(textOf(name), pathOf(name)) }))
    const [first] = parts
    const openApi = first && parts.length === 1 ? { ...first.document, 'x-service': first.name } : mergeDocuments(parts)
    const text = JSON.stringify(version === '3.0' ? asVersion30(openApi) : openApi)
    document = { text, send: pageFile('openapi.json', text) }
    documents.set(key, document)
  }
  return document
}

const withServer = (text: string, path: string): OpenApi => ({
  ...(JSON.parse(text) as OpenApi),
  servers: [{ url: path ? `./${path}` : '.' }],
})
