import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

type Entry = { name: Buffer; crc: number; packed: number; size: number; offset: number }

const flags = 0x0808 // Sizes follow the data; names are UTF-8.
const method = 8
const date = 0x0021 // 1 January 1980: equal content gives an equal file.

function header(signature: number, fields: [size: 2 | 4, value: number][], name: Buffer): Buffer {
  const head = Buffer.alloc(4 + fields.reduce((total, [size]) => total + size, 0))
  head.writeUInt32LE(signature, 0)
  let at = 4
  for (const [size, value] of fields) at = size === 2 ? head.writeUInt16LE(value, at) : head.writeUInt32LE(value, at)
  return Buffer.concat([head, name])
}

/** Streams a zip archive of texts. Each text is compressed as it arrives; only the current part is in memory. */
export async function* zip(files: [name: string, text: AsyncIterable<string> | Iterable<string>][]) {
  const entries: Entry[] = []
  let offset = 0
  for (const [path, text] of files) {
    const entry: Entry = { name: Buffer.from(path), crc: 0, packed: 0, size: 0, offset }
    const head = header(0x04034b50, local(entry, true), entry.name)
    offset += head.length
    yield head
    for await (const part of deflate(text, entry)) {
      offset += part.length
      yield part
    }
    const tail = header(
      0x08074b50,
      [
        [4, entry.crc],
        [4, entry.packed],
        [4, entry.size],
      ],
      Buffer.alloc(0),
    )
    offset += tail.length
    yield tail
    entries.push(entry)
  }
  const start = offset
  for (const entry of entries) {
    const head = header(0x02014b50, central(entry), entry.name)
    offset += head.length
    yield head
  }
  const n = entries.length
  yield header(
    0x06054b50,
    [
      [2, 0],
      [2, 0],
      [2, n],
      [2, n],
      [4, offset - start],
      [4, start],
      [2, 0],
    ],
    Buffer.alloc(0),
  )
}

/** Compresses a text part by part and records its checksum and sizes. When the reader stops, the text is closed too. */
async function* deflate(text: AsyncIterable<string> | Iterable<string>, entry: Entry): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw()
  // An error in the text surfaces in the loop below.
  pipeline(Readable.from(counted(text, entry)), packer, () => undefined)
  for await (const part of packer) {
    const bytes = part as Buffer
    entry.packed += bytes.length
    yield bytes
  }
}

async function* counted(text: AsyncIterable<string> | Iterable<string>, entry: Entry): AsyncGenerator<Buffer> {
  for await (const part of text) {
    const bytes = Buffer.from(part)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

const sizes = ({ crc, packed, size }: Entry): [4, number][] => [
  [4, crc],
  [4, packed],
  [4, size],
]

const common = (entry: Entry, isLocal: boolean): [2 | 4, number][] => [
  [2, 20],
  [2, flags],
  [2, method],
  [2, 0],
  [2, date],
  ...(isLocal ? sizes({ ...entry, crc: 0, packed: 0, size: 0 }) : sizes(entry)),
  [2, entry.name.length],
  [2, 0],
]

const local = common
const central = (entry: Entry): [2 | 4, number][] => [
  [2, 20],
  ...common(entry, false),
  [2, 0],
  [2, 0],
  [2, 0],
  [4, 0],
  [4, entry.offset],
]
