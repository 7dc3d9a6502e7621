/**
 * Samples of a call in three languages, made from the operation's examples.
 * @typedef {{ service: string, id: string, method: string, url: string, values: Record<string, unknown>, body: unknown,
 *   isPublic: boolean }} Call
 */
const json = value => JSON.stringify(value, null, 2)
/** `'` within a text that a shell reads in `'`. */
const shellQuote = text => `'${text.replaceAll("'", `'\\''`)}'`

function curl({ method, url, body, isPublic }) {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`,
    ...(isPublic ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${shellQuote(json(body))}`]),
  ].join(' \\\n  ')
}

function typescript({ service, id, values, body }) {
  const fields = { ...values, ...(body === undefined ? {} : { body }) }
  const name = `platform.${service}.${id.charAt(0).toLowerCase()}${id.slice(1)}`
  const argument = Object.keys(fields).length > 0 ? json(fields).replaceAll(/^( *)"(\w+)":/gm, '$1$2:') : ''
  return `const answer = await ${name}(${argument})`
}

const python = ({ method, url, body, isPublic }) =>
  [
    'import requests\n',
    `answer = requests.request(`,
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(isPublic ? [] : ['    headers={"authorization": f"Bearer {token}"},']),
    ...(body === undefined ? [] : [`    json=${literal(body).replaceAll('\n', '\n    ')},`]),
    ')',
    'answer.raise_for_status()',
    'print(answer.json())',
  ].join('\n')

/** A value as Python writes it. */
const literal = value =>
  json(value).replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_, text, word) => text ?? { true: 'True', false: 'False', null: 'None' }[word],
  )

/** The languages with their samples. */
export const samples = { curl, TypeScript: typescript, Python: python }

/**
 * A call of an operation of the document with its examples.
 * @param operation an OpenAPI document, its address, and the path and method of the operation in it
 */
export function callOf({ document, place, path, method }) {
  const operation = document.paths[path][method]
  const parameters = (operation.parameters ?? []).filter(one => one.required && one.in !== 'header')
  const values = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
  const [{ url: server }] = operation.servers ?? document.servers
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]))
  const query = parameters
    .filter(one => one.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
  const address = new URL(server.replace(/\/$/, '') + filledPath, place)
  const [service, id] = operation.operationId.includes('.')
    ? operation.operationId.split('.')
    : [document['x-service'], operation.operationId]
  return {
    service,
    id,
    method: method.toUpperCase(),
    url: address.href + (query.length > 0 ? `?${query.join('&')}` : ''),
    values,
    body: operation.requestBody?.content['application/json']?.example,
    isPublic: operation.security?.length === 0,
  }
}
