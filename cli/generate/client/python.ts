import { isNullable, plainType, type Schema, targetOf } from '../openapi/schema.ts'
import { type ClientOperation, operationsOf } from './operations.ts'

type Schemas = Record<string, Schema>

/** The Python module of a service: its records as TypedDicts, its operations as the methods of a class. */
export function pythonModule(document: Schema): string {
  const { schemas } = document['components'] as { schemas: Schemas }
  const { title } = document['info'] as { title: string }
  return [
    `"""${title}."""`,
    'from __future__ import annotations',
    [
      'from http.client import HTTPResponse',
      'from typing import Any, BinaryIO, Callable, Dict, List, Literal, Optional, TypedDict',
    ].join('\n'),
    'from .request import UNSET',
    ...Object.entries(schemas).map(([name, schema]) => recordText(name, schema)),
    `class Operations:\n    def __init__(self, call: Callable[..., Any]) -> None:\n        self._call = call`,
    ...operationsOf(document).map(one => methodText(one, schemas)),
  ].join('\n\n')
}

/** The module that names all services, with their documented ports. */
export function pythonServices(ports: Record<string, number>): string {
  const names = Object.keys(ports)
  return [
    '"""The services of the platform."""\n',
    `from typing import Any, Callable\n\nfrom . import ${names.join(', ')}\n`,
    `PORTS = ${JSON.stringify(ports)}\n`,
    'class Services:\n    def __init__(self, call_of: Callable[[str], Callable[..., Any]]) -> None:',
    ...names.map(name => `        self.${name} = ${name}.Operations(call_of("${name}"))`),
    '',
  ].join('\n')
}

function recordText(name: string, schema: Schema): string {
  const members = Object.entries((schema['properties'] ?? {}) as Schemas)
  const required = new Set(schema['required'] as string[] | undefined)
  const types = members.map(([key, one]) => `"${key}": ${JSON.stringify(typeOf(one))}`)
  // Such a key can't be declared in a class.
  if (members.some(([key]) => keywords.has(key))) return `${name} = TypedDict("${name}", {${types.join(', ')}})`
  const fields = (isRequired: boolean) =>
    members
      .filter(([key]) => required.has(key) === isRequired)
      .map(([key, one]) => `\n${remark(one['description'])}    ${key}: ${typeOf(one)}`)
      .join('')
  const doc = `\n${docText((schema['description'] as string | undefined) ?? name, 4)}`
  if (required.size === members.length) return `class ${name}(TypedDict):${doc}${fields(true)}`
  const optional = (base: string) => `class ${name}(${base}, total=False):${doc}${fields(false)}`
  if (required.size === 0) return optional('TypedDict')
  return `class _${name}(TypedDict):${fields(true)}\n\n${optional(`_${name}`)}`
}

/** A method whose arguments are the fields of path, query and body. */
function methodText({ name, description, members, required, answer, route }: ClientOperation, schemas: Schemas) {
  const { body = {}, ...parameters } = members
  const content = schemas[targetName(body) ?? ''] ?? body
  const bodyFields = (content['properties'] ?? {}) as Schemas
  const requiredNames = new Set([...required, ...((content['required'] as string[] | undefined) ?? [])])
  const fields = Object.entries({ ...parameters, ...bodyFields })
  const isInPath = (field: string) => route.path.includes(`{${field}}`)
  const argument = ([field, schema]: [string, Schema]) =>
    `${argumentName(field)}: ${typeOf(schema)}${requiredNames.has(field) ? '' : ' = UNSET'}`
  const positional = fields.filter(([field]) => isInPath(field)).map(argument)
  const keyed = fields.filter(([field]) => !isInPath(field)).map(argument)
  if (route.keyed) keyed.push('idempotency_key: str = ""')
  const argumentList = ['self', ...positional, ...(keyed.length > 0 ? ['*', ...keyed] : [])].join(', ')

  const dictionary = (names: readonly string[]) => `{${names.map(one => `"${one}": ${argumentName(one)}`).join(', ')}}`
  const pathNames = Object.keys(parameters).filter(isInPath)
  const call = [
    `"${route.verb}", "${route.path}"`,
    ...(pathNames.length > 0 ? [`names=${dictionary(pathNames)}`] : []),
    ...(route.query.length > 0 ? [`query=${dictionary(route.query)}`] : []),
    ...(route.body === 'none' ? [] : [`${route.body}=${dictionary(Object.keys(bodyFields))}`]),
    ...('ifMatch' in parameters ? ['if_match=if_match'] : []),
    ...(route.keyed ? ['key=idempotency_key'] : []),
    ...(route.open ? ['is_open=True'] : []),
    ...(answer === undefined ? ['is_file=True'] : []),
  ].join(', ')
  const type = answer === undefined ? 'HTTPResponse' : answer === null ? 'None' : typeOf(answer)
  const notes = fields.flatMap(([field, { description: note }]) =>
    typeof note === 'string' ? [`${argumentName(field)}: ${note}`] : [],
  )
  return [
    `    def ${snakeCase(name)}(${argumentList}) -> ${type}:`,
    docText([description, ...notes].join('\n\n'), 8),
    `        return self._call(${call})`,
    '',
  ].join('\n')
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase()

/** Python's own words that a field may be called. */
const keywords = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'not', 'pass'])

/** Fields keep their names, so that arguments and answers have the same ones. */
function argumentName(field: string): string {
  if (field === 'ifMatch') return 'if_match'
  return keywords.has(field) ? `${field}_` : field
}

const targetName = (schema: Schema): string | undefined => targetOf(schema)?.split('/').at(-1)

function typeOf(schema: Schema): string {
  const type = targetName(schema) ?? ownType(schema)
  return isNullable(schema) ? `Optional[${type}]` : type
}

function ownType(schema: Schema): string {
  const values = (schema['enum'] as unknown[] | undefined)?.filter(value => value !== null)
  if (values) return `Literal[${values.map(literal).join(', ')}]`
  if (schema['format'] === 'binary') return 'BinaryIO'
  const items = schema['items'] ?? schema['additionalProperties']
  const inner = typeof items === 'object' ? typeOf(items as Schema) : 'Any'
  const types: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    array: `List[${inner}]`,
    object: `Dict[str, ${inner}]`,
  }
  return types[String(plainType(schema))] ?? 'Any'
}

const literal = (value: unknown): string => JSON.stringify(value).replace(/^[tf]/, letter => letter.toUpperCase())

const remark = (text: unknown): string => (typeof text === 'string' ? `${text.replace(/^/gm, '    # ')}\n` : '')

const docText = (text: string, indent: number): string =>
  `"""${text.replace(/["\\]/g, '\\$&')}"""`.replace(/^(?=.)/gm, ' '.repeat(indent))
