import { orientationOf } from '../pictures/exif.ts'

export type Dimensions = { width: number; height: number }

/**
 * Displayed width and height of an image in pixels, from its beginning; a rotated photograph counts as turned.
 * Undefined for other types and damaged headers.
 */
export function dimensionsOf(contentType: string, sample: Uint8Array): Dimensions | undefined {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)
  try {
    const dimensions = readers[contentType]?.(bytes)
    return dimensions && dimensions.width > 0 && dimensions.height > 0 ? dimensions : undefined
  } catch (error) {
    // The header ends before the dimensions.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (bytes: Buffer) => Dimensions | undefined

/** The size is in the frame's header, the orientation in the EXIF data before it. */
const jpeg: Reader = bytes => {
  let orientation = 1
  for (let offset = 2; ; ) {
    const marker = bytes.readUInt8(offset) === 0xff ? bytes.readUInt8(offset + 1) : 0xff
    if (marker === 0xff) offset++
    else if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) offset += 2
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else if (marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const [height, width] = [bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7)]
      return orientation < 5 ? { width, height } : { width: height, height: width }
    } else {
      const end = offset + 2 + bytes.readUInt16BE(offset + 2)
      if (marker === 0xe1 && bytes.toString('latin1', offset + 4, offset + 8) === 'Exif')
        orientation = orientationOf(bytes.subarray(offset + 10, end))
      offset = end
    }
  }
}

/** Pixels of CSS per unit. */
const units: Record<string, number> = { '': 1, px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 }

/** The size that a drawing states, else that of its coordinates. */
const svg: Reader = bytes => {
  const isUtf16 = bytes.subarray(0, 2).includes(0xfe)
  const text = (isUtf16 ? Buffer.from(bytes.filter(byte => byte !== 0)) : bytes).toString('latin1')
  // From the first element only: a search through all of them would take time of the square of their number.
  const tail = /<(?:[\w.-]+:)?svg\s([^]*)/i.exec(text)?.[1] ?? ''
  const root = /^((?:[^>"']|"[^"]*"|'[^']*')*)>/.exec(tail)?.[1] ?? ''
  const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(root)?.[1] ?? ''
  const length = (name: string) => {
    const [, number = '', unit = '?'] = /^\s*\+?([\d.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(attribute(name)) ?? []
    return Number(number) * (units[unit.toLowerCase()] ?? Number.NaN)
  }
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = attribute('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [width, height] = [length('width'), length('height')]
  const ratio = boxWidth / boxHeight
  const roundedSize = {
    width: Math.round(width || height * ratio || boxWidth),
    height: Math.round(height || width / ratio || boxHeight),
  }
  return Math.max(roundedSize.width, roundedSize.height) < maxEdge ? roundedSize : undefined
}

const png: Reader = bytes => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })

const gif: Reader = bytes => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) })

const webp: Reader = bytes => {
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const packedSize = bytes.readUInt32LE(21)
  return { width: (packedSize & 0x3fff) + 1, height: ((packedSize >>> 14) & 0x3fff) + 1 }
}

/** What the database can hold. */
const maxEdge = 2 ** 31

/** Length and type of the box whose one byte counts quarter turns. */
const rotationHead = '\0\0\0\tirot'

/** AVIF and HEIC consist of tiles; the largest extent is that of the whole picture, before its rotation. */
const heif: Reader = bytes => {
  let largest: Dimensions | undefined
  for (let offset = bytes.indexOf('ispe'); offset >= 0; offset = bytes.indexOf('ispe', offset + 4)) {
    const extent = { width: bytes.readUInt32BE(offset + 8), height: bytes.readUInt32BE(offset + 12) }
    if (!largest || extent.width * extent.height > largest.width * largest.height) largest = extent
  }
  const rotation = bytes.indexOf(rotationHead)
  const isOnItsSide = rotation >= 0 && bytes.readUInt8(rotation + rotationHead.length) % 2 === 1
  return largest && isOnItsSide ? { width: largest.height, height: largest.width } : largest
}

const readers: Record<string, Reader> = {
  'image/jpeg': jpeg,
  'image/svg+xml': svg,
  'image/png': png,
  'image/apng': png,
  'image/gif': gif,
  'image/webp': webp,
  'image/avif': heif,
  'image/heic': heif,
  'image/heif': heif,
}
