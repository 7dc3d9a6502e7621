import { assert, suite } from '../kernel/testing.ts'
import { savedNotShown, typeOf } from './content.ts'
import { dimensionsOf } from './dimensions.ts'
import { displayName } from './names.ts'

const test = suite('what a file is')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('markup is found behind a byte order mark, in capitals and in UTF-16', async () => {
  assert.is(await typeOf(Buffer.from('\ufeff  <HTML>')), 'text/html')
  assert.is(await typeOf(Buffer.from('\ufeff<svg xmlns="x">', 'utf16le')), 'image/svg+xml')
  assert.is(await typeOf(Buffer.from('<?xml version="1.0"?><feed/>')), 'application/xml')
})

test('a picture whose bytes spell a tag stays a picture, and broken text is unknown', async () => {
  assert.is(await typeOf(Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<svg >')])), 'image/gif')
  assert.is(await typeOf(Buffer.from([0x41, 0xff, 0xfe, 0x41])), 'application/octet-stream')
  assert.is(await typeOf(Buffer.from('a < b and <b> is bold')), 'text/plain; charset=utf-8')
})

test('pictures are shown; archives and programs are saved', () => {
  for (const type of ['image/png', 'image/webp', 'application/pdf']) assert.is(savedNotShown(type), false)
  for (const type of ['application/zip', 'application/x-msdownload', 'text/html', 'image/svg+xml'])
    assert.is(savedNotShown(type), true)
})

test('the header of a picture tells its size', () => {
  const jpeg = hex('ffd8 ffe0 0004 0000 ffc0 000b 08 0020 0040 01 011100')
  assert.equal(dimensionsOf('image/jpeg', jpeg), { width: 64, height: 32 })
  assert.equal(dimensionsOf('image/gif', hex('474946383961 0a00 1400')), { width: 10, height: 20 })
  const vp8x = hex('52494646 00000000 57454250 56503858 0a000000 00000000 630000 c70000')
  assert.equal(dimensionsOf('image/webp', vp8x), { width: 100, height: 200 })
  const vp8l = hex('52494646 00000000 57454250 5650384c 00000000 2f 63c03100')
  assert.equal(dimensionsOf('image/webp', vp8l), { width: 100, height: 200 })
})

test('a damaged header tells nothing', () => {
  assert.is(dimensionsOf('image/png', hex('89504e47')), undefined)
  assert.is(dimensionsOf('image/jpeg', hex('ffd8 ffc0 00')), undefined)
  assert.is(dimensionsOf('image/jpeg', hex('ffd8 ffe0 0000 0000')), undefined)
})

test('a file name loses its path, its control characters and what turns the text around', () => {
  assert.is(displayName('C:\\photos\\été.jpg'), 'été.jpg')
  assert.is(displayName('a\u202egnp.exe\r\nX: y'), 'agnp.exeX_ y')
  assert.is(displayName('..'), 'file')
  assert.is(displayName('x'.repeat(300)).length, 255)
})

test.run()
