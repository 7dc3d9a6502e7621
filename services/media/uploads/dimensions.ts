export type Dimensions = { width: number; height: number }

/**
 * Displayed width and height of an image in pixels, from its beginning; a rotated photograph counts as turned.
 * Undefined for other types and damaged headers.
 */
export async function dimensionsOf(contentType: string, sample: Uint8Array): Promise<Dimensions | undefined> {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)
  try {
    const found = contentType === 'image/jpeg' ? await jpeg(bytes) : readers[contentType]?.(bytes)
    return found && found.width > 0 && found.height > 0 ? found : undefined
  } catch (error) {
    // The header ends before the dimensions.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (bytes: Buffer) => Dimensions | undefined

/** The orientation is in the EXIF data, which sharp reads from the beginning of a JPEG. */
async function jpeg(bytes: Buffer): Promise<Dimensions | undefined> {
  const { default: sharp } = await import('sharp')
  const found = await sharp(bytes, { failOn: 'none' })
    .metadata()
    .catch(() => undefined)
  return found?.autoOrient
}

const png: Reader = bytes => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })

const gif: Reader = bytes => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) })

const webp: Reader = bytes => {
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** AVIF and HEIC consist of tiles; the largest extent is that of the whole picture. */
const heif: Reader = bytes => {
  let largest: Dimensions | undefined
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4)) {
    const found = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found
  }
  return largest
}

// Read from the header, because sharp needs the whole file for these formats.
const readers: Record<string, Reader> = {
  'image/png': png,
  'image/apng': png,
  'image/gif': gif,
  'image/webp': webp,
  'image/avif': heif,
  'image/heic': heif,
}
