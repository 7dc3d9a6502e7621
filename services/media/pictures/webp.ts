import { orientationOf, orientationOnly } from './exif.ts'
import { type CleanPicture, type PictureSource, partList, sizeOf } from './parts.ts'

const keptChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Flags of the VP8X chunk. */
const [hasExif, hasXmp] = [0x08, 0x04]
const maxExifBytes = 64 * 1024

/** Drops EXIF, XMP, unknown chunks and what follows the file's end. */
export async function cleanWebp(source: PictureSource): Promise<CleanPicture> {
  const list = partList(source)
  const header = Buffer.from(await source.read(0, 12))
  list.put(header)
  let features: Buffer | undefined
  let orientation = 1
  const end = Math.min(source.size, 8 + header.readUInt32LE(4))
  for (let offset = 12; offset + 8 <= end; ) {
    const head = await source.read(offset, 18)
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    const next = offset + 8 + length + (length % 2)
    if (type === 'VP8X' && !features && head.length === 18) {
      features = Buffer.from(head)
      features[8] = (features[8] ?? 0) & ~(hasExif | hasXmp)
      list.put(features)
    } else if (keptChunks.has(type)) list.keep(offset, next)
    else if (type === 'EXIF')
      orientation = orientationOf(tiffOf(await source.read(offset + 8, Math.min(length, maxExifBytes))))
    else list.drop()
    offset = next
  }
  if (features && orientation !== 1) {
    features[8] = (features[8] ?? 0) | hasExif
    const data = orientationOnly(orientation)
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
    head.writeUInt32LE(data.length, 4)
    list.put(Buffer.concat([head, data]))
  }
  header.writeUInt32LE(sizeOf(list.parts) - 8, 4)
  return { parts: list.parts, orientation }
}

/** Some programs begin the data as in a JPEG. */
const tiffOf = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif)
