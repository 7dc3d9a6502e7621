import { anyPorts, rawAnswer, startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { sandboxForTest } from '../kit/sandbox.ts'

const test = suite('the first page of each port')
const settings = { ...anyPorts, FRONT_BASE_URL: 'https://front.example/app/#/', CONSOLE_PORT: '0', FRONT_PORT: '0' }
const development = await startTestEdge([], { ...settings, NODE_ENV: 'development', SANDBOX_PORT: '3999' })
const production = await startTestEdge([], { ...settings, NODE_ENV: 'test' })
const sandbox = await sandboxForTest()
test.after(async () => {
  await sandbox.close()
  await development.end()
  await production.end()
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = async (url: string, accept?: string, path = '/') => {
  const response = await fetch(url + path, { headers: accept === undefined ? {} : { accept } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('programs get JSON that names the service and its documentation, whatever else they accept', async () => {
  const { urls } = production
  for (const accept of [undefined, '*/*', 'application/json', 'text/plain', 'application/json, text/html;q=0.5']) {
    const answer = await get(urls.news, accept)
    assert.equal([answer.status, answer.headers.get('vary')?.includes('Accept')], [200, true], accept)
    assert.equal(JSON.parse(answer.text), {
      name: 'Hospitality platform',
      service: 'news-service',
      documentation: '/docs/',
      openapi: '/openapi.json',
      events: '/docs/events/',
      asyncapi: '/asyncapi.json',
      health: '/health',
      client: 'https://front.example/app/#/',
    })
  }
  const sharedAnswer = JSON.parse((await get(urls.notification)).text)
  assert.is(sharedAnswer.service, 'notification-service,legacy-authentication-service')
})

test('browsers get a page without scripts that leads to documentation and client', async () => {
  const { urls } = production
  const page = await get(urls.news, browser)
  assert.equal([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, "default-src 'none'")
  assert.match(policy, "frame-ancestors 'none'")
  assert.not.match(policy, /script-src|unsafe|\*/)
  assert.not.match(page.text, /<script|\son\w+=/)
  const links = [...page.text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link ?? '')
  assert.equal(links, ['/docs/', '/docs/events/', '/openapi.json', 'https://front.example/app/#/'])
  for (const link of links.filter(one => one.startsWith('/')))
    assert.is((await get(urls.news, browser, link)).status, 200, link)
})

test('in production neither names another port, the console or the sandbox', async () => {
  for (const url of new Set(Object.values(production.urls)))
    for (const accept of [browser, 'application/json']) {
      const { text } = await get(url, accept)
      assert.not.match(text, /127\.0\.0\.1|localhost|sandbox|console/i)
    }
})

test('in development both lead to every other service, the console and the sandbox', async () => {
  const { urls, edge } = development
  const answer = JSON.parse((await get(urls.auth)).text)
  assert.equal([answer.console, answer.sandbox], [edge.consoleUrl, 'http://127.0.0.1:3999'])
  assert.is(answer.services['news-service'], `${urls.news}/docs/?service=news-service`)
  const page = await get(urls.payment, browser)
  for (const link of [edge.consoleUrl, 'http://127.0.0.1:3999', `${urls.hotel}/docs/?service=hotel-service`])
    assert.ok(page.text.includes(`<a href="${link}"`), `${link} in ${page.text}`)
  const documentationLinks = Object.values(answer.services as Record<string, string>)
  assert.is(documentationLinks.length, 8)
  for (const link of documentationLinks) assert.is((await fetch(link)).status, 200, link)
})

test('only GET and HEAD are answered, with an icon, and sockets still connect at the same path', async () => {
  const { urls } = production
  const head = await fetch(urls.news, { method: 'HEAD' })
  assert.equal([head.status, await head.text()], [200, ''])
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const refusal = await fetch(urls.news, { method })
    assert.equal([refusal.status, refusal.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], method)
  }
  const icon = await get(urls.news, browser, '/favicon.ico')
  assert.equal([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'])
  const upgrade = [
    'GET / HTTP/1.1',
    'Host: a',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
  ]
  const { text } = await rawAnswer(
    urls.news,
    [...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''].join('\r\n'),
  )
  assert.match(text, /^HTTP\/1\.1 101 /)
})

test('client, console and sandbox answer programs with JSON and browsers with their page', async () => {
  const { frontUrl = '', consoleUrl = '' } = production.edge
  const homes = [
    [frontUrl, 'web-client'],
    [consoleUrl, 'operator-console'],
    [sandbox.url, 'sandbox'],
  ] as const
  for (const [url, service] of homes) {
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await get(url, accept)
      assert.match(answer.headers.get('vary') ?? '', 'Accept', service)
      const about = JSON.parse(answer.text)
      assert.equal([about.name, about.service], ['Hospitality platform', service])
      assert.is((await get(url, accept, about.health)).status, 200, service)
    }
    const page = await get(url, browser)
    assert.equal([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'], service)
  }
  const { services } = JSON.parse((await get(frontUrl)).text)
  assert.is(Object.keys(services).length, 8)
  assert.is(JSON.parse((await get(frontUrl, undefined, services.news)).text).service, 'news-service')
})

test('below a path of the web client the links keep that path', async () => {
  const { edge } = production
  const base = `${edge.frontUrl}/services/news`
  const answer = JSON.parse((await get(base)).text)
  assert.is(answer.documentation, '/services/news/docs/')
  for (const path of ['/docs/', '/docs/events/']) {
    const { text } = await get(base, browser, path)
    const links = [...text.matchAll(/(?:href|src|data-url)="(\/[^"]*)"/g)].map(([, link = '']) => link)
    assert.ok(links.length > 3, path)
    for (const link of links) {
      assert.match(link, /^\/services\/news\//)
      const page = await get(edge.frontUrl ?? '', browser, link)
      // Elsewhere the port answers with the page of the web client.
      assert.not.match(page.text, 'id="app"', link)
      assert.is(page.status, 200, link)
    }
  }
})

test.run()
