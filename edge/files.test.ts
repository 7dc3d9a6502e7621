import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../services/kernel/ids.ts'
import { assert, eventually, suite } from '../services/kernel/testing.ts'
import { service as media } from '../services/media/service.ts'
import { startTestEdge } from './testing.ts'

const test = suite('uploads and downloads through the edge')
// Files under way are kept where the system keeps what is temporary: here, in a folder of this test's own.
const temporary = await mkdtemp(path.join(tmpdir(), 'edge-'))
process.env['TMPDIR'] = temporary
const underWay = async () => (await readdir(temporary)).filter(name => name.startsWith('upload-'))
const usedBy = async (tenantId: string): Promise<unknown> => {
  const usage = await fetch(`${url}/media/usage/${tenantId}`, { headers: { 'x-api-key': apiKey } })
  return ((await usage.json()) as Record<string, unknown>)['usedBytes']
}

const { host, urls, end } = await startTestEdge([media], { MEDIA_DIR: path.join(temporary, 'media') })
const url = urls.media
const apiKey = String(host.env['SERVICE_API_KEY'])
const ecosystemId = newId()

type Part = [name: string, value: string | Uint8Array, fileName?: string, type?: string]

/** A form written by hand, so that the order and the oddities of its parts are this test's choice. */
function form(...parts: Part[]): Buffer {
  const written = parts.map(([name, value, fileName, type]) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type ?? 'text/plain'}`
    return Buffer.concat([
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ])
  })
  return Buffer.concat([...written, Buffer.from('--edge--\r\n')])
}

const multipart = 'multipart/form-data; boundary=edge'

async function post(body: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/media/upload`, {
    method: 'POST',
    headers: { 'content-type': multipart, 'x-api-key': apiKey, ...headers },
    body: new Uint8Array(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  const named = Array.isArray(answer['error']) ? (answer['error'] as { path: string }[]).map(one => one.path) : []
  return { status: response.status, answer, named }
}

const tenant: Part = ['ecosystemId', ecosystemId]
const folder: Part = ['folder', 'menus/summer']
const file: Part = ['file', 'Soupe, plat, dessert', 'menu.txt']

test('the fields of a form may come before its file or after it', async () => {
  for (const parts of [
    [tenant, folder, file],
    [file, tenant, folder],
    [folder, file, tenant],
    [folder, tenant, file],
  ]) {
    const { status, answer } = await post(form(...parts))
    assert.is(status, 201, JSON.stringify(answer))
    assert.equal(
      [answer['folder'], answer['ecosystemId'], answer['fileName']],
      ['menus/summer', ecosystemId, 'menu.txt'],
    )
    assert.equal([answer['size'], answer['contentType']], [20, 'text/plain; charset=utf-8'])
  }
})

test('a file name keeps its letters and loses its folders', async () => {
  const { answer } = await post(form(tenant, ['file', 'x', '../../Fête d’été.txt']))
  assert.is(answer['fileName'], 'Fête d’été.txt')
})

const refusals: [title: string, parts: Part[], status: number, named: string[]][] = [
  ['a form without a file', [tenant], 400, ['file']],
  ['an empty file', [tenant, ['file', '', 'empty.txt']], 400, ['file']],
  ['two files', [tenant, file, file], 400, ['file']],
  ['a file under another name', [tenant, ['photo', 'x', 'x.txt']], 400, ['photo']],
  ['an unknown field', [tenant, file, ['isPublic', 'true']], 400, ['isPublic']],
  ['a field given twice', [tenant, tenant, file], 400, ['ecosystemId']],
  ['a field of a nested name', [tenant, ['__proto__[isAdmin]', '1'], file], 400, []],
  ['a tenant that is no id', [['ecosystemId', 'x'], file], 400, ['ecosystemId']],
  ['a folder that climbs', [tenant, ['folder', '../etc'], file], 400, ['folder']],
  ['a field of more than 4 kB', [tenant, ['folder', 'x'.repeat(5_000)], file], 400, ['folder']],
  ['many fields', [tenant, ...Array.from({ length: 40 }, (_, n): Part => [`f${n}`, 'x']), file], 400, []],
  ['a service that names no tenant', [file], 400, ['ecosystemId']],
]
for (const [title, parts, expected, paths] of refusals) {
  test(`${title} is a ${expected} that names what is at fault`, async () => {
    const { status, answer, named } = await post(form(...parts))
    assert.is(status, expected, JSON.stringify(answer))
    assert.ok(Array.isArray(answer['error']))
    for (const path of paths) assert.ok(named.includes(path), JSON.stringify(answer))
  })
}

test('another media type is a 415, a form without a boundary or an end a 400', async () => {
  for (const type of ['application/json', 'text/plain', 'application/octet-stream'])
    assert.is((await post(form(tenant, file), { 'content-type': type })).status, 415, type)
  assert.is((await post(form(tenant, file), { 'content-type': 'multipart/form-data' })).status, 400)
  assert.is((await post(form(tenant, file).subarray(0, -12))).status, 400)
  assert.is((await post(Buffer.from('no form at all'))).status, 400)
})

test('without a credential that holds nothing of a file is taken', async () => {
  const big = form(tenant, ['file', randomBytes(5_000_000), 'big.bin'])
  const response = await fetch(`${url}/media/upload`, {
    method: 'POST',
    headers: { 'content-type': multipart, authorization: 'Bearer x.y.z' },
    body: new Uint8Array(big),
  })
  assert.is(response.status, 401)
  const wrongKey = await post(form(tenant, file), { 'x-api-key': 'not the key of this platform' })
  assert.is(wrongKey.status, 401)
})

test('nothing of all this is left in the folder for files under way', async () => {
  await eventually(async () => (await underWay()).length === 0, 5_000)
})

const size = 50 * 1024 * 1024

test('50 MB stream through in both directions without being held in memory, byte for byte', async () => {
  const hash = createHash('sha256')
  let sent = 0
  const bytes = Readable.from(
    (async function* () {
      yield form(tenant).subarray(0, -'--edge--\r\n'.length)
      yield '--edge\r\nContent-Disposition: form-data; name="file"; filename="tour.bin"\r\nContent-Type: video/mp4\r\n\r\n'
      while (sent < size) {
        const chunk = randomBytes(256 * 1024)
        hash.update(chunk)
        sent += chunk.length
        yield chunk
      }
      yield '\r\n--edge--\r\n'
    })(),
  )
  const peak = watchMemory()
  const uploaded = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const headers = { 'content-type': multipart, 'x-api-key': apiKey }
    const request = httpRequest(`${url}/media/upload`, { method: 'POST', headers }, response => {
      let text = ''
      response.on('data', part => (text += part)).on('end', () => resolve(JSON.parse(text)))
    })
    pipeline(bytes, request).catch(reject)
  })
  assert.is(uploaded['size'], size, JSON.stringify(uploaded))

  const back = createHash('sha256')
  const response = await fetch(`${url}/media/files/${uploaded['id']}`)
  assert.is(response.headers.get('content-length'), `${size}`)
  for await (const chunk of response.body ?? []) back.update(chunk)
  assert.is(back.digest('hex'), hash.digest('hex'))
  const grown = peak()
  assert.ok(grown < 40, `memory grew by ${grown} MB`)
})

/** Notes by how many MB live buffers and objects grow at most. */
function watchMemory(): () => number {
  const now = () => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
  globalThis.gc?.()
  const before = now()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, now())
  }, 5)
  return () => {
    clearInterval(timer)
    return Math.round((most - before) / 1024 / 1024)
  }
}

test('a download carries its entity tag; who knows it gets 304 without the bytes', async () => {
  const { answer } = await post(form(tenant, file))
  const address = `${url}/media/files/${answer['id']}`
  const first = await fetch(address)
  const etag = first.headers.get('etag') ?? ''
  assert.equal([first.status, await first.text()], [200, 'Soupe, plat, dessert'])
  assert.match(etag, /^".+"$/)
  assert.match(first.headers.get('cache-control') ?? '', 'immutable')
  assert.is(first.headers.get('x-content-type-options'), 'nosniff')
  assert.match(first.headers.get('content-disposition') ?? '', /^inline; filename="menu\.txt"/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await fetch(address, { headers: { 'if-none-match': known } })
    assert.equal([again.status, await again.text(), again.headers.get('etag')], [304, '', etag], known)
  }
  assert.is((await fetch(address, { headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('HEAD says what a download would be', async () => {
  const { answer } = await post(form(tenant, file))
  const head = await fetch(`${url}/media/files/${answer['id']}`, { method: 'HEAD' })
  assert.equal([head.status, head.headers.get('content-length'), await head.text()], [200, '20', ''])
  const none = await fetch(`${url}/media/files/${newId()}`, { method: 'HEAD' })
  assert.equal([none.status, await none.text()], [404, ''])
})

test('a download that a client breaks off hurts nobody', async () => {
  const { answer } = await post(form(tenant, ['file', randomBytes(3_000_000), 'big.bin']))
  const address = `${url}/media/files/${answer['id']}`
  const breaking = new AbortController()
  const response = await fetch(address, { signal: breaking.signal })
  await response.body?.getReader().read()
  breaking.abort()
  assert.is((await (await fetch(address)).arrayBuffer()).byteLength, 3_000_000)
})

for (const fields of ['before', 'after'] as const) {
  test(`an upload that breaks off leaves no space taken and no bytes behind, its fields ${fields} its file`, async () => {
    const tenantId = newId()
    const request = httpRequest(`${url}/media/upload`, {
      method: 'POST',
      headers: { 'content-type': multipart, 'x-api-key': apiKey, 'content-length': '4000000' },
    })
    request.on('error', () => undefined)
    const before: Part[] =
      fields === 'before'
        ? [
            ['folder', ''],
            ['ecosystemId', tenantId],
          ]
        : []
    request.write(form(...before, ['file', randomBytes(300_000), 'x.bin']).subarray(0, 290_000))
    if (fields === 'before') await eventually(async () => (await usedBy(tenantId)) !== 0)
    else await eventually(() => (request.socket?.bytesWritten ?? 0) > 280_000)
    // A file under way has no name that could outlive its process.
    assert.equal(await underWay(), [])
    request.destroy()
    await eventually(async () => (await usedBy(tenantId)) === 0)
    const left = await readdir(path.join(String(host.env['MEDIA_DIR']), 'incoming'))
    assert.equal(left, [])
  })
}

test.after(async () => {
  await end()
  await rm(temporary, { recursive: true })
})

test.run()
