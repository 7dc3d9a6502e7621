import { type ClientOperation, operationsOf } from './client/operations.ts'
import { membersType, remark, typeOf } from './client/types.ts'
import type { Output } from './files.ts'
import type { Schema } from './openapi/schema.ts'

/** The typed REST client's types and routes, one file per OpenAPI document: gen/client/news.ts … */
export function clientOutputs(documents: Output[]): Output[] {
  const namedDocuments = documents.map(({ path, text }) => ({
    name: path.replace(/^.*\/|\.json$/g, ''),
    document: JSON.parse(text) as Schema,
  }))
  return [
    ...namedDocuments.map(({ name, document }) => ({
      path: `gen/client/${name}.ts`,
      text: clientText(name, document),
    })),
    { path: 'gen/client/index.ts', text: indexText(namedDocuments.map(({ name }) => name)) },
  ]
}

const head = (name: string) => `// Written by npm run gen from gen/openapi/${name}.json; never edited.\n`

/** news → News, the name of its operations' type. */
const typeName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}Operations`

function clientText(name: string, document: Schema): string {
  const { schemas } = document['components'] as { schemas: Record<string, Schema> }
  const operations = operationsOf(document)
  const types = Object.entries(schemas).map(
    ([type, schema]) => `${remark(schema['description'])}export type ${type} = ${typeOf(schema)}\n`,
  )
  const routes = operations.map(one => `  ${one.name}: ${JSON.stringify(one.route)},`)
  return [
    head(name),
    `import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'\n\n`,
    types.join('\n'),
    `\n/** ${(document['info'] as { title: string }).title}. */\n`,
    `export type ${typeName(name)} = {\n${operations.map(operationType).join('\n')}\n}\n`,
    `\nexport const ${name}Routes: ClientRoutes<${typeName(name)}> = {\n${routes.join('\n')}\n}\n`,
  ].join('')
}

function operationType({ name, description, members, required, answer }: ClientOperation): string {
  const input =
    Object.keys(members).length === 0 ? '' : `input${required.size > 0 ? '' : '?'}: ${membersType(members, required)}, `
  const type = answer === undefined ? 'Response' : answer === null ? 'void' : typeOf(answer)
  return `${remark(description)}${name}(${input}options?: CallOptions): Promise<${type}>`
}

function indexText(names: string[]): string {
  const imports = names.map(name => `import { type ${typeName(name)}, ${name}Routes } from './${name}.ts'`)
  const members = names.map(name => `  ${name}: ${typeName(name)}`)
  const routes = names.map(name => `  ${name}: ${name}Routes,`)
  return [
    head('*'),
    `${imports.join('\n')}\n\n`,
    `/** Every operation of the platform, by service. */\nexport type Operations = {\n${members.join('\n')}\n}\n\n`,
    `export const routes = {\n${routes.join('\n')}\n}\n`,
  ].join('')
}
