import { crc32 } from 'node:zlib'
import { orientationOf, orientationOnly } from './exif.ts'
import { type CleanPicture, type PictureSource, partList } from './parts.ts'

/** Chunks beside the critical ones that decide how a picture or an animation looks. */
const keptChunks = new Set([
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'bKGD', 'hIST', 'tRNS', 'pHYs', 'sPLT'],
  ...['acTL', 'fcTL', 'fdAT'],
])
const isCritical = (type: string) => /^[A-Z]/.test(type)
const maxExifBytes = 64 * 1024

/** Drops texts, times, EXIF and what follows the end. */
export async function cleanPng(source: PictureSource): Promise<CleanPicture> {
  const list = partList(source)
  list.keep(0, 8)
  let orientation = 1
  for (let offset = 8; offset < source.size; ) {
    const head = await source.read(offset, 8)
    if (head.length < 8) break
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const end = offset + 12 + length
    if (isCritical(type) || keptChunks.has(type)) list.keep(offset, end)
    else if (type === 'eXIf' && orientation === 1) {
      orientation = orientationOf(await source.read(offset + 8, Math.min(length, maxExifBytes)))
      if (orientation !== 1) list.put(chunkOf('eXIf', orientationOnly(orientation)))
    } else list.drop()
    if (type === 'IEND') break
    offset = end
  }
  return { parts: list.parts, orientation }
}

function chunkOf(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}
