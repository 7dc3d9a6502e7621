import type { FileHandle } from 'node:fs/promises'
import { invalid } from '../../kernel/base/errors.ts'

/** Random access to a received picture. */
export type PictureSource = {
  size: number
  /** Bytes at a position; fewer at the end. */
  read(offset: number, length: number): Promise<Buffer>
}

/** A stretch of the stored picture: bytes of the source from `from` up to `to`, zeros, or other bytes. */
type PicturePart = Buffer | { from: number; to: number } | { zeros: number }

/** A picture without the place, the device and the thumbnails that it held. */
export type CleanPicture = {
  parts: PicturePart[]
  /** How its pixels are turned for display, as in EXIF: 1 is upright. Stays in the parts, alone. */
  orientation: number
}

/** The size before the picture is turned, where cleaning it tells the size. */
export type SizedPicture = CleanPicture & Partial<{ width: number; height: number }>

/** Several times what any format reads at once, so that small steps rarely read again. */
const windowBytes = 256 * 1024
const readBytes = 256 * 1024
/** Far above what cameras write; each costs a step. */
const maxParts = 100_000

/** Reads a file through a window, because formats are read in small steps. */
export function sourceOf(handle: FileHandle, size: number): PictureSource {
  let start = 0
  let bytes = Buffer.alloc(0)
  return {
    size,
    async read(offset, length) {
      if (offset < start || Math.min(offset + length, size) > start + bytes.length) {
        const byteCount = Math.max(0, Math.min(size - offset, Math.max(length, windowBytes)))
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(byteCount), 0, byteCount, offset)
        start = offset
        bytes = buffer.subarray(0, bytesRead)
      }
      return bytes.subarray(offset - start, offset - start + length)
    },
  }
}

/** Counts the steps through a picture. Throws when there are too many. */
export function stepCounter(): (steps?: number) => void {
  let count = 0
  return (steps = 1) => {
    count += steps
    if (count > maxParts) throw invalid('file', `must not consist of more than ${maxParts} parts`, 'parts')
  }
}

/** Collects the parts of a picture in order. Throws when there are too many. */
export function partList({ size }: Pick<PictureSource, 'size'>) {
  const parts: PicturePart[] = []
  const step = stepCounter()
  return {
    parts,
    keep(from: number, to: number): void {
      step()
      const last = parts.at(-1)
      const end = Math.min(to, size)
      if (last && 'from' in last && last.to === from) last.to = end
      else if (end > from) parts.push({ from, to: end })
    },
    put(part: PicturePart): void {
      step()
      parts.push(part)
    },
    drop: () => step(),
  }
}

export const unreadablePicture = () =>
  invalid('file', 'is a picture whose place and device can not be removed, because its structure is damaged', 'picture')

/** Bytes written over others, so that nothing in the file moves. */
export type Patch = { offset: number; part: Buffer | { zeros: number } }

const lengthOf = (part: PicturePart): number =>
  'from' in part ? part.to - part.from : 'zeros' in part ? part.zeros : part.length

/** The source with patches over it; where they overlap, the earlier one counts. */
export function applyPatches(source: PictureSource, patches: Patch[]): PicturePart[] {
  const list = partList(source)
  let offset = 0
  for (const patch of patches.toSorted((a, b) => a.offset - b.offset)) {
    const end = Math.min(patch.offset + lengthOf(patch.part), source.size)
    if (patch.offset < offset || end > source.size) {
      // Overlaps are hostile or broken: what they cover becomes zeros.
      if (end > offset) list.put({ zeros: end - offset })
    } else {
      list.keep(offset, patch.offset)
      list.put('zeros' in patch.part ? { zeros: end - patch.offset } : patch.part.subarray(0, end - patch.offset))
    }
    offset = Math.max(offset, end)
  }
  list.keep(offset, source.size)
  return list.parts
}

export const sizeOf = (parts: PicturePart[]): number => parts.reduce((sum, part) => sum + lengthOf(part), 0)

/** The bytes of a picture. */
export async function* bytesOfParts(handle: FileHandle, parts: PicturePart[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part
    else if ('zeros' in part)
      for (let zeros = part.zeros; zeros > 0; zeros -= readBytes) yield Buffer.alloc(Math.min(zeros, readBytes))
    else
      for (let offset = part.from; offset < part.to; offset += readBytes) {
        const length = Math.min(readBytes, part.to - offset)
        yield (await handle.read(Buffer.alloc(length), 0, length, offset)).buffer
      }
  }
}
