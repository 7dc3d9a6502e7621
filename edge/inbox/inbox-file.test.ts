import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { assert, suite } from '../../test/kit/kit.ts'
import kinds from './assets/topics.json' with { type: 'json' }
import { inboxRoutes, inboxScript } from './inbox-file.ts'

/** A browser script, which has no types. */
const asset = (name: string): Promise<unknown> => import(new URL(`assets/${name}.js`, import.meta.url).href)
const { textsOf } = (await asset('texts')) as { textsOf(language: string): Record<string, object> }

const test = suite('the inbox that browsers load')
const open = async (isShown: boolean) => {
  const server = express().use(inboxRoutes(isShown)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const [demoUrl, plainUrl] = await Promise.all([open(true), open(false)])

test('it has at most 21 kB over the wire and no dependencies', () => {
  const bytes = gzipSync(inboxScript, { level: 9 }).length
  assert.ok(bytes <= 21_000, `${bytes} bytes`)
  assert.not.match(inboxScript, /\bimport\b(?!\.meta)|\brequire\(|\bexport\b/)
})

test('it never parses text as markup or code', () => {
  assert.not.match(
    inboxScript,
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser/,
  )
})

test('it is served as a script for any page, cached for an hour and then revalidated', async () => {
  const response = await fetch(`${plainUrl}/inbox.js`)
  const { headers } = response
  assert.is(await response.text(), inboxScript)
  assert.is(headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.is(headers.get('cache-control'), 'public, max-age=3600')
  assert.is(headers.get('access-control-allow-origin'), '*')
  const revalidation = await fetch(`${plainUrl}/inbox.js`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  assert.equal([revalidation.status, await revalidation.text()], [304, ''])
  assert.match(await (await fetch(`${plainUrl}/inbox.d.ts`)).text(), /interface PlatformInbox/)
})

test('its demonstration page exists in development only', async () => {
  const statuses = await Promise.all([demoUrl, plainUrl].map(async url => (await fetch(`${url}/inbox/`)).status))
  assert.equal(statuses, [200, 404])
})

test('the guide lists exactly the colours, sizes and parts that pages can set', () => {
  const guide = readFileSync(new URL('../../docs/guides/inbox.md', import.meta.url), 'utf8')
  const looks = guide.slice(guide.indexOf('Custom properties'), guide.indexOf('## Keys'))
  const css = readFileSync(new URL('assets/inbox.css', import.meta.url), 'utf8')
  const set = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].toSorted()
  assert.equal(set(looks, /--inbox-[a-z-]+/g), set(css, /--inbox-[a-z-]+/g))
  const folder = new URL('assets/', import.meta.url)
  const scripts = readdirSync(folder).filter(name => name.endsWith('.js') && name !== 'demo.js')
  const source = scripts.map(name => readFileSync(new URL(name, folder), 'utf8')).join('')
  const parts = [...source.matchAll(/\bpart(?:: | = .*\? )'([a-z]+)'(?: : '([a-z -]+)')?/g)]
    .flatMap(([, one = '', other = '']) => [one, ...other.split(' ')])
    .filter(Boolean)
  const documentedParts = [...looks.slice(looks.indexOf('Parts,')).matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
  assert.equal(documentedParts.toSorted(), [...new Set(parts)].toSorted())
})

test('its colours are those of the web client, unless the page sets others', () => {
  const css = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const tokens = new Set(css('../front/app/styles/base.css').match(/light-dark\([^)]*\)/g))
  const colours = css('assets/inbox.css').match(/light-dark\([^)]*\)/g) ?? []
  assert.ok(colours.length >= 10)
  assert.equal(
    colours.filter(colour => !tokens.has(colour)),
    [],
  )
})

test('every kind of notification belongs to one sentence of the preferences, written in both languages', () => {
  const events = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
  const keys = [...events.matchAll(/^\| \[.*?`platform\.notification\.([a-z_.]+)` \|/gm)].map(([, key]) => key)
  const expected = [...keys.filter(key => key !== 'socket'), 'message.direct'].toSorted()
  assert.ok(expected.length > 10)
  assert.equal(Object.values(kinds).flat().toSorted(), expected, 'edge/inbox/assets/topics.json')
  for (const language of ['en', 'fr'])
    assert.equal(Object.keys(textsOf(language)['topics'] ?? {}), [...Object.keys(kinds), 'other'], language)
  assert.equal(Object.keys(textsOf('fr')), Object.keys(textsOf('en')))
})

test.run()
