export type Dimensions = { width: number; height: number }

/** Width and height that the header of an image tells, in pixels; undefined for other types and damaged headers. */
export function dimensionsOf(contentType: string, sample: Uint8Array): Dimensions | undefined {
  const read = readers[contentType]
  if (!read) return undefined
  try {
    const found = read(Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength))
    return found && found.width > 0 && found.height > 0 ? found : undefined
  } catch (error) {
    // The header ends before the figures do.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (bytes: Buffer) => Dimensions | undefined

const png: Reader = bytes => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })

const gif: Reader = bytes => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) })

/** Walks the segments to the frame header, the only one that tells the size. */
const jpeg: Reader = bytes => {
  let at = 2
  while (at < bytes.length) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Fill bytes and markers without a segment of their own.
    if (marker === 0xff) at += 1
    else at += 2 + (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9) ? 0 : bytes.readUInt16BE(at + 2))
  }
  return undefined
}

const webp: Reader = bytes => {
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

const readers: Record<string, Reader> = {
  'image/png': png,
  'image/apng': png,
  'image/gif': gif,
  'image/jpeg': jpeg,
  'image/webp': webp,
}
