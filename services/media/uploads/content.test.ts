import sharp from 'sharp'
import { assert, suite } from '../../../test/kit/kit.ts'
import { isAttachment } from '../files/download.ts'
import { typeOf } from './content.ts'
import { dimensionsOf } from './dimensions.ts'

const test = suite('detection of file types')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('markup is detected after a byte order mark, in capitals and in UTF-16', async () => {
  assert.is(await typeOf(Buffer.from('\ufeff  <HTML>')), 'text/html')
  assert.is(await typeOf(Buffer.from('\ufeff<svg xmlns="x">', 'utf16le')), 'image/svg+xml')
  assert.is(await typeOf(Buffer.from('<?xml version="1.0"?><feed/>')), 'application/xml')
})

test('an image that contains a tag stays an image, and broken text is unknown', async () => {
  assert.is(await typeOf(Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<svg >')])), 'image/gif')
  assert.is(await typeOf(Buffer.from([0x41, 0xff, 0xfe, 0x41])), 'application/octet-stream')
  assert.is(await typeOf(Buffer.from('a < b and <b> is bold')), 'text/plain; charset=utf-8')
})

test('images are shown, archives and programs are attachments', () => {
  for (const type of ['image/png', 'image/webp', 'application/pdf']) assert.is(isAttachment(type), false)
  for (const type of ['application/zip', 'application/x-msdownload', 'text/html', 'image/svg+xml'])
    assert.is(isAttachment(type), true)
})

test('the header of an image states its size as displayed', async () => {
  assert.equal(dimensionsOf('image/gif', hex('474946383961 0a00 1400')), { width: 10, height: 20 })
  const vp8x = hex('52494646 00000000 57454250 56503858 0a000000 00000000 630000 c70000')
  assert.equal(dimensionsOf('image/webp', vp8x), { width: 100, height: 200 })
  const vp8l = hex('52494646 00000000 57454250 5650384c 00000000 2f 63c03100')
  assert.equal(dimensionsOf('image/webp', vp8l), { width: 100, height: 200 })
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const picture = sharp({ create: { width: 640, height: 320, channels: 3, background: 'teal', noise } })
  const turned = await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()
  assert.equal(dimensionsOf('image/jpeg', turned.subarray(0, 4096)), { width: 320, height: 640 })
  const avif = await picture.clone().avif({ effort: 0 }).toBuffer()
  assert.equal(dimensionsOf('image/avif', avif.subarray(0, 4096)), { width: 640, height: 320 })
  const onItsSide = hex('00000014 69737065 00000000 00000280 00000140 00000009 69726f74 03')
  assert.equal(dimensionsOf('image/heic', onItsSide), { width: 320, height: 640 })
})

test('a damaged header states nothing', async () => {
  assert.is(dimensionsOf('image/png', hex('89504e47')), undefined)
  assert.is(dimensionsOf('image/jpeg', hex('ffd8 ffc0 00')), undefined)
  assert.is(dimensionsOf('image/jpeg', hex('ffd8 ffe0 0000 0000')), undefined)
  assert.is(dimensionsOf('image/avif', Buffer.from('....ftypavif....ispe')), undefined)
})

test.run()
