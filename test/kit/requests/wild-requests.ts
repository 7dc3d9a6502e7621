import { type Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { minimalJson, type ValueChoice } from './minimal-body.ts'
import { type Endpoint, idFor } from './requests.ts'
import { wildJson, wildText } from './wild-values.ts'

/** A request from an attacker or a broken client. */
export type WildRequest = {
  endpoint: Endpoint
  verb: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export type WildAnswer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number }

/** The material of the requests, beside chance. */
export type WildWorld = {
  endpoints: Endpoint[]
  choiceFor(endpoint: Endpoint): ValueChoice
  credentials: Record<string, string>[]
}

/** Percent-encodes characters that a request line can't hold, and leaves malformed encodings unchanged. */
const inLine = (part: string): string =>
  part.replace(/[^\x21-\x7e]/gu, char =>
    /[\ud800-\udfff]/.test(char) && char.length === 1 ? '%ED%A0%80' : encodeURIComponent(char),
  )

/** Header values are Latin-1 without control characters; a client sends no others. */
const headerValue = (part: string): string =>
  Buffer.from(part)
    .toString('latin1')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')

/** A random request around the platform's routes. */
export function wildRequests({ endpoints, choiceFor, credentials }: WildWorld): fc.Arbitrary<WildRequest> {
  return fc.constantFrom(...endpoints).chain(endpoint =>
    fc
      .record({
        verb: fc.oneof(
          { weight: 9, arbitrary: fc.constant(endpoint.route.verb) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
          },
        ),
        path: pathOf(endpoint, choiceFor(endpoint)),
        query: queryOf(endpoint, choiceFor(endpoint)),
        body: bodyOf(endpoint, choiceFor(endpoint)),
        headers: headersOf(credentials),
      })
      .map(({ verb, path, query, body, headers }) => ({
        endpoint,
        verb,
        path: query ? `${path}?${query}` : path,
        headers,
        body: verb === 'GET' || verb === 'HEAD' || verb === 'TRACE' ? undefined : body,
      })),
  )
}

function pathOf({ route, title }: Endpoint, choose: ValueChoice): fc.Arbitrary<string> {
  const parts = route.segments.map(segment => {
    if (typeof segment === 'string') return fc.constant(segment)
    // DELETE must not remove what the other requests need.
    const value = (route.verb === 'DELETE' ? undefined : choose(segment)) ?? idFor(title)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: wildText })
  })
  const extra = fc.oneof(
    { weight: 20, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(wildText, { maxLength: 2 }) },
  )
  const ending = fc.constantFrom(...Array<string>(12).fill(''), '/', '/', '//', ';x=1', '%2f')
  return fc
    .tuple(fc.tuple(...parts), extra, ending)
    .map(([segments, extraSegments, end]) =>
      `/${[...segments, ...extraSegments].map(inLine).join('/')}${end}`.replace(/[?#]/g, '%3F'),
    )
}

function queryOf({ route, pathFields }: Endpoint, choose: ValueChoice): fc.Arbitrary<string> {
  const fields = route.method.input.fields
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fields.map(field => field.jsonName), 'x') },
    { weight: 1, arbitrary: wildText },
  )
  const odd = fc.array(fc.tuple(name, fc.oneof(wildText, fc.integer({ max: 50 }).map(String))), { maxLength: 3 })
  const typed = wildJson(route.method.input, choose).map(json =>
    Object.entries(json).map(([key, one]): [string, string] => [
      key,
      typeof one === 'string' ? one : (JSON.stringify(one) ?? ''),
    ]),
  )
  const optionalPairs = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.oneof(odd, typed) },
  )
  const requiredFields = route.hasBody
    ? {}
    : minimalJson(route.method.input, choose, new Set(pathFields.map(field => field.name)))
  return optionalPairs.map(extraPairs => {
    if (route.hasBody && extraPairs.length < 3) return ''
    const pairs = [...Object.entries(requiredFields).map(([key, one]) => [key, String(one)] as const), ...extraPairs]
    return inLine(pairs.map(([key, one]) => `${key}=${one}`).join('&')).replaceAll('#', '%23')
  })
}

function bodyOf({ route, pathFields }: Endpoint, choose: ValueChoice): fc.Arbitrary<Buffer | undefined> {
  if (!route.hasBody)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(Buffer.from('{}')) },
    )
  const skip = new Set(pathFields.map(field => field.name))
  const mutated = wildJson(route.method.input, choose, skip).map(json => JSON.stringify(json))
  const anyBody = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.string({ maxLength: 200 }),
    fc.constantFrom('', '{', '[]', '{"a":'.repeat(400)),
  )
  return fc.oneof({ weight: 5, arbitrary: mutated }, { weight: 1, arbitrary: anyBody }).map(one => Buffer.from(one))
}

/** Headers with one of the credentials, or with none or a broken one. */
export function headersOf(credentials: Record<string, string>[]): fc.Arbitrary<Record<string, string>> {
  const credential = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...credentials) },
    { weight: 1, arbitrary: wildText.map(one => ({ authorization: `Bearer ${headerValue(one)}` })) },
    { weight: 1, arbitrary: fc.constant({}) },
  )
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        'application/json; charset=utf-16',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
        'application/vnd.x+json',
        ';',
      ),
    },
  )
  const oddNames = fc.constantFrom(
    'if-match',
    'if-none-match',
    'idempotency-key',
    'x-request-id',
    'range',
    'content-encoding',
    'x-forwarded-for',
    'origin',
    'accept-language',
    'x-api-secret',
    'connection',
    'upgrade',
    'cookie',
  )
  const oddHeaders = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(oddNames, wildText.map(headerValue), { maxKeys: 3 }) },
  )
  return fc.tuple(credential, type, oddHeaders).map(([credentialHeaders, contentType, extraHeaders]) => ({
    ...credentialHeaders,
    'content-type': contentType,
    ...extraHeaders,
  }))
}

const partsOf = ({ statusCode = 0, headers }: IncomingMessage) => ({ status: statusCode, headers })

/** Sends the request unchanged: a client that tidies up would hide its effect on a server. */
export function sendWild(
  base: string,
  { verb, path, headers, body }: Omit<WildRequest, 'endpoint'>,
  agent: Agent,
): Promise<WildAnswer> {
  const { hostname, port } = new URL(base)
  // Node omits the length for methods that usually have no body, and the body would then be read as a request.
  const allHeaders = body ? { ...headers, 'content-length': `${body.length}` } : headers
  const began = Date.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, hostname, port, method: verb, path, headers: allHeaders, timeout: 20_000 },
      response => {
        let answer = ''
        response
          .setEncoding('latin1')
          .on('data', chunk => {
            answer += chunk
          })
          .on('end', () => resolve({ ...partsOf(response), text: answer, ms: Date.now() - began }))
          .on('error', reject)
      },
    )
    request
      .on('timeout', () => request.destroy(new Error('no answer in 20 s')))
      .on('upgrade', (response, socket) => {
        socket.destroy()
        resolve({ ...partsOf(response), text: '', ms: Date.now() - began })
      })
      .on('error', reject)
      .end(body)
  })
}
