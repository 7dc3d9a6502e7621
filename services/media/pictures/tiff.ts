import { invalid } from '../../kernel/base/errors.ts'
import { byteOrderOf, orientationTag } from './exif.ts'
import { type CleanPicture, type Patch, patched, type Source } from './parts.ts'

/** Tags that decide how a picture looks: its form, strips, tiles, colours and the colour profile. */
const kept = new Set([
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

const unreadable = () =>
  invalid('file', 'is a picture whose place and device can not be removed, because its structure is damaged', 'picture')

type Entry = { tag: number; at: number; bytes: Buffer; valueAt: number; valueBytes: number }

/** Rewrites directories without the other tags, and zeros over their values, so that no pixel moves. */
export async function cleanTiff(source: Source): Promise<CleanPicture & { width: number; height: number }> {
  const header = Buffer.from(await source.read(0, 8))
  const order = byteOrderOf(header)
  if (!order) throw unreadable()
  const patches: Patch[] = []
  let left = { directories: maxDirectories, entries: maxEntries }
  const picture = { width: 0, height: 0, orientation: 1 }

  const entriesAt = async (at: number): Promise<Entry[]> => {
    const head = await source.read(at, 2)
    const count = head.length < 2 ? maxEntries : order.short(head, 0)
    left = { directories: left.directories - 1, entries: left.entries - count }
    const all = Buffer.from(await source.read(at + 2, count * 12 + 4))
    if (left.directories < 0 || left.entries < 0 || all.length < count * 12 + 4) throw unreadable()
    return Array.from({ length: count }, (_, index) => {
      const bytes = all.subarray(index * 12, index * 12 + 12)
      const valueBytes = order.long(bytes, 4) * (typeBytes[order.short(bytes, 2)] ?? 8)
      const valueAt = valueBytes > 4 ? order.long(bytes, 8) : at + 10 + index * 12
      return { tag: order.short(bytes, 0), at: at + 2 + index * 12, bytes, valueAt, valueBytes }
    })
  }
  const erase = (at: number, length: number): void => {
    const end = Math.min(at + length, source.size)
    if (end > at) patches.push({ at, part: { zeros: end - at } })
  }
  const eraseValue = async (entry: Entry): Promise<void> => {
    if (directories.has(entry.tag)) {
      const offsets = await source.read(entry.valueAt, Math.min(entry.valueBytes, 4 * maxDirectories))
      for (let at = 0; at + 4 <= offsets.length; at += 4) await eraseDirectory(order.long(offsets, at))
    }
    if (entry.valueBytes > 4) erase(entry.valueAt, entry.valueBytes)
  }
  const eraseDirectory = async (at: number): Promise<void> => {
    const entries = await entriesAt(at)
    for (const entry of entries) await eraseValue(entry)
    erase(at, entries.length * 12 + 6)
  }

  for (let at = order.long(header, 4), isFirst = true; at !== 0; isFirst = false) {
    const entries = await entriesAt(at)
    const stays = entries.filter(({ tag }) => kept.has(tag))
    const next = Buffer.from(await source.read(at + 2 + entries.length * 12, 4))
    const written = Buffer.alloc(entries.length * 12 + 6)
    Buffer.from(await source.read(at, 2)).copy(written)
    // Counts below 2^16 in the byte order of the file.
    if (header[0] === 0x49) written.writeUInt16LE(stays.length)
    else written.writeUInt16BE(stays.length)
    for (const [index, { bytes }] of stays.entries()) bytes.copy(written, 2 + index * 12)
    next.copy(written, 2 + stays.length * 12)
    patches.push({ at, part: written })
    for (const entry of entries) if (!kept.has(entry.tag)) await eraseValue(entry)
    if (isFirst)
      for (const { tag, bytes } of entries) {
        const value = order.short(bytes, 2) === 3 ? order.short(bytes, 8) : order.long(bytes, 8)
        if (tag === 256) picture.width = value
        if (tag === 257) picture.height = value
        if (tag === orientationTag) picture.orientation = value
      }
    at = order.long(next, 0)
  }
  return { ...picture, parts: patched(source, patches) }
}
