import { once } from 'node:events'
import { connect } from 'node:net'
import { answersIn, rawAnswer, startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('requests that cannot be parsed')
// None of these requests reaches a service.
const { edge, urls, end } = await startTestEdge([])
test.after(end)

const get = 'GET /health HTTP/1.1\r\n'
const login = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: r-9\r\n'
const chunked = `${login}Transfer-Encoding: chunked\r\n\r\n`
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
const many = Array.from({ length: 101 }, (_, n) => `X-${n}: canary\r\n`).join('')
const [malformed, large] = ['ValidationError', 'RequestHeaderFieldsTooLargeError']
for (const [title, status, name, bytes, isOfAll = true] of [
  ['a request line that is none', 400, malformed, 'canary\r\n\r\n'],
  ['another version of HTTP', 400, malformed, 'GET /canary HTTP/9.9\r\n\r\n'],
  ['the preface of HTTP/2', 400, malformed, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a header that is none', 400, malformed, `${get}Host: x\r\ncanary canary\r\n\r\n`],
  ['HTTP/1.1 without Host', 400, malformed, `${get}\r\n`],
  ['two Hosts', 400, malformed, `${get}Host: x\r\nHOST: canary\r\n\r\n`],
  ['a handshake without Host', 400, malformed, `GET /ws HTTP/1.1\r\n${upgrade}\r\n`],
  ['* for a path', 400, malformed, 'GET * HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two lengths', 400, malformed, `${login}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['headers of 20 kB', 431, large, `${get}Host: x\r\nX: ${'canary'.repeat(3_400)}\r\n\r\n`],
  ['an address of 20 kB', 431, large, `GET /${'canary'.repeat(3_400)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['102 headers', 431, large, `${get}Host: x\r\n${many}\r\n`],
  ['an unknown expectation', 417, 'ExpectationFailedError', `${get}Host: x\r\nExpect: canary\r\n\r\n`],
  ['CONNECT', 405, 'MethodNotAllowedError', 'CONNECT canary:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a chunk of no size', 400, malformed, `${chunked}canary\r\n`, false],
  ['a chunk with 20 kB beside it', 413, 'PayloadTooLargeError', `${chunked}1;${'canary'.repeat(3_400)}\r\n`, false],
  ['a trailer that is none', 400, malformed, `${chunked}1\r\n{\r\n0\r\ncanary canary\r\n\r\n`, false],
  ['a coding that is unknown', 400, malformed, `${login}Transfer-Encoding: canary\r\n\r\n`, false],
  ['a handshake without a key', 400, malformed, `GET /ws HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`, false],
  ['a handshake by POST', 405, 'MethodNotAllowedError', `POST /ws HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`, false],
] as [string, number, string, string, boolean?][])
  test(`${title} is a ${status} in the documented form without echo, once, and closes the connection`, async () => {
    for (const url of isOfAll ? [...new Set(Object.values(urls)), edge.consoleUrl] : [urls.auth]) {
      const { text } = await rawAnswer(url, bytes)
      const [answer, ...otherAnswers] = answersIn(text)
      assert.equal([answer?.status, otherAnswers], [status, []], text)
      const { requestId, message, ...body } = JSON.parse(answer?.body ?? '') as Record<string, unknown>
      assert.equal(body, { statusCode: status, error: name })
      assert.type(message, 'string')
      assert.match(String(requestId), bytes.includes('X-Request-Id') && !isOfAll ? /^r-9$/ : /^[\w-]{1,64}$/)
      assert.equal(
        ['x-request-id', 'connection', 'cache-control'].map(one => answer?.headers.get(one)),
        [requestId, 'close', 'no-store'],
      )
      assert.not.match(text, /canary/i)
    }
  })

test('an unparsable request is answered in order, and not when its request already has an answer', async () => {
  const request = `${get}Host: x\r\n`
  for (const [bytes, expected] of [
    [`${request}\r\ncanary\r\n\r\n`, [503, 400]],
    [`${request}\r\n${request}\r\n${chunked}canary\r\n`, [503, 503, 400]],
    [`${request}Connection: close\r\n\r\ncanary\r\n\r\n`, [503]],
    ['POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\ncanary\r\n', [404]],
  ] as const) {
    const answers = answersIn((await rawAnswer(urls.auth, bytes)).text)
    assert.equal(
      answers.map(({ status }) => status),
      expected,
      bytes,
    )
    for (const { body } of answers) assert.type(JSON.parse(body), 'object')
  }
  // A client that has disconnected before its refusal breaks nothing.
  for (const bytes of ['canary\r\n\r\n', request, `${chunked}canary\r\n`, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const socket = connect(Number(new URL(urls.auth).port), '127.0.0.1')
    socket.write(bytes, () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  assert.is((await fetch(`${urls.auth}/health`)).status, 503)
})

test('an RPC over HTTP/1.0, which names no host, is answered like any other', async () => {
  const call = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  const { text } = await rawAnswer(urls.auth, `POST /rpc/platform.auth.v1.UserService/GetMe HTTP/1.0\r\n${call}`)
  const [answer] = answersIn(text)
  assert.equal([answer?.status, JSON.parse(answer?.body ?? '').code], [401, 'unauthenticated'])
})

test('OPTIONS * lists the verbs of the whole server, on every port', async () => {
  for (const url of [...Object.values(urls), edge.consoleUrl]) {
    const { text } = await rawAnswer(url, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const [answer] = answersIn(text)
    const allowedMethods = answer?.headers.get('allow')
    assert.equal([answer?.status, allowedMethods], [204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'], url)
  }
})

test.run()
