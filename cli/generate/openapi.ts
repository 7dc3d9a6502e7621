import type { DescFile } from '@bufbuild/protobuf'
import type { RestService } from '../../edge/catalogue.ts'
import { restServices } from './catalogue.ts'
import { readComments } from './openapi/comments.ts'
import { openApiDocument } from './openapi/document.ts'

/** The OpenAPI documents, one for each REST service: gen/openapi/news.json … */
export function openApiOutputs(files: DescFile[]): { path: string; text: string }[] {
  const comments = readComments()
  return [...restServices(files)].map(([name, own]) => {
    const document = openApiDocument(name as RestService, own, comments)
    return { path: `gen/openapi/${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` }
  })
}
