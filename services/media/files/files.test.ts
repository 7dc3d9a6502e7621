import { randomBytes } from 'node:crypto'
import QRCode from 'qrcode'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import {
  closedHotel,
  download,
  mediaForTest,
  type StorageKind,
  storageKinds,
  unheardOf,
  unsaid,
  upload,
  uploadParts,
} from '../../../test/kit/media.ts'
import { readWhileChanging } from '../../../test/kit/writes/cursors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { sweep } from '../uploads/sweep.ts'

const bytes = (text: string) => Buffer.from(text)

async function runSuite(kind: StorageKind) {
  const test = suite(`media files in ${kind}`)
  const media = await mediaForTest({ MEDIA_PUBLIC_URL: 'https://files.hotel.example/' }, kind)
  const { asService, asNobody, memberOf, sandbox } = media

  test('a QR code stored by a service is returned byte for byte at its address, to any caller', async () => {
    const png = await QRCode.toBuffer('hotel', { width: 120 })
    const ecosystemId = newId()
    const head = { folder: 'qr-codes', ecosystemId, fileName: 'qr.png', contentType: 'text/html', size: png.length }
    const file = await upload(asService, head, png.subarray(0, 100), png.subarray(100))
    assert.is(file.fileUrl, `https://files.hotel.example/media/files/${file.id}`)
    assert.equal(
      [file.contentType, file.size, file.folder, file.ecosystemId],
      ['image/png', png.length, 'qr-codes', ecosystemId],
    )
    assert.equal(
      [file.width, file.height, file.thumbnailUrl, file.uploadedBy],
      [120, 120, `https://files.hotel.example/media/files/${file.id}?variant=thumbnail`, undefined],
    )
    const { head: fileHead, bytes: read } = await download(asNobody, file.id)
    assert.ok(read.equals(png))
    assert.equal([fileHead?.contentType, fileHead?.attachment, fileHead?.fileName], ['image/png', false, 'qr.png'])
    assert.equal([fileHead?.size, fileHead?.etag], [BigInt(png.length), file.id])
    assert.match(fileHead?.cacheControl ?? '', 'immutable')
  })

  test('content that a browser could run is sent as an attachment, whatever its name', async () => {
    const samples: [string, string][] = [
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
      ['<?xml version="1.0"?><!-- x --><svg/>', 'image/svg+xml'],
      ['\n <!DOCTYPE html><p>', 'text/html'],
      ['<script>alert(1)</script>', 'text/html'],
      ['\u0000\u0001\u0002', 'application/octet-stream'],
    ]
    for (const [text, type] of samples) {
      const head = { ecosystemId: newId(), fileName: 'photo.png', contentType: 'image/png' }
      const file = await upload(asService, head, bytes(text))
      const { head: fileHead } = await download(asNobody, file.id)
      assert.equal([fileHead?.contentType, fileHead?.attachment], [type, true], text)
    }
    const plain = await upload(asService, { ecosystemId: newId() }, bytes('Petit-déjeuner à 7 h'))
    const { head: plainHead } = await download(asNobody, plain.id)
    assert.equal([plainHead?.contentType, plainHead?.attachment], ['text/plain; charset=utf-8', false])
  })

  test('a member stores into their own ecosystem without naming it', async () => {
    const ecosystemId = newId()
    const { client, memberId } = memberOf(ecosystemId)
    const file = await upload(client, { fileName: '../../etc/passwd' }, bytes('x'))
    assert.equal([file.ecosystemId, file.uploadedBy, file.folder], [ecosystemId, memberId, 'general'])
    assert.is(file.fileName, 'passwd')
    assert.match(file.id, /^[0-9a-f]{24}$/)
  })

  test('a foreign ecosystem, a missing credential and a folder with .. are refused', async () => {
    const { client } = memberOf(newId())
    const foreign = await refusal(upload(client, { ecosystemId: newId() }, bytes('x')))
    assert.equal([foreign.info.status, foreign.rawMessage], [403, 'Ecosystem access denied'])
    assert.is((await refusal(upload(asNobody, {}, bytes('x')))).info.status, 401)
    const climbing = await refusal(upload(client, { folder: '../x' }, bytes('x')))
    assert.equal([climbing.info.status, climbing.info.violations[0]?.rule], [400, 'string.pattern'])
  })

  test('a service must name the ecosystem, and an upload must have a head, then bytes', async () => {
    const nameless = await refusal(upload(asService, {}, bytes('x')))
    assert.equal([nameless.info.status, nameless.info.violations[0]?.path], [400, 'ecosystemId'])
    assert.is((await refusal(upload(asService, { ecosystemId: newId() }))).info.violations[0]?.path, 'file')
    const headless = (async function* () {
      yield { part: { case: 'chunk' as const, value: bytes('x') } }
    })()
    assert.is((await refusal(asService.uploadMedia(headless))).info.violations[0]?.path, 'head')
  })

  test('an unknown ecosystem is refused, except for a hotel’s QR code before the hotel is known', async () => {
    const administrator = memberOf('', { isSuperAdmin: true }).client
    for (const client of [asService, administrator]) {
      const { info } = await refusal(upload(client, { ecosystemId: unheardOf, folder: 'menus' }, bytes('x')))
      assert.equal([info.status, info.violations[0]?.path], [400, 'ecosystemId'])
    }
    assert.equal((await asService.getMediaUsage({ ecosystemId: unheardOf })).filesCount, 0)
    // While the member service can't answer, a service's upload is accepted.
    await upload(asService, { ecosystemId: unsaid }, bytes('x'))
    await upload(asService, { ecosystemId: unheardOf, folder: 'qr-codes' }, bytes('x'))
    await upload(asService, { ecosystemId: unheardOf, folder: 'menus' }, bytes('x'))
  })

  test('an upload into a closed hotel is refused, whatever it stores', async () => {
    await asService.setMediaQuota({ ecosystemId: closedHotel, maxSize: 1, unit: 'MO' })
    for (const folder of ['menus', 'qr-codes'])
      assert.is((await refusal(upload(asService, { ecosystemId: closedHotel, folder }, bytes('x')))).info.status, 409)
  })

  test('an aborted upload leaves neither bytes nor reserved space', async () => {
    const ecosystemId = newId()
    const before = (await media.stored()).length
    const usedBytes = async () => (await asService.getMediaUsage({ ecosystemId })).usedBytes
    async function* brokenUploadParts() {
      yield* uploadParts({ ecosystemId, size: 5_000_000 }, randomBytes(1000))
      await eventually(async () => (await usedBytes()) === 5_000_000)
      throw new Error('the connection is lost')
    }
    await refusal(asService.uploadMedia(brokenUploadParts()))
    await eventually(async () => (await usedBytes()) === 0 && (await media.stored()).length === before)
    assert.is((await asService.getMediaUsage({ ecosystemId })).filesCount, 0)
  })

  test('a repeated upload is refused as soon as it is longer than the stored file', async () => {
    const { client } = memberOf(newId())
    const head = { fileName: 'menu.txt' }
    const headers = { 'idempotency-key': 'longer' }
    await client.uploadMedia(uploadParts(head, bytes('Menu')), { headers })
    let sentChunks = 0
    async function* longer() {
      yield* uploadParts(head, bytes('Menu'))
      for (; sentChunks < 1000; sentChunks++) yield { part: { case: 'chunk' as const, value: Buffer.alloc(1000) } }
    }
    const { info } = await refusal(client.uploadMedia(longer(), { headers }))
    assert.equal([info.status, info.class], [422, 'UnprocessableError'])
    assert.ok(sentChunks < 1000)
  })

  if (sandbox)
    test('objects that a bucket completes after the upload was aborted are removed later', async () => {
      const ecosystemId = newId()
      const before = await media.stored()
      await sandbox.control({ provider: 'storage', mode: '500', method: 'PUT', times: 4 })
      assert.is((await refusal(upload(asService, { ecosystemId }, bytes('late')))).info.status, 502)
      const usage = await asService.getMediaUsage({ ecosystemId })
      assert.equal([usage.usedBytes, usage.filesCount, await media.stored()], [0, 0, before])
      // The store executes the failed request after all.
      const { path } = (await sandbox.call('GET', '/_requests?provider=storage')).json.data.findLast(
        (each: { method: string }) => each.method === 'PUT',
      )
      const { pathname } = new URL(path, sandbox.url)
      await sandbox.call('PUT', pathname, 'late', { authorization: 'AWS4-HMAC-SHA256 Credential=key' })
      assert.is((await media.stored()).length, before.length + 1)
      await sweep(media.places, Date.now() + 61_000)
      assert.equal(await media.stored(), before)
    })

  test('the uploader deletes a file and frees its space, and it is not found afterwards', async () => {
    const ecosystemId = newId()
    const { client } = memberOf(ecosystemId)
    const file = await upload(client, {}, bytes('minutes'))
    const { id } = file
    assert.is((await client.deleteMedia({ id })).id, id)
    assert.is((await refusal(client.deleteMedia({ id }))).info.status, 404)
    assert.is((await refusal(download(asNobody, id))).info.status, 404)
    const usage = await client.getMediaUsage({ ecosystemId })
    assert.equal([usage.usedBytes, usage.filesCount], [0, 0])
    await eventually(async () => !(await media.stored()).includes(id))
  })

  test('other members delete only with manage_ecosystem, and other ecosystems do not find the file', async () => {
    const ecosystemId = newId()
    const file = await upload(memberOf(ecosystemId).client, {}, bytes('x'))
    const plain = await refusal(memberOf(ecosystemId).client.deleteMedia({ id: file.id }))
    assert.is(plain.info.status, 403)
    const stranger = memberOf(newId(), { permissions: ['manage_ecosystem'] }).client
    const [foreign, missing] = [
      await refusal(stranger.deleteMedia({ id: file.id })),
      await refusal(stranger.deleteMedia({ id: newId() })),
    ]
    assert.equal([foreign.info.status, foreign.rawMessage], [missing.info.status, missing.rawMessage])
    assert.is(foreign.info.status, 404)
    await memberOf(ecosystemId, { permissions: ['manage_ecosystem'] }).client.deleteMedia({ id: file.id })
  })

  test('a list contains the files of one ecosystem, newest first, by folder and page', async () => {
    const ecosystemId = newId()
    const { client } = memberOf(ecosystemId)
    await upload(asService, { ecosystemId: newId() }, bytes('elsewhere'))
    for (const folder of ['a', 'b', 'a']) await upload(client, { folder, fileName: `${folder}.txt` }, bytes(folder))
    const all = await client.listMedia({ limit: 2 })
    assert.equal({ ...all.meta }, { ...all.meta, total: 3, page: 1, limit: 2, totalPages: 2 })
    assert.equal(
      all.data.map(file => file.folder),
      ['a', 'b'],
    )
    const some = await client.listMedia({ folder: 'a', ecosystemId })
    assert.equal([some.meta?.total, some.data.length], [2, 2])
    const foreign = await refusal(memberOf(newId()).client.listMedia({ ecosystemId }))
    assert.is(foreign.info.status, 403)
  })

  test('files are read by cursors while others come and go: none twice, none missed', async () => {
    const { client } = memberOf(newId())
    const insert = async () => (await upload(client, {}, bytes('x'))).id
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push(await insert())
    await readWhileChanging({
      ids,
      async load(cursor) {
        const { data, meta } = await client.listMedia({ limit: 3, cursor })
        return { ids: data.map(file => file.id), nextCursor: meta?.nextCursor }
      },
      insert,
      remove: removedIds => Promise.all(removedIds.filter(Boolean).map(id => client.deleteMedia({ id }))),
    })
    assert.is((await refusal(client.listMedia({ cursor: 'bm90' }))).info.status, 400)
  })

  test('a purge deletes the files of an ecosystem or a folder, and a second one finds nothing', async () => {
    const ecosystemId = newId()
    for (const folder of ['a', 'b', 'b']) await upload(asService, { ecosystemId, folder }, bytes('x'))
    const otherFile = await upload(asService, { ecosystemId: newId() }, bytes('x'))
    const count = async (folder: string) => (await asService.purgeMedia({ ecosystemId, folder })).deletedCount
    assert.equal([await count('b'), await count(''), await count('')], [2, 1, 0])
    const usage = await asService.getMediaUsage({ ecosystemId })
    assert.equal([usage.usedBytes, usage.filesCount], [0, 0])
    assert.is((await download(asNobody, otherFile.id)).bytes.length, 1)
    const { client } = memberOf(ecosystemId, { permissions: ['manage_ecosystem'] })
    assert.is((await refusal(client.purgeMedia({ ecosystemId }))).info.status, 403)
    for (const folder of ['été', '😀', 'a\0b']) {
      const { status, violations } = (await refusal(asService.purgeMedia({ ecosystemId, folder }))).info
      assert.equal([status, violations[0]?.path], [400, 'folder'], folder)
    }
  })

  test.after(() => media.end())
  test.run()
}

for (const kind of storageKinds) await runSuite(kind)
