import type { DescFile } from '@bufbuild/protobuf'
import type { RestService } from '../../edge/catalogue.ts'
import { restServices } from './catalogue.ts'
import type { Comments } from './openapi/comments.ts'
import { openApiDocument } from './openapi/document.ts'

/** The OpenAPI documents, one per REST service: gen/openapi/news.json … */
export function openApiOutputs(files: DescFile[], comments: Comments): { path: string; text: string }[] {
  return [...restServices(files)].map(([name, own]) => {
    const document = openApiDocument(name as RestService, own, comments)
    return { path: `gen/openapi/${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` }
  })
}
