import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { download, mediaForTest, type StorageKind, storageKinds, upload } from '../../../test/kit/media.ts'
import { type RpcError, toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { beginDecoding, locateFile } from '../files.sql.ts'
import { type Decoding, startDecoding } from '../pictures/decoding.ts'
import type { FileRow } from '../tables.ts'
import { thumbnails } from './thumbnails.ts'

/** A photograph taken sideways, red above blue once upright, with a location in its metadata. */
async function photograph(width = 1800, height = 1200): Promise<Buffer> {
  const half = { width: width / 2, height, channels: 3 as const }
  const leftHalf = await sharp({ create: { ...half, background: 'red' } })
    .png()
    .toBuffer()
  const rightHalf = await sharp({ create: { ...half, background: 'blue' } })
    .png()
    .toBuffer()
  const parts = [
    { input: leftHalf, left: 0, top: 0 },
    { input: rightHalf, left: width / 2, top: 0 },
  ]
  const exif = {
    IFD0: { Make: 'Camera' },
    IFD3: { GPSLatitude: '48/1 51/1 24/1', GPSLatitudeRef: 'N' },
  }
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    .composite(parts)
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

async function runSuite(kind: StorageKind) {
  const test = suite(`thumbnails in ${kind}`)
  const media = await mediaForTest({ MEDIA_DEFAULT_QUOTA_MO: '100', MEDIA_MAX_PIXELS: '20000000' }, kind)
  const { asService, asNobody } = media
  const ecosystemId = newId()
  const store = (bytes: Uint8Array) => upload(asService, { ecosystemId, fileName: 'Plage.jpeg' }, bytes)
  const loadVariant = async (id: string, variant: string) => {
    const { head, bytes } = await download(asNobody, id, variant)
    return { head, ...(await sharp(bytes).metadata()), bytes }
  }

  test('a photograph has three sizes, upright, in WebP and without its metadata', async () => {
    const photo = await photograph()
    assert.ok((await sharp(photo).metadata()).exif?.includes('Camera'))
    const file = await store(photo)
    assert.equal([file.width, file.height], [1200, 1800])
    assert.match(file.thumbnailUrl ?? '', `/media/files/${file.id}?variant=thumbnail`)
    for (const [variant, edge] of [
      ['small', 160],
      ['medium', 480],
      ['large', 1280],
      ['thumbnail', 480],
    ] as const) {
      const { head, format, width, height, exif, orientation, bytes } = await loadVariant(file.id, variant)
      assert.equal([format, height, width], ['webp', edge, Math.round((edge * 2) / 3)], variant)
      assert.equal([exif, orientation], [undefined, undefined])
      assert.equal([head?.contentType, head?.attachment, head?.size], ['image/webp', false, BigInt(bytes.length)])
      assert.match(head?.fileName ?? '', /^Plage-(small|medium|large)\.webp$/)
      const [red = 0, , blue = 0] = await sharp(bytes)
        .extract({ left: 9, top: 9, width: 1, height: 1 })
        .raw()
        .toBuffer()
      assert.ok(red > 200 && blue < 60, 'red is above')
    }
  })

  test('thumbnails are created on request, stored, excluded from the quota and deleted with their file', async () => {
    const file = await store(await photograph(600, 400))
    assert.not((await media.stored()).includes(`${file.id}.small`))
    const { usedBytes } = await asService.getMediaUsage({ ecosystemId })
    const all = await Promise.all(Array.from({ length: 10 }, () => loadVariant(file.id, 'small')))
    assert.is(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size, 1)
    assert.ok((await media.stored()).includes(`${file.id}.small`))
    assert.is((await asService.getMediaUsage({ ecosystemId })).usedBytes, usedBytes)
    await asService.deleteMedia({ id: file.id })
    await eventually(async () => !(await media.stored()).some(name => name.startsWith(file.id)))
    assert.is((await refusal(loadVariant(file.id, 'small'))).info.status, 404)
  })

  test('PNG, GIF, WebP and AVIF have thumbnails, of an animation its first image, and none is enlarged', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 60, height: 40, channels: 4, background } })
        .png()
        .toBuffer()
    const picture = sharp(await frame('#00f8'))
    const moving = await sharp([await frame('red'), await frame('blue')], { join: { animated: true } })
      .gif()
      .toBuffer()
    const samples: [string, Buffer][] = [
      ['image/png', await picture.clone().png().toBuffer()],
      ['image/gif', moving],
      ['image/webp', await picture.clone().webp().toBuffer()],
      ['image/avif', await picture.clone().avif({ effort: 0 }).toBuffer()],
    ]
    for (const [type, bytes] of samples) {
      const file = await store(bytes)
      assert.equal([file.contentType, file.width, file.height], [type, 60, 40])
      const { format, width, height, pages } = await loadVariant(file.id, 'large')
      assert.equal([format, width, height, pages], ['webp', 60, 40, undefined], type)
    }
  })

  test('beyond the queue of thumbnails another one is a 503 with Retry-After', async () => {
    const { db, objects } = media.places
    const file = await store(await photograph(300, 200))
    const row = (await locateFile(db, file.id)) as FileRow
    // Originals that load slowly occupy every slot.
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const slow = {
      ...objects,
      read: async (name: string) => (name.includes('.') ? undefined : arrived.then(() => objects.read(name))),
    }
    const decoding = startDecoding()
    const thumbnail = thumbnails({ db, objects: slow, decoding, maxPixels: 20_000_000 })
    const requests = Array.from({ length: 65 + 4 }, () => thumbnail({ ...row, id: newId() }, 'small'))
    const errors: unknown[] = []
    for (const each of requests) each.catch(error => errors.push(error))
    await eventually(() => errors.length === 4)
    for (const error of errors) {
      const { info } = toRpcError(error)
      assert.equal([info.status, info.retryAfterSeconds], [503, 2])
    }
    arrive()
    const results = await Promise.allSettled(requests)
    assert.is(results.filter(({ status }) => status === 'fulfilled').length, 65)
    assert.ok((await thumbnail(row, 'small'))?.length)
    await decoding.stop()
  })

  test('an SVG and a file that is not an image have no thumbnail: null in the record, 404 on request', async () => {
    for (const text of ['minutes', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7\n1 0 obj']) {
      const file = await store(Buffer.from(text))
      assert.is(file.thumbnailUrl, undefined)
      const error = await refusal(loadVariant(file.id, 'medium'))
      assert.equal([error.info.status, error.rawMessage], [404, 'This file has no thumbnail'])
    }
  })

  test('a damaged image is stored as it is, and after one attempt its record states that it has no thumbnail', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
    const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal', noise } })
    const [jpeg, png] = [await picture.clone().jpeg().toBuffer(), await picture.clone().png().toBuffer()]
    const rest = Buffer.alloc(5000)
    for (const bytes of [
      jpeg.subarray(0, 9000),
      Buffer.concat([jpeg.subarray(0, 9000), rest]),
      png.subarray(0, 9000),
    ]) {
      const file = await store(bytes)
      assert.is((await refusal(loadVariant(file.id, 'small'))).info.status, 404)
      const { data } = await asService.listMedia({ ecosystemId, limit: 100 })
      assert.is(data.find(one => one.id === file.id)?.thumbnailUrl, undefined)
      assert.ok((await download(asNobody, file.id)).bytes.equals(bytes))
    }
  })

  test('an image with too many pixels is refused before the rest of it arrives, without trace', async () => {
    const before = (await media.stored()).length
    const bomb = await sharp({ create: { width: 30_000, height: 1000, channels: 3, background: 'black' } })
      .png()
      .toBuffer()
    assert.ok(bomb.length < 200_000)
    const error = await refusal(store(bomb))
    assert.equal([error.info.status, error.info.violations[0]?.path], [400, 'file'])
    assert.match(error.rawMessage, '30000 × 1000 pixels; a picture must not have more than 20000000')
    let sentChunks = 0
    async function* parts() {
      yield { part: { case: 'head' as const, value: { ecosystemId } } }
      for (; sentChunks < 50; sentChunks++)
        yield { part: { case: 'chunk' as const, value: sentChunks ? Buffer.alloc(250_000) : bomb } }
    }
    assert.is((await refusal(asService.uploadMedia(parts()))).info.violations[0]?.rule, 'pixels')
    assert.ok(sentChunks < 5, `${sentChunks} chunks were taken`)
    assert.is((await media.stored()).length, before)
  })

  if (kind === 'disk')
    test('an image whose header lies about its size is not decoded beyond the limit', async () => {
      const bomb = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: 'black' } })
        .png()
        .toBuffer()
      const small = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'black' } })
        .png()
        .toBuffer()
      const file = await store(small)
      // Simulates a header that the upload reads differently from the decoder.
      const path = join(String(media.host.env['MEDIA_DIR']), 'files', file.id.slice(-2), file.id)
      assert.ok((await readFile(path)).equals(small))
      await writeFile(path, bomb)
      assert.is((await refusal(loadVariant(file.id, 'small'))).info.status, 404)
    })

  const stateOf = async (id: string) => {
    const row = (await locateFile(media.places.db, id)) as FileRow
    return [row.has_thumbnail, row.thumbnail_failures, row.thumbnail_retry_at]
  }

  test('an image that ends the decoder is decoded once and never again: its record states that it has no thumbnail', async () => {
    const { db, objects } = media.places
    const decoding = startDecoding({ seconds: 0.01 })
    const attempts: string[] = []
    const countingDecoding: Decoding = {
      ...decoding,
      inTurn: work => decoding.inTurn(decode => work(job => (attempts.push(job.source), decode(job)))),
    }
    const thumbnail = thumbnails({ db, objects, decoding: countingDecoding, maxPixels: 100_000_000 })
    const { id } = await store(await photograph(300, 200))
    const row = (await locateFile(db, id)) as FileRow
    const sizes = ['small', 'medium', 'large'] as const
    assert.equal(await Promise.all(sizes.map(size => thumbnail(row, size))), [undefined, undefined, undefined])
    assert.is(attempts.length, 1)
    assert.equal(await stateOf(id), [0, 0, null])
    assert.is((await refusal(loadVariant(id, 'small'))).info.status, 404)
    await decoding.stop()
  })

  test('an attempt is recorded before it starts: one that never ended is the last, and one in progress a 503', async () => {
    const { db, objects } = media.places
    const { id } = await store(await photograph(300, 200))
    const row = (await locateFile(db, id)) as FileRow
    const decoding = startDecoding()
    const states: unknown[] = []
    const watched: Decoding = {
      ...decoding,
      inTurn: work =>
        decoding.inTurn(decode =>
          work(async job => {
            states.push(await stateOf(id))
            states.push((await refusal(loadVariant(id, 'small'))).info)
            return decode(job)
          }),
        ),
    }
    const thumbnail = thumbnails({ db, objects, decoding: watched, maxPixels: 100_000_000 })
    assert.ok((await thumbnail(row, 'large'))?.length)
    const [[has, attempts, until], info] = states as [[number, number, Date], RpcError['info']]
    assert.equal([has, attempts], [1, 1])
    assert.ok(until > new Date())
    assert.equal([info.status, info.retryAfterSeconds], [503, 2])
    assert.equal(await stateOf(id), [1, 0, null])

    await beginDecoding(db, id, new Date(Date.now() - 1))
    assert.is((await refusal(loadVariant(id, 'small'))).info.status, 404)
    assert.is((await stateOf(id))[0], 0)
    await decoding.stop()
  })

  test.after(() => media.end())
  test.run()
}

for (const kind of storageKinds) await runSuite(kind)
