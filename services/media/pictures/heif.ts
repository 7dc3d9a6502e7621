import {
  applyPatches,
  type CleanPicture,
  type Patch,
  type PictureSource,
  stepCounter,
  unreadablePicture,
} from './parts.ts'

/** Boxes that hold the picture; others hold films, previews and additions of programs. */
const pictureBoxes = new Set(['ftyp', 'meta', 'mdat', 'moov', 'mini', 'free', 'skip'])
const foreignBoxes = new Set(['udta', 'uuid', 'meta'])
const metadataItems = new Set(['Exif', 'mime', 'uri '])
const maxMetaBytes = 2_000_000

/** A box, its content from `start` up to `to`. */
type Box = { type: string; offset: number; start: number; to: number }
type Extent = { offset: number; length: number }
type Range = { start: number; to: number }
/** Called for each box, item and extent. Throws when there are too many. */
type Step = ReturnType<typeof stepCounter>

/** AVIF and HEIC. Zeros are written over metadata and thumbnails, so that no pixel moves. */
export async function cleanHeif(source: PictureSource): Promise<CleanPicture> {
  const patches: Patch[] = []
  const step = stepCounter()
  const boxes = await boxesOf(source, { start: 0, to: source.size }, step)
  const meta = boxes.find(({ type }) => type === 'meta')
  for (const box of boxes) {
    if (box.type === 'moov') patches.push(...(await cleanMovie(source, box, step)))
    else if (box === meta) patches.push(...(await cleanMeta(source, box, step)))
    else if (!pictureBoxes.has(box.type) || box.type === 'meta') patches.push(...freeBox(box))
  }
  // The rotation stays: it is a property in the file that every decoder applies.
  return { parts: applyPatches(source, patches), orientation: 1 }
}

async function boxesOf(source: PictureSource, { start, to }: Range, step: Step): Promise<Box[]> {
  const boxes: Box[] = []
  for (let offset = start; offset + 8 <= to; ) {
    const box = boxAt(await source.read(offset, 16), offset, 0, to)
    // A truncated picture is stored as it is.
    if (!box) break
    step()
    boxes.push(box)
    offset = box.to
  }
  return boxes
}

/** The box whose head is at `start` of these bytes and at `offset` of the file. */
function boxAt(bytes: Buffer, offset: number, start: number, end: number): Box | undefined {
  if (bytes.length < start + 8) return undefined
  const shortSize = bytes.readUInt32BE(start)
  const headBytes = shortSize === 1 ? 16 : 8
  if (bytes.length < start + headBytes) return undefined
  const size = shortSize === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : shortSize === 0 ? end - offset : shortSize
  if (size < headBytes) return undefined
  return {
    type: bytes.toString('latin1', start + 4, start + 8),
    offset,
    start: offset + headBytes,
    to: Math.min(offset + size, end),
  }
}

const freeBox = ({ offset, start, to }: Box): Patch[] => [
  { offset: offset + 4, part: Buffer.from('free') },
  { offset: start, part: { zeros: to - start } },
]

/** Patches over the boxes of a film and of its tracks. */
async function cleanMovie(source: PictureSource, movie: Range, step: Step): Promise<Patch[]> {
  const boxes = await boxesOf(source, movie, step)
  for (const track of boxes.filter(({ type }) => type === 'trak')) boxes.push(...(await boxesOf(source, track, step)))
  return boxes.filter(({ type }) => foreignBoxes.has(type)).flatMap(freeBox)
}

async function cleanMeta(source: PictureSource, { offset, start, to }: Box, step: Step): Promise<Patch[]> {
  if (to - offset > maxMetaBytes) throw unreadablePicture()
  const bytes = await source.read(offset, to - offset)
  try {
    return cleanItems(bytes, { start: start - offset + 4, to: to - offset }, offset, step)
  } catch (error) {
    if (error instanceof RangeError) throw unreadablePicture()
    throw error
  }
}

/**
 * Patches over the items of a meta box.
 * @param bytes the bytes of the box
 * @param meta its content in them
 * @param metaOffset place of the box in the file
 */
function cleanItems(bytes: Buffer, meta: Range, metaOffset: number, step: Step): Patch[] {
  const childBoxes = (range: Range): Box[] => {
    const boxes: Box[] = []
    for (let offset = range.start; offset + 8 <= range.to; offset = boxes.at(-1)?.to ?? range.to) {
      const box = boxAt(bytes, offset, offset, range.to)
      if (!box) break
      step()
      boxes.push(box)
    }
    return boxes
  }
  const boxes = childBoxes(meta)
  const boxOf = (type: string) => boxes.find(box => box.type === type)
  const [info, location, references, data] = [boxOf('iinf'), boxOf('iloc'), boxOf('iref'), boxOf('idat')]
  if (!info || !location) return []
  const extents = extentsOf(bytes, location.start, data && metaOffset + data.start, step)
  const zeros = (id: number): Patch[] => {
    const itemExtents = extents.get(id) ?? []
    step(itemExtents.length)
    return itemExtents.map(({ offset, length }) => ({ offset, part: { zeros: length } }))
  }
  const patches: Patch[] = []

  const entries = childBoxes({ start: info.start + (bytes[info.start] === 0 ? 6 : 8), to: info.to }).map(box => {
    const isWide = bytes[box.start] === 3
    const id = isWide ? bytes.readUInt32BE(box.start + 4) : bytes.readUInt16BE(box.start + 4)
    const typeOffset = box.start + (isWide ? 10 : 8)
    return { id, flagsOffset: box.start + 3, type: bytes.toString('latin1', typeOffset, typeOffset + 4) }
  })
  const entriesById = new Map(entries.map(entry => [entry.id, entry]))
  for (const { id, type } of entries) {
    if (!metadataItems.has(type)) continue
    patches.push(...zeros(id))
    const [first] = extents.get(id) ?? []
    if (type !== 'Exif' || !first || first.length < emptyExif.length) continue
    // Strict decoders refuse a file with empty EXIF data.
    patches.pop()
    patches.push(
      { offset: first.offset, part: emptyExif },
      { offset: first.offset + emptyExif.length, part: { zeros: first.length - emptyExif.length } },
    )
  }
  if (!references) return patches
  const isWide = bytes[references.start] !== 0
  for (const { type, offset, start } of childBoxes({ start: references.start + 4, to: references.to })) {
    if (type !== 'thmb') continue
    const id = isWide ? bytes.readUInt32BE(start) : bytes.readUInt16BE(start)
    patches.push({ offset: metaOffset + offset + 4, part: Buffer.from('free') }, ...zeros(id))
    const { flagsOffset } = entriesById.get(id) ?? {}
    if (flagsOffset === undefined) continue
    // Without its reference the item would count as a picture, unless it is hidden.
    patches.push({ offset: metaOffset + flagsOffset, part: Buffer.from([(bytes[flagsOffset] ?? 0) | 1]) })
  }
  return patches
}

/** EXIF data of an item without any entry. */
const emptyExif = Buffer.from('\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1')

/**
 * Where the bytes of each item are in the file, by the content of the box that states it.
 * @param dataOffset place of the meta box's own data in the file
 */
function extentsOf(bytes: Buffer, start: number, dataOffset: number | undefined, step: Step): Map<number, Extent[]> {
  let offset = start
  const number = (width: number): number => {
    offset += width
    if (width === 0) return 0
    return width === 8 ? Number(bytes.readBigUInt64BE(offset - 8)) : bytes.readUIntBE(offset - width, width)
  }
  const version = number(1)
  number(3)
  const [offsetAndLength, baseAndIndex] = [number(1), number(1)]
  const idBytes = version < 2 ? 2 : 4
  const extents = new Map<number, Extent[]>()
  for (let items = number(idBytes); items > 0; items--) {
    step()
    const id = number(idBytes)
    const method = version === 0 ? 0 : number(2) & 15
    number(2)
    const base = number(baseAndIndex >> 4)
    const list: Extent[] = []
    for (let count = number(2); count > 0; count--) {
      step()
      if (version > 0) number(baseAndIndex & 15)
      const itemOffset = number(offsetAndLength >> 4)
      const length = number(offsetAndLength & 15)
      const origin = method === 0 ? 0 : method === 1 ? dataOffset : undefined
      if (origin === undefined) throw unreadablePicture()
      list.push({ offset: origin + base + itemOffset, length })
    }
    extents.set(id, list)
  }
  return extents
}
