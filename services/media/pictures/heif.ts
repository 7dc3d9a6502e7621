import { invalid } from '../../kernel/base/errors.ts'
import { type CleanPicture, type Patch, patched, type Source } from './parts.ts'

/** Boxes of a file that hold the picture; others hold films, previews and what programs add. */
const kept = new Set(['ftyp', 'meta', 'mdat', 'moov', 'mini', 'free', 'skip'])
const foreign = new Set(['udta', 'uuid', 'meta'])
const metadataItems = new Set(['Exif', 'mime', 'uri '])
const [maxBoxes, maxMetaBytes] = [1_000, 2_000_000]

const unreadable = () =>
  invalid('file', 'is a picture whose place and device can not be removed, because its structure is damaged', 'picture')

/** A box, its content from `from` up to `to`. */
type Box = { type: string; at: number; from: number; to: number }
type Extent = { at: number; length: number }
type Range = { from: number; to: number }

/** AVIF and HEIC. Zeros are written over metadata and thumbnails, so that no pixel moves. */
export async function cleanHeif(source: Source): Promise<CleanPicture> {
  const patches: Patch[] = []
  for (const box of await boxesOf(source, { from: 0, to: source.size })) {
    if (!kept.has(box.type)) patches.push(...freed(box))
    if (box.type === 'moov') patches.push(...(await cleanMovie(source, box)))
    if (box.type !== 'meta') continue
    if (box.to - box.at > maxMetaBytes) throw unreadable()
    try {
      const bytes = Buffer.from(await source.read(0, box.to))
      patches.push(...cleanItems(bytes, { ...box, from: box.from + 4 }))
    } catch (error) {
      if (error instanceof RangeError) throw unreadable()
      throw error
    }
  }
  // The picture's own turn is a property of it, which every decoder applies.
  return { parts: patched(source, patches), orientation: 1 }
}

async function boxesOf(source: Source, { from, to }: Range): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const box = boxAt(await source.read(at, 16), at, 0, to)
    // A truncated picture is stored as it is.
    if (!box || boxes.push(box) > maxBoxes) break
    at = box.to
  }
  return boxes
}

/** The box whose head is at `start` of these bytes and at `at` of the file. */
function boxAt(bytes: Buffer, at: number, start: number, end: number): Box | undefined {
  if (bytes.length < start + 8) return undefined
  const short = bytes.readUInt32BE(start)
  const headBytes = short === 1 ? 16 : 8
  if (bytes.length < start + headBytes) return undefined
  const size = short === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? end - at : short
  if (size < headBytes) return undefined
  return {
    type: bytes.toString('latin1', start + 4, start + 8),
    at,
    from: at + headBytes,
    to: Math.min(at + size, end),
  }
}

const freed = ({ at, from, to }: Box): Patch[] => [
  { at: at + 4, part: Buffer.from('free') },
  { at: from, part: { zeros: to - from } },
]

async function cleanMovie(source: Source, movie: Range): Promise<Patch[]> {
  const boxes = await boxesOf(source, movie)
  const inside = await Promise.all(boxes.filter(({ type }) => type === 'trak').map(track => cleanMovie(source, track)))
  return [...boxes.filter(({ type }) => foreign.has(type)).flatMap(freed), ...inside.flat()]
}

/** Patches over the items of a meta box; `file` holds the file up to the box's end. */
function cleanItems(file: Buffer, meta: Range): Patch[] {
  const inside = (range: Range): Box[] => {
    const boxes: Box[] = []
    for (let at = range.from; at + 8 <= range.to; at = boxes.at(-1)?.to ?? range.to) {
      const box = boxAt(file, at, at, range.to)
      if (!box) break
      boxes.push(box)
    }
    return boxes
  }
  const boxes = inside(meta)
  const only = (type: string) => boxes.find(box => box.type === type)
  const [info, location, references, data] = [only('iinf'), only('iloc'), only('iref'), only('idat')]
  if (!info || !location) return []
  const extents = extentsOf(file, location.from, data?.from)
  const zeros = (id: number): Patch[] =>
    (extents.get(id) ?? []).map(({ at, length }) => ({ at, part: { zeros: length } }))
  const patches: Patch[] = []

  const entries = inside({ from: info.from + (file[info.from] === 0 ? 6 : 8), to: info.to }).map(box => {
    const isWide = file[box.from] === 3
    const id = isWide ? file.readUInt32BE(box.from + 4) : file.readUInt16BE(box.from + 4)
    const typeAt = box.from + (isWide ? 10 : 8)
    return { id, flagsAt: box.from + 3, type: file.toString('latin1', typeAt, typeAt + 4) }
  })
  for (const { id, type } of entries) {
    if (!metadataItems.has(type)) continue
    patches.push(...zeros(id))
    const [first] = extents.get(id) ?? []
    if (type !== 'Exif' || !first || first.length < emptyExif.length) continue
    // Strict decoders refuse a file with empty EXIF data.
    patches.pop()
    patches.push(
      { at: first.at, part: emptyExif },
      { at: first.at + emptyExif.length, part: { zeros: first.length - emptyExif.length } },
    )
  }
  if (!references) return patches
  const isWide = file[references.from] !== 0
  for (const { type, at, from } of inside({ from: references.from + 4, to: references.to })) {
    if (type !== 'thmb') continue
    const id = isWide ? file.readUInt32BE(from) : file.readUInt16BE(from)
    const entry = entries.find(each => each.id === id)
    patches.push({ at: at + 4, part: Buffer.from('free') }, ...zeros(id))
    // Without its reference the item would count as a picture, unless it is hidden.
    if (entry) patches.push({ at: entry.flagsAt, part: Buffer.from([(file[entry.flagsAt] ?? 0) | 1]) })
  }
  return patches
}

/** EXIF data of an item without any entry. */
const emptyExif = Buffer.from('\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1')

/** Where the bytes of each item are, by the content of the box that states it. */
function extentsOf(file: Buffer, start: number, dataAt: number | undefined): Map<number, Extent[]> {
  let at = start
  const number = (bytes: number): number => {
    at += bytes
    if (bytes === 0) return 0
    return bytes === 8 ? Number(file.readBigUInt64BE(at - 8)) : file.readUIntBE(at - bytes, bytes)
  }
  const version = number(1)
  number(3)
  const [offsetAndLength, baseAndIndex] = [number(1), number(1)]
  const idBytes = version < 2 ? 2 : 4
  const extents = new Map<number, Extent[]>()
  for (let left = number(idBytes); left > 0; left--) {
    const id = number(idBytes)
    const method = version === 0 ? 0 : number(2) & 15
    number(2)
    const base = number(baseAndIndex >> 4)
    const list: Extent[] = []
    for (let more = number(2); more > 0; more--) {
      if (version > 0) number(baseAndIndex & 15)
      const offset = number(offsetAndLength >> 4)
      const length = number(offsetAndLength & 15)
      const origin = method === 0 ? 0 : method === 1 ? dataAt : undefined
      if (origin === undefined) throw unreadable()
      list.push({ at: origin + base + offset, length })
    }
    extents.set(id, list)
  }
  return extents
}
