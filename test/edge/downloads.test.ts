import { randomBytes } from 'node:crypto'
import { newId } from '../../services/kernel/base/ids.ts'
import { setErrorSink } from '../../services/kernel/process/error-reports.ts'
import { filesForTest, form, type Part } from '../kit/edge-files.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('downloads through the edge')
const { url, post, tenant, end } = await filesForTest()
const file: Part = ['file', 'Soupe, plat, dessert', 'menu.txt']

test('a download has an entity tag, and a client with that version gets 304 without the bytes', async () => {
  const { answer } = await post(form(tenant, file))
  const address = `${url}/media/files/${answer['id']}`
  const first = await fetch(address)
  const etag = first.headers.get('etag') ?? ''
  assert.equal([first.status, await first.text()], [200, 'Soupe, plat, dessert'])
  assert.match(etag, /^".+"$/)
  assert.match(first.headers.get('cache-control') ?? '', 'immutable')
  assert.is(first.headers.get('x-content-type-options'), 'nosniff')
  assert.match(first.headers.get('content-disposition') ?? '', /^inline; filename="menu\.txt"/)
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const revalidation = await fetch(address, { headers: { 'if-none-match': tag } })
    assert.equal(
      [revalidation.status, await revalidation.text(), revalidation.headers.get('etag')],
      [304, '', etag],
      tag,
    )
  }
  assert.is((await fetch(address, { headers: { 'if-none-match': '"other"' } })).status, 200)
  const modified = first.headers.get('last-modified') ?? ''
  const since = (date: string, extraHeaders: Record<string, string> = {}) =>
    fetch(address, { headers: { 'if-modified-since': date, ...extraHeaders } })
  const dateRevalidation = await since(modified)
  assert.equal(
    [dateRevalidation.status, await dateRevalidation.text(), dateRevalidation.headers.get('etag')],
    [304, '', etag],
  )
  assert.is((await since(new Date(Date.parse(modified) + 60_000).toUTCString())).status, 304)
  // An older date, or an invalid one, requests the file; an entity tag takes precedence over a date.
  for (const older of [new Date(Date.parse(modified) - 1000).toUTCString(), 'yesterday'])
    assert.is((await since(older)).status, 200)
  assert.is((await since(modified, { 'if-none-match': '"other"' })).status, 200)
})

test('HEAD returns the headers of a download', async () => {
  const { answer } = await post(form(tenant, file))
  const head = await fetch(`${url}/media/files/${answer['id']}`, { method: 'HEAD' })
  assert.equal([head.status, head.headers.get('content-length'), await head.text()], [200, '20', ''])
  const none = await fetch(`${url}/media/files/${newId()}`, { method: 'HEAD' })
  assert.equal([none.status, await none.text()], [404, ''])
})

const ranges: [range: string, status: number, contentRange: string | null, text: string][] = [
  ['bytes=0-4', 206, 'bytes 0-4/20', 'Soupe'],
  ['bytes=7-10', 206, 'bytes 7-10/20', 'plat'],
  ['bytes=13-', 206, 'bytes 13-19/20', 'dessert'],
  ['bytes=-7', 206, 'bytes 13-19/20', 'dessert'],
  ['bytes=-100', 206, 'bytes 0-19/20', 'Soupe, plat, dessert'],
  ['bytes=19-1000', 206, 'bytes 19-19/20', 't'],
  ['bytes=20-', 416, 'bytes */20', ''],
  ['bytes=-0', 416, 'bytes */20', ''],
  // No byte range, or several: the whole file, which the standard permits.
  ['bytes=9-2', 200, null, 'Soupe, plat, dessert'],
  ['bytes=0-1,5-6', 200, null, 'Soupe, plat, dessert'],
  ['bytes=-', 200, null, 'Soupe, plat, dessert'],
  ['bytes=a-b', 200, null, 'Soupe, plat, dessert'],
  ['items=0-1', 200, null, 'Soupe, plat, dessert'],
]

test('a range of a file is returned, and one outside the file is a 416 with its size', async () => {
  const { answer } = await post(form(tenant, file))
  const address = `${url}/media/files/${answer['id']}`
  assert.is((await fetch(address)).headers.get('accept-ranges'), 'bytes')
  for (const [range, status, contentRange, text] of ranges) {
    const response = await fetch(address, { headers: { range } })
    const body = await response.text()
    assert.equal([response.status, response.headers.get('content-range')], [status, contentRange], range)
    if (status === 416) assert.match(body, 'RangeNotSatisfiableError')
    else assert.equal([body, response.headers.get('content-length')], [text, `${text.length}`], range)
  }
})

test('a range of another version is not sent, and HEAD ignores ranges', async () => {
  const { answer } = await post(form(tenant, file))
  const address = `${url}/media/files/${answer['id']}`
  const first = await fetch(address)
  const [etag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? '']
  const ask = async (ifRange: string) =>
    (await fetch(address, { headers: { range: 'bytes=0-4', 'if-range': ifRange } })).status
  assert.equal([await ask(etag), await ask(modified)], [206, 206])
  assert.equal(
    [await ask('"other"'), await ask(`W/${etag}`), await ask('Thu, 01 Jan 1970 00:00:00 GMT')],
    [200, 200, 200],
  )
  const head = await fetch(address, { method: 'HEAD', headers: { range: 'bytes=0-4' } })
  assert.equal([head.status, head.headers.get('content-length')], [200, '20'])
  const revalidation = await fetch(address, { headers: { range: 'bytes=0-4', 'if-none-match': etag } })
  assert.is(revalidation.status, 304)
})

test('content that a browser could run is an attachment, is not sniffed, and is sandboxed when opened anyway', async () => {
  for (const [text, name] of [
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'logo.png'],
    ['<html><script>alert(1)</script>', 'menu.txt'],
  ] as const) {
    const { answer } = await post(form(tenant, ['file', text, name, 'image/png']))
    const { headers } = await fetch(`${url}/media/files/${answer['id']}`)
    assert.match(headers.get('content-disposition') ?? '', /^attachment; /)
    assert.is(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/)
    assert.is(headers.get('cross-origin-resource-policy'), 'cross-origin')
  }
})

test('an aborted download affects no other and is not logged as an error', async () => {
  const size = 10_000_000
  const { answer } = await post(form(tenant, ['file', randomBytes(size), 'big.bin']))
  const address = `${url}/media/files/${answer['id']}`
  const reportedErrors: unknown[] = []
  setErrorSink(error => reportedErrors.push(error))
  try {
    const breaking = new AbortController()
    const response = await fetch(address, { signal: breaking.signal })
    await response.body?.getReader().read()
    breaking.abort()
    assert.is((await (await fetch(address)).arrayBuffer()).byteLength, size)
  } finally {
    setErrorSink(undefined)
  }
  assert.equal(reportedErrors, [])
})

test.after(() => end())
test.run()
