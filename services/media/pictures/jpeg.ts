import { orientationOf, orientationOnly } from './exif.ts'
import { type CleanPicture, type PictureSource, partList } from './parts.ts'

const exifMark = 'Exif\0\0'
const profileMark = 'ICC_PROFILE\0'

const [startOfScan, endOfImage, profileSegment, exifSegment, jfifSegment, adobeSegment, comment] = [
  0xda, 0xd9, 0xe2, 0xe1, 0xe0, 0xee, 0xfe,
]
const isBareMarker = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * Keeps what decoding needs: tables, frames, scans, the colour profile and Adobe's colour transform. What follows the end
 * of the image is dropped too, where cameras put previews and films.
 */
export async function cleanJpeg(source: PictureSource): Promise<CleanPicture> {
  const list = partList(source)
  list.keep(0, 2)
  let orientation = 1
  let offset = 2
  while (offset < source.size) {
    const head = await source.read(offset, 4)
    const marker = head[1] ?? 0
    if (head[0] !== 0xff || marker === 0xff || marker === 0 || isBareMarker(marker)) {
      // Decoders skip fill bytes and anything else before the next marker.
      offset = head[0] === 0xff && marker !== 0xff ? offset + 2 : await nextMarker(source, offset + 1)
      list.drop()
      continue
    }
    if (marker === endOfImage) {
      list.keep(offset, offset + 2)
      break
    }
    if (head.length < 4) break
    const end = offset + 2 + Math.max(2, head.readUInt16BE(2))
    if (marker === startOfScan) {
      const next = await endOfScan(source, end)
      list.keep(offset, next)
      offset = next
      continue
    }
    const text = (await source.read(offset + 4, profileMark.length)).toString('latin1')
    if (marker === exifSegment && text.startsWith(exifMark) && orientation === 1) {
      orientation = orientationOf(await source.read(offset + 10, end - offset - 10))
      if (orientation !== 1) list.put(exif(orientation))
    } else if (marker === jfifSegment && text.startsWith('JFIF\0')) list.put(await jfif(source, offset))
    else if (isKept(marker, text)) list.keep(offset, end)
    else list.drop()
    offset = end
  }
  return { parts: list.parts, orientation }
}

function isKept(marker: number, text: string): boolean {
  if (marker === profileSegment) return text === profileMark
  return marker === adobeSegment || (marker !== comment && !(marker >= 0xe0 && marker <= 0xef))
}

function exif(orientation: number): Buffer {
  const data = Buffer.concat([Buffer.from(exifMark, 'latin1'), orientationOnly(orientation)])
  const head = Buffer.from([0xff, exifSegment, 0, data.length + 2])
  return Buffer.concat([head, data])
}

/** The JFIF segment, whose last two bytes are the size of its thumbnail. */
async function jfif(source: PictureSource, offset: number): Promise<Buffer> {
  const bytes = Buffer.alloc(18)
  ;(await source.read(offset, 16)).copy(bytes)
  bytes.writeUInt16BE(16, 2)
  return bytes
}

async function nextMarker(source: PictureSource, from: number): Promise<number> {
  for (let offset = from; offset < source.size; ) {
    const bytes = await source.read(offset, 64 * 1024)
    const index = bytes.indexOf(0xff)
    if (index >= 0) return offset + index
    offset += bytes.length
    if (bytes.length === 0) break
  }
  return source.size
}

/** Where the data of a scan ends: at a marker that is neither an escaped 0xFF nor a restart. */
async function endOfScan(source: PictureSource, from: number): Promise<number> {
  for (let offset = from; offset < source.size; ) {
    const bytes = await source.read(offset, 64 * 1024)
    if (bytes.length < 2) break
    for (
      let index = bytes.indexOf(0xff);
      index >= 0 && index + 1 < bytes.length;
      index = bytes.indexOf(0xff, index + 1)
    ) {
      const marker = bytes[index + 1] ?? 0
      if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return offset + index
    }
    offset += bytes.length - 1
  }
  return source.size
}
