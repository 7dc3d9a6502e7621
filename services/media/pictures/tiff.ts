import { byteOrderOf, orientationTag } from './exif.ts'
import { applyPatches, type CleanPicture, type Patch, type PictureSource, unreadablePicture } from './parts.ts'

/** Tags that decide how a picture looks: its form, strips, tiles, colours and the colour profile. */
const keptTags = new Set([
  ...[
    254,
    255,
    256,
    257,
    258,
    259,
    262,
    263,
    264,
    265,
    266,
    273,
    orientationTag,
    277,
    278,
    279,
    280,
    281,
    282,
    283,
    284,
  ],
  ...[
    290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341,
  ],
  ...[342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 34675],
])
/** Tags whose value is another directory: smaller pictures, EXIF, place, interoperability. */
const directories = new Set([330, 34665, 34853, 40965])
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const [maxDirectories, maxEntries] = [1_000, 10_000]

type Entry = { tag: number; offset: number; bytes: Buffer; valueOffset: number; valueBytes: number }

/** Rewrites directories without the other tags, and zeros over their values, so that no pixel moves. */
export async function cleanTiff(source: PictureSource): Promise<CleanPicture & { width: number; height: number }> {
  const header = Buffer.from(await source.read(0, 8))
  const order = byteOrderOf(header)
  if (!order) throw unreadablePicture()
  const patches: Patch[] = []
  let budget = { directories: maxDirectories, entries: maxEntries }
  const picture = { width: 0, height: 0, orientation: 1 }

  const readEntries = async (offset: number): Promise<Entry[]> => {
    const head = await source.read(offset, 2)
    const count = head.length < 2 ? maxEntries : order.uint16(head, 0)
    budget = { directories: budget.directories - 1, entries: budget.entries - count }
    const bytes = Buffer.from(await source.read(offset + 2, count * 12 + 4))
    if (budget.directories < 0 || budget.entries < 0 || bytes.length < count * 12 + 4) throw unreadablePicture()
    return Array.from({ length: count }, (_, index) => {
      const entry = bytes.subarray(index * 12, index * 12 + 12)
      const valueBytes = order.long(entry, 4) * (typeBytes[order.uint16(entry, 2)] ?? 8)
      const valueOffset = valueBytes > 4 ? order.long(entry, 8) : offset + 10 + index * 12
      return { tag: order.uint16(entry, 0), offset: offset + 2 + index * 12, bytes: entry, valueOffset, valueBytes }
    })
  }
  const erase = (offset: number, length: number): void => {
    const end = Math.min(offset + length, source.size)
    if (end > offset) patches.push({ offset, part: { zeros: end - offset } })
  }
  const eraseValue = async (entry: Entry): Promise<void> => {
    if (directories.has(entry.tag)) {
      const offsets = await source.read(entry.valueOffset, Math.min(entry.valueBytes, 4 * maxDirectories))
      for (let offset = 0; offset + 4 <= offsets.length; offset += 4) await eraseDirectory(order.long(offsets, offset))
    }
    if (entry.valueBytes > 4) erase(entry.valueOffset, entry.valueBytes)
  }
  const eraseDirectory = async (offset: number): Promise<void> => {
    const entries = await readEntries(offset)
    for (const entry of entries) await eraseValue(entry)
    erase(offset, entries.length * 12 + 6)
  }

  for (let offset = order.long(header, 4), isFirst = true; offset !== 0; isFirst = false) {
    const entries = await readEntries(offset)
    const keptEntries = entries.filter(({ tag }) => keptTags.has(tag))
    const next = Buffer.from(await source.read(offset + 2 + entries.length * 12, 4))
    const directory = Buffer.alloc(entries.length * 12 + 6)
    Buffer.from(await source.read(offset, 2)).copy(directory)
    // Counts below 2^16 in the byte order of the file.
    if (header[0] === 0x49) directory.writeUInt16LE(keptEntries.length)
    else directory.writeUInt16BE(keptEntries.length)
    for (const [index, { bytes }] of keptEntries.entries()) bytes.copy(directory, 2 + index * 12)
    next.copy(directory, 2 + keptEntries.length * 12)
    patches.push({ offset, part: directory })
    for (const entry of entries) if (!keptTags.has(entry.tag)) await eraseValue(entry)
    if (isFirst)
      for (const { tag, bytes } of entries) {
        const value = order.uint16(bytes, 2) === 3 ? order.uint16(bytes, 8) : order.long(bytes, 8)
        if (tag === 256) picture.width = value
        if (tag === 257) picture.height = value
        if (tag === orientationTag) picture.orientation = value
      }
    offset = order.long(next, 0)
  }
  return { ...picture, parts: applyPatches(source, patches) }
}
