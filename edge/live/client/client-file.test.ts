import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { assert, suite } from '../../../test/kit/kit.ts'
import { clientRoutes, clientScript } from './client-file.ts'

const test = suite('the client that browsers load')
const server = express().use(clientRoutes()).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/live/client.js`
test.after(() => void server.close())

test('it has at most 2 kB over the wire and no dependencies', () => {
  const bytes = gzipSync(clientScript, { level: 9 }).length
  assert.ok(bytes <= 2_048, `${bytes} bytes`)
  assert.not.match(clientScript, /\bimport\b|\brequire\(/)
})

test('it is a module that exports the client', async () => {
  const module = (await import(`data:text/javascript,${encodeURIComponent(clientScript)}`)) as { connect: unknown }
  assert.type(module.connect, 'function')
})

test('it is served as a script for any page, cached for an hour and then revalidated', async () => {
  const response = await fetch(url)
  const { headers } = response
  assert.is(await response.text(), clientScript)
  assert.match(headers.get('content-type') ?? '', /^text\/javascript; charset=utf-8$/)
  assert.is(headers.get('cache-control'), 'public, max-age=3600')
  assert.is(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const etag = headers.get('etag') ?? ''
  // A compressing proxy makes the tag a weak one.
  for (const condition of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const revalidation = await fetch(url, { headers: { 'if-none-match': condition } })
    assert.equal([revalidation.status, await revalidation.text()], [304, ''], condition)
  }
})

test('its types are available beside it', async () => {
  const text = await (await fetch(url.replace('.js', '.d.ts'))).text()
  assert.match(text, /export function connect\(options: Options\): Live/)
})

test.run()
