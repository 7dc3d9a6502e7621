/**
 * Samples of a call in three languages, made from the operation's examples.
 * @typedef {{ service: string, id: string, method: string, url: string, values: Record<string, unknown>, body: unknown,
 *   files: string[], isPublic: boolean, isOfEdge: boolean }} Call `files` names the files of a form
 */
const json = value => JSON.stringify(value, null, 2)
/** `'` within a text that a shell reads in `'`. */
const shellQuote = text => `'${text.replaceAll("'", `'\\''`)}'`
const fileName = 'menu.pdf'

function curl({ method, url, body, files, isPublic }) {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`,
    ...(isPublic ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${shellQuote(json(body))}`]),
    ...files.map(name => `-F ${name}=@${fileName}`),
  ].join(' \\\n  ')
}

function typescript({ service, id, values, body, files }) {
  const fields = { ...values, ...(body === undefined ? {} : { body }) }
  const argument = Object.keys(fields).length > 0 ? json(fields).replaceAll(/^( *)"(\w+)":/gm, '$1$2:') : ''
  const call = `const answer = await platform.${service}.${id.charAt(0).toLowerCase()}${id.slice(1)}`
  if (files.length === 0) return `${call}(${argument})`
  return [
    "import { openAsBlob } from 'node:fs'\n",
    ...files.map(name => `const ${name} = new File([await openAsBlob('${fileName}')], '${fileName}')`),
    `${call}({ body: { ${files.join(', ')} } })`,
  ].join('\n')
}

function python({ service, id, values, body, files }) {
  const fields = [
    ...Object.entries({ ...values, ...body }).map(([name, value]) => `${name}=${literal(value)}`),
    ...files.map(name => `${name}=${name}`),
  ].map(field => `${indent(field)},\n`)
  const name = id.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase()
  const call = `answer = platform.${service}.${name}(${fields.length > 0 ? `\n${fields.join('')}` : ''})`
  if (files.length === 0) return call
  return `with ${files.map(one => `open("${fileName}", "rb") as ${one}`).join(', ')}:\n${indent(call)}`
}

const indent = text => text.replaceAll(/^/gm, '    ')

/** A value as Python writes it. */
const literal = value =>
  json(value).replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_, text, word) => text ?? { true: 'True', false: 'False', null: 'None' }[word],
  )

/** The languages with their samples. Probes, and what a provider calls, are no part of the clients. */
export const samplesOf = ({ isOfEdge }) => (isOfEdge ? { curl } : { curl, TypeScript: typescript, Python: python })

/**
 * A call of an operation of the document with its examples.
 * @param operation an OpenAPI document, its address, and the path and method of the operation in it
 */
export function callOf({ document, place, path, method }) {
  const operation = document.paths[path][method]
  const parameters = (operation.parameters ?? []).filter(one => one.required && one.in !== 'header')
  const exampleOf = name => parameters.find(one => one.name === name).example
  const [{ url: server }] = operation.servers ?? document.servers
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(name)))
  const query = parameters
    .filter(one => one.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
  const address = new URL(server + filledPath, place)
  const [service, id] = operation.operationId.includes('.')
    ? operation.operationId.split('.')
    : [document['x-service'], operation.operationId]
  const { content = {} } = operation.requestBody ?? {}
  const formFields = Object.entries(content['multipart/form-data']?.schema.properties ?? {})
  return {
    service,
    id,
    method: method.toUpperCase(),
    url: address.href + (query.length > 0 ? `?${query.join('&')}` : ''),
    // The clients name a parameter by its field.
    values: Object.fromEntries(parameters.map(one => [one['x-field'] ?? one.name, one.example])),
    body: content['application/json']?.example,
    files: formFields.filter(([, { format }]) => format === 'binary').map(([name]) => name),
    isPublic: operation.security?.length === 0,
    isOfEdge: Boolean(operation['x-edge']),
  }
}
