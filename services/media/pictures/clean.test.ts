import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { download, mediaForTest, upload, uploadParts } from '../../../test/kit/media.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('pictures lose place and device at upload')
const media = await mediaForTest()
const keeping = await mediaForTest({ MEDIA_KEEP_METADATA: 'true' })
const ecosystemId = newId()
const client = media.memberOf(ecosystemId).client

const exif = {
  IFD0: { Make: 'SecretCamera', Model: 'SecretModel', Artist: 'SecretPerson' },
  IFD3: { GPSLatitude: '48/1 51/1 24/1', GPSLatitudeRef: 'N' },
}
const xmp =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="SecretPlace"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'

/** Red above blue when it is shown by its orientation. */
async function photograph(orientation: number): Promise<Sharp> {
  const half = (background: string) => ({ create: { width: 320, height: 120, channels: 3 as const, background } })
  const blue = await sharp(half('blue')).png().toBuffer()
  const upright = sharp({ create: { width: 320, height: 240, channels: 3, background: 'red' } })
    .composite([{ input: blue, left: 0, top: 120 }])
    .png()
  const turns: Record<number, number> = { 1: 0, 3: 180, 6: 270, 8: 90 }
  return sharp(
    await sharp(await upright.toBuffer())
      .rotate(turns[orientation])
      .png()
      .toBuffer(),
  )
    .withIccProfile('p3')
    .withExif(exif)
    .withXmp(xmp)
    .withMetadata({ orientation })
}

/** A TIFF with a maker and a place, which sharp doesn't write. */
async function tiffOf(picture: Sharp): Promise<Buffer> {
  const plain = await picture.tiff({ compression: 'lzw' }).toBuffer()
  const directoryOffset = plain.readUInt32LE(4)
  const count = plain.readUInt16LE(directoryOffset)
  const entries = Array.from({ length: count }, (_, n) =>
    plain.subarray(directoryOffset + 2 + n * 12, directoryOffset + 14 + n * 12),
  )
  const entry = (tag: number, type: number, length: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(length, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const directory = (list: Buffer[]) => {
    const head = Buffer.alloc(2)
    head.writeUInt16LE(list.length)
    const sorted = list.toSorted((one, other) => one.readUInt16LE() - other.readUInt16LE())
    return Buffer.concat([head, ...sorted, Buffer.alloc(4)])
  }
  const padded = Buffer.concat([plain, Buffer.alloc(plain.length % 2)])
  const place = Buffer.from('SecretPlace\0')
  const gps = directory([entry(1, 2, place.length, padded.length)])
  const maker = Buffer.from('SecretCameras\0')
  const makerAt = padded.length + place.length + gps.length
  const extra = [entry(271, 2, maker.length, makerAt), entry(34853, 4, 1, padded.length + place.length)]
  padded.writeUInt32LE(makerAt + maker.length, 4)
  return Buffer.concat([padded, place, gps, maker, directory([...entries, ...extra])])
}

const formats: Record<string, (picture: Sharp) => Promise<Buffer>> = {
  jpeg: picture => picture.jpeg({ quality: 95 }).toBuffer(),
  'progressive jpeg': picture => picture.jpeg({ quality: 95, progressive: true }).toBuffer(),
  png: picture => picture.png().toBuffer(),
  webp: picture => picture.webp({ lossless: true }).toBuffer(),
  'lossy webp': picture => picture.webp({ quality: 95 }).toBuffer(),
  avif: picture => picture.avif({ effort: 0, quality: 90 }).toBuffer(),
  tiff: tiffOf,
}
const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
const store = (bytes: Buffer, by = client) => upload(by, { fileName: 'Plage' }, bytes)

for (const [format, write] of Object.entries(formats)) {
  test(`${format}: nothing of place, device and person stays, every pixel and the colours do`, async () => {
    const original = await write(await photograph(1))
    assert.ok(original.includes('SecretCamera'), 'the test writes it')
    const file = await store(original)
    const { head, bytes } = await download(media.asNobody, file.id)
    assert.not(bytes.includes('Secret'))
    assert.equal([BigInt(bytes.length), file.size], [head?.size, bytes.length])
    const [before, after] = [await sharp(original).metadata(), await sharp(bytes).metadata()]
    assert.ok(before.icc)
    assert.equal(after.icc, before.icc)
    assert.equal([after.format, after.width, after.height], [before.format, 320, 240])
    assert.equal([file.width, file.height], [320, 240])
    assert.equal(await pixelsOf(bytes), await pixelsOf(original))
  })

  if (format !== 'avif' && format !== 'tiff')
    for (const orientation of [3, 6, 8])
      test(`${format}: a picture of orientation ${orientation} is stored upright`, async () => {
        const file = await store(await write(await photograph(orientation)))
        const { bytes } = await download(media.asNobody, file.id)
        assert.not(bytes.includes('Secret'))
        const { icc, orientation: storedOrientation, width, height } = await sharp(bytes).metadata()
        assert.ok(icc)
        assert.equal([storedOrientation ?? 1, width, height, file.width, file.height], [1, 320, 240, 320, 240])
        const pixel = async (top: number) =>
          (await sharp(bytes).extract({ left: 160, top, width: 1, height: 1 }).raw().toBuffer()) as Buffer
        const [top, bottom] = [await pixel(20), await pixel(220)]
        assert.ok((top[0] ?? 0) > (top[2] ?? 0) && (bottom[2] ?? 0) > (bottom[0] ?? 0), 'red is above')
      })
}

test('what follows the end of a picture, and thumbnails and comments inside, are dropped', async () => {
  const jpeg = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text, 'latin1')])
  const extra = [0xe0, 0xe2, 0xed, 0xef, 0xfe].map(marker => segment(marker, `JFXX\0 Secret ${marker}`))
  const padded = [
    jpeg.subarray(0, 2),
    ...extra,
    Buffer.from([0xff, 0xff]),
    jpeg.subarray(2),
    Buffer.from('Secret film'),
  ]
  const { bytes } = await download(media.asNobody, (await store(Buffer.concat(padded))).id)
  assert.ok(bytes.equals(jpeg))
})

test('animated pictures stay animated', async () => {
  const frame = (background: string) =>
    sharp({ create: { width: 60, height: 40, channels: 4, background } })
      .png()
      .toBuffer()
  const frames = [await frame('red'), await frame('blue')]
  const moving = await sharp(frames, { join: { animated: true } })
    .withExif(exif)
    .webp({ delay: [100, 300] })
    .toBuffer()
  assert.ok(moving.includes('SecretCamera'))
  const { bytes } = await download(media.asNobody, (await store(moving)).id)
  assert.not(bytes.includes('Secret'))
  const { pages, delay } = await sharp(bytes, { pages: -1 }).metadata()
  assert.equal([pages, delay], [2, [100, 300]])
})

test('a picture too large to be turned keeps its orientation, and nothing else', async () => {
  const create = { width: 5000, height: 4000, channels: 3 as const, background: 'teal' }
  const large = await sharp({ create }).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const file = await store(large)
  const { bytes } = await download(media.asNobody, file.id)
  assert.not(bytes.includes('Secret'))
  const { orientation, width, exif: remainingExif } = await sharp(bytes).metadata()
  assert.equal([orientation, width, file.width, file.height], [6, 5000, 4000, 5000])
  assert.ok((remainingExif?.length ?? 0) < 40)
})

test('the stored bytes count for the quota, and a repeated upload compares the sent ones', async () => {
  const senderEcosystemId = newId()
  const sender = media.memberOf(senderEcosystemId).client
  const original = await formats['jpeg']?.(await photograph(1))
  if (!original) throw new Error('no picture')
  const headers = { 'idempotency-key': 'beach' }
  const send = async (bytes: Buffer) => (await sender.uploadMedia(uploadParts({}, bytes), { headers })).file
  const [first, second] = [await send(original), await send(original)]
  assert.is(second?.id, first?.id)
  assert.ok((first?.size ?? 0) < original.length)
  const { usedBytes, filesCount } = await sender.getMediaUsage({ ecosystemId: senderEcosystemId })
  assert.equal([usedBytes, filesCount], [first?.size, 1])
  assert.is((await refusal(send(original.subarray(0, -1)))).info.status, 422)
})

test('MEDIA_KEEP_METADATA=true stores pictures as they were sent', async () => {
  const original = await formats['jpeg']?.(await photograph(6))
  const file = await upload(keeping.memberOf(newId()).client, {}, original ?? Buffer.alloc(0))
  assert.ok((await download(keeping.asNobody, file.id)).bytes.equals(original ?? Buffer.alloc(0)))
})

test('a TIFF has the size as displayed, and too many pixels are refused', async () => {
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } })
  const tiff = await picture.withMetadata({ orientation: 6 }).tiff().toBuffer()
  const { width, height } = await store(tiff)
  assert.equal([width, height], [20, 40])
  for (let entry = tiff.readUInt32LE(4) + 2, i = 0; i < 10; entry += 12, i++)
    if ([256, 257].includes(tiff.readUInt16LE(entry))) tiff.writeUInt16LE(60_000, entry + 8)
  assert.is((await refusal(store(tiff))).info.violations[0]?.rule, 'pixels')
})

test('a TIFF or HEIC whose structure is damaged is refused by name, and leaves nothing', async () => {
  const tiff = await formats['tiff']?.(await photograph(1))
  const before = (await media.stored()).length
  const brokenTiff = Buffer.from(tiff ?? '')
  brokenTiff.writeUInt32LE(brokenTiff.length - 3, 4)
  const { status, violations } = (await refusal(store(brokenTiff))).info
  assert.equal([status, violations[0]?.path, violations[0]?.rule], [400, 'file', 'picture'])
  assert.is((await media.stored()).length, before)
})

/** A box of a HEIC file. */
const boxOf = (type: string, ...parts: (Buffer | number[])[]): Buffer => {
  const content = Buffer.concat(parts.map(part => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

test('a small HEIC that names billions of parts is refused, however they are nested', async () => {
  const brand = boxOf('ftyp', Buffer.from('mif1\0\0\0\0mif1'))
  const items = Array.from({ length: 2_000 }, (_, id) => Buffer.from([id >> 8, id & 255, 0, 0, 0xff, 0xff]))
  const location = boxOf('iloc', [0, 0, 0, 0, 0, 0, 2_000 >> 8, 2_000 & 255], ...items)
  const meta = boxOf('meta', [0, 0, 0, 0], boxOf('iinf', [0, 0, 0, 0, 0, 0]), location)
  const crowd = Buffer.concat(Array.from({ length: 100_001 }, () => boxOf('free')))
  for (const parts of [meta, boxOf('moov', crowd), boxOf('moov', boxOf('trak', crowd)), crowd])
    assert.is((await refusal(store(Buffer.concat([brand, parts])))).info.violations[0]?.rule, 'parts')
})

test('a drawing of many beginnings is stored without a size', async () => {
  const { width, contentType } = await store(Buffer.from('<svg '.repeat(52_000)))
  assert.equal([width, contentType], [undefined, 'image/svg+xml'])
})

test('SVG, PDF and films are files, stored as they were sent; a drawing has the size that it states', async () => {
  const sizes: [root: string, size: [number | undefined, number | undefined]][] = [
    ['width="120" height="80"', [120, 80]],
    ['width="2in" height="25.4mm"', [192, 96]],
    ['viewBox="0 0 300 150"', [300, 150]],
    ['width="100" viewBox="0,0,300,150"', [100, 50]],
    ['width="100%" height="100%" viewBox="0 0 30 20"', [30, 20]],
    ['', [undefined, undefined]],
    ['width="1e99" height="9"', [undefined, undefined]],
  ]
  for (const [root, size] of sizes) {
    const bytes = Buffer.from(
      `<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" ${root}><g/></svg>`,
    )
    const file = await store(bytes)
    assert.equal([file.width, file.height, file.contentType], [...size, 'image/svg+xml'], root)
    assert.ok((await download(media.asNobody, file.id)).bytes.equals(bytes))
  }
  const pdf = await readFile(new URL('./clean.test.ts', import.meta.url))
  const file = await store(Buffer.concat([Buffer.from('%PDF-1.7\n'), pdf]))
  assert.is((await download(media.asNobody, file.id)).bytes.length, pdf.length + 9)
})

test.after(async () => {
  await media.end()
  await keeping.end()
})
test.run()
