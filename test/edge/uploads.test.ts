import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import QRCode from 'qrcode'
import { newId } from '../../services/kernel/base/ids.ts'
import { countTemporaryFile, maxHolderBytes, maxTemporaryBytes } from '../../services/kernel/files/temporary-files.ts'
import { filesForTest, form, multipart, type Part } from '../kit/edge-files.ts'
import { assert, eventually, suite } from '../kit/kit.ts'

const test = suite('uploads through the edge')
const { url, apiKey, ecosystemId, tenant, post, usedBy, underWay, drafts, end } = await filesForTest()
const folder: Part = ['folder', 'menus/summer']
const file: Part = ['file', 'Soupe, plat, dessert', 'menu.txt']

test('the fields of a form can come before or after its file', async () => {
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

const extended = (charset: string, bytes: Buffer) =>
  `filename*=${charset}''${[...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')}`
const quoted = (name: string) => `filename="${name.replace(/[\\"]/g, '\\$&')}"`
/** The ways in which clients write a file name, and whether they can write this one. */
const nameForms: Record<string, { write(name: string): Buffer; can?: RegExp }> = {
  'filename in UTF-8': { write: name => Buffer.from(quoted(name)) },
  'filename in Latin-1': { write: name => Buffer.from(quoted(name), 'latin1'), can: /^[\0-\xff]*$/ },
  'filename of browsers': { write: name => Buffer.from(`filename="${name.replaceAll('"', '%22')}"`), can: /^[^\\]*$/ },
  'filename percent-encoded': {
    write: name => Buffer.from(`filename="${encodeURIComponent(name)}"`),
    can: /[^\0-\x7f]/,
  },
  'filename* in UTF-8': { write: name => Buffer.from(extended('UTF-8', Buffer.from(name))) },
  'filename* in ISO-8859-1': {
    write: name => Buffer.from(extended('ISO-8859-1', Buffer.from(name, 'latin1'))),
    can: /^[\0-\xff]*$/,
  },
  'both forms': {
    write: name => Buffer.from(`filename="x.txt"; ${extended('utf-8', Buffer.from(name))}`),
  },
}
const typedNames = [
  'Menü.txt',
  '客房.txt',
  '😀.txt',
  'Горничная قهوة.txt',
  'a "quoted" name.txt',
  'back\\slash\\.txt',
  "l'été; à 50%.txt",
  '100%25.txt',
  'Why? <1:2|3>*.txt',
  'x'.repeat(251) + '.txt',
]

for (const [title, { write, can = /^/ }] of Object.entries(nameForms))
  test(`a name sent as ${title} is stored and returned as typed`, async () => {
    for (const name of typedNames.filter(each => can.test(each))) {
      const part = `--edge\r\nContent-Disposition: form-data; name="file"; `
      const body = [form(tenant).subarray(0, -'--edge--\r\n'.length), Buffer.from(part), write(name)]
      const { answer } = await post(Buffer.concat([...body, Buffer.from('\r\n\r\nx\r\n--edge--\r\n')]))
      assert.is(answer['fileName'], name, JSON.stringify(answer))
      const { headers } = await fetch(`${url}/media/files/${answer['id']}`)
      const [, fileName = ''] = /filename\*=UTF-8''(\S+)/.exec(headers.get('content-disposition') ?? '') ?? []
      assert.is(decodeURIComponent(fileName), name)
    }
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
  test(`${title} is a ${expected} that names the field`, async () => {
    const { status, answer, fieldPaths } = await post(form(...parts))
    assert.is(status, expected, JSON.stringify(answer))
    assert.ok(Array.isArray(answer['error']))
    for (const path of paths) assert.ok(fieldPaths.includes(path), JSON.stringify(answer))
  })
}

test('another media type is a 415, and a form without a boundary or an end a 400', async () => {
  for (const type of ['application/json', 'text/plain', 'application/octet-stream'])
    assert.is((await post(form(tenant, file), { 'content-type': type })).status, 415, type)
  assert.is((await post(form(tenant, file), { 'content-type': 'multipart/form-data' })).status, 400)
  assert.is((await post(form(tenant, file).subarray(0, -12))).status, 400)
  assert.is((await post(Buffer.from('no form at all'))).status, 400)
})

test('without a valid credential no byte of a file is accepted', async () => {
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

test('none of these uploads leaves a temporary file', async () => {
  await eventually(async () => (await underWay()).length === 0)
})

const size = 50 * 1024 * 1024

test('50 MB are streamed in both directions without being held in memory, byte for byte', async () => {
  const hash = createHash('sha256')
  let sentBytes = 0
  const memory = liveMemory()
  const bytes = Readable.from(
    (async function* () {
      yield form(tenant).subarray(0, -'--edge--\r\n'.length)
      yield '--edge\r\nContent-Disposition: form-data; name="file"; filename="tour.bin"\r\nContent-Type: video/mp4\r\n\r\n'
      while (sentBytes < size) {
        const chunk = randomBytes(256 * 1024)
        hash.update(chunk)
        sentBytes += chunk.length
        memory.passed(chunk.length)
        yield chunk
      }
      yield '\r\n--edge--\r\n'
    })(),
  )
  const uploaded = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const headers = { 'content-type': multipart, 'x-api-key': apiKey }
    const request = httpRequest(`${url}/media/upload`, { method: 'POST', headers }, response => {
      let text = ''
      response.on('data', part => (text += part)).on('end', () => resolve(JSON.parse(text)))
    })
    pipeline(bytes, request).catch(reject)
  })
  assert.is(uploaded['size'], size, JSON.stringify(uploaded))

  const downloadHash = createHash('sha256')
  const response = await fetch(`${url}/media/files/${uploaded['id']}`)
  assert.is(response.headers.get('content-length'), `${size}`)
  for await (const chunk of response.body ?? []) {
    downloadHash.update(chunk)
    memory.passed(chunk.length)
  }
  assert.is(downloadHash.digest('hex'), hash.digest('hex'))
  assert.ok(memory.grown() < 40, `memory grew by ${memory.grown()} MB`)
})

/**
 * Measures the growth of live buffers and objects in MB, sampled every 8 MB of traffic. Garbage doesn't count, because
 * V8 decides when to collect it.
 */
function liveMemory() {
  const { gc } = globalThis
  if (!gc) throw new Error('Start Node with --expose-gc, as npm test does.')
  const now = () => {
    gc()
    return process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
  }
  const before = now()
  let peak = before
  let since = 0
  return {
    passed(bytes: number) {
      since += bytes
      if (since < 8_000_000) return
      since = 0
      peak = Math.max(peak, now())
    },
    grown: () => Math.round((peak - before) / 1024 / 1024),
  }
}

test('an upload with an Idempotency-Key is stored once, and another file with the same key is a 422', async () => {
  const tenantId = newId()
  const send = (text: string, name = 'a.txt') =>
    post(form(['ecosystemId', tenantId], ['folder', 'a'], ['file', text, name]), { 'idempotency-key': 'upload-1' })
  const first = await send('Menu')
  const retry = await send('Menu')
  assert.equal([first.status, retry.status, retry.answer], [201, 201, first.answer])
  assert.is(await usedBy(tenantId), 4)
  assert.is((await send('Carte')).status, 422)
  assert.is((await send('MENU')).status, 422, 'as long, other bytes')
  assert.is((await send('Menu', 'b.txt')).status, 422)
  assert.is(await usedBy(tenantId), 4)
  const faulty = await post(form(tenant, file), { 'idempotency-key': 'é' })
  assert.equal([faulty.status, faulty.fieldPaths], [400, ['Idempotency-Key']])
})

test('two simultaneous uploads with one Idempotency-Key make one file, and a refused one frees its key', async () => {
  const tenantId = newId()
  const body = (size: number) => form(['ecosystemId', tenantId], ['folder', 'a'], ['file', Buffer.alloc(size), 'a.bin'])
  const both = await Promise.all([1, 2].map(() => post(body(200_000), { 'idempotency-key': 'at-once' })))
  const statuses = both.map(({ status }) => status).sort()
  assert.ok(`${statuses}` === '201,409' || `${statuses}` === '201,201', `${statuses}`)
  assert.is(await usedBy(tenantId), 200_000)
  const key = { 'idempotency-key': 'refused' }
  assert.is((await post(body(2_000_000), key)).status, 413)
  assert.is((await post(body(300_000), key)).status, 201)
})

test('a name that is too long is refused by field', async () => {
  const { status, fieldPaths } = await post(form(tenant, ['file', 'x', `${'x'.repeat(300)}.txt`]))
  assert.equal([status, fieldPaths], [400, ['file']])
  assert.equal((await post(form(tenant, ['folder', 'x'.repeat(121)], file))).fieldPaths, ['folder'])
  assert.equal((await post(form(tenant, ['file', 'x']))).fieldPaths, ['file'])
})

for (const fields of ['before', 'after'] as const) {
  test(`an aborted upload leaves no reserved space and no bytes, its fields ${fields} its file`, async () => {
    const tenantId = newId()
    const request = httpRequest(`${url}/media/upload`, {
      method: 'POST',
      headers: { 'content-type': multipart, 'x-api-key': apiKey, 'content-length': '400000' },
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
    // The file is unlinked right after its creation, so that it can't outlive its process.
    await eventually(async () => (await underWay()).length === 0)
    request.destroy()
    // Before the fields arrive nothing is reserved, so drafts are checked as well.
    await eventually(async () => (await usedBy(tenantId)) === 0 && (await drafts()).length === 0)
  })
}

/** Limits the size of files of this process, edge and service alike: to them the disk is full. */
const roomForFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`])

test('while the disk is full an upload is a 503 and files can be read, and uploads resume once there is space', async () => {
  const { answer: storedFile } = await post(form(tenant, file))
  const before = await usedBy(ecosystemId)
  const big: Part = ['file', randomBytes(3_000_000), 'big.bin']
  roomForFiles(1_000_000)
  try {
    // In the first order the service's disk is full, in the second the edge's, which buffers bytes until the fields
    // arrive.
    for (const parts of [
      [tenant, big],
      [big, tenant],
    ]) {
      const { status, answer } = await post(form(...parts))
      assert.equal([status, answer['message']], [503, 'The storage is full, try again later'])
    }
    assert.is((await fetch(String(storedFile['fileUrl']).replace(/^https?:\/\/[^/]+/, url))).status, 200)
  } finally {
    roomForFiles('unlimited')
  }
  assert.equal([await usedBy(ecosystemId), await underWay()], [before, []])
  assert.is((await post(form(tenant, big))).status, 201)
})

test('temporary files have a limit, together and of one client or hotel, and uploads resume once there is room', async () => {
  const streamed = form(tenant, folder, ['file', randomBytes(2_000), 'a.bin'])
  const fileFirst = form(['file', randomBytes(2_000), 'a.bin'], tenant)
  const picture = form(tenant, folder, ['file', await QRCode.toBuffer('hotel', { width: 1_000 }), 'a.png'])
  const statuses = async () => {
    const answers = [await post(streamed), await post(fileFirst), await post(picture)]
    return answers.map(({ status }) => status)
  }
  for (const [holder, bytes, expected] of [
    ['others', maxTemporaryBytes - 1_000, [201, 503, 503]],
    ['127.0.0.1', maxHolderBytes, [201, 503, 201]],
    [ecosystemId, maxHolderBytes, [201, 201, 503]],
  ] as const) {
    const temporaryFile = countTemporaryFile(holder)
    temporaryFile.grow(bytes)
    assert.equal(await statuses(), expected, holder)
    temporaryFile.end()
    assert.equal(await statuses(), [201, 201, 201], holder)
  }
  // The uploads above count no longer.
  const all = countTemporaryFile('all')
  all.grow(maxTemporaryBytes)
  all.end()
  assert.equal(await underWay(), [])
})

test.after(() => end())
test.run()
