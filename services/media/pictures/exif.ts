/** Tag of the orientation in the first directory of EXIF data and of TIFF files. */
export const orientationTag = 0x0112

/** Integers in the byte order that a TIFF header states; undefined for anything else. */
export function byteOrderOf(header: Buffer) {
  const isLittle = header.toString('latin1', 0, 2) === 'II'
  if (!isLittle && header.toString('latin1', 0, 2) !== 'MM') return undefined
  const order = {
    uint16: (bytes: Buffer, offset: number) => (isLittle ? bytes.readUInt16LE(offset) : bytes.readUInt16BE(offset)),
    long: (bytes: Buffer, offset: number) => (isLittle ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset)),
  }
  return order.uint16(header, 2) === 42 ? order : undefined
}

/** The orientation in EXIF data, which begins with a TIFF header; 1 for none. */
export function orientationOf(exif: Buffer): number {
  try {
    const order = byteOrderOf(exif)
    if (!order) return 1
    const offset = order.long(exif, 4)
    const count = Math.min(order.uint16(exif, offset), 1000)
    for (let entry = offset + 2; entry < offset + 2 + count * 12; entry += 12) {
      if (order.uint16(exif, entry) !== orientationTag) continue
      const value = order.uint16(exif, entry + 8)
      return value >= 1 && value <= 8 ? value : 1
    }
    return 1
  } catch (error) {
    // The directory lies outside of the bytes.
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** EXIF data with nothing but an orientation. */
export function orientationOnly(orientation: number): Buffer {
  const bytes = Buffer.alloc(26)
  bytes.write('MM\0*\0\0\0\x08\0\x01', 'latin1')
  bytes.writeUInt16BE(orientationTag, 10)
  bytes.writeUInt16BE(3, 12)
  bytes.writeUInt32BE(1, 14)
  bytes.writeUInt16BE(orientation, 18)
  return bytes
}
