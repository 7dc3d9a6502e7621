/** A block as Editor.js stores it. Keys that this editor doesn't know, such as `id` and `tunes`, are kept. */
export type Block = { type: string; data: Record<string, unknown>; [key: string]: unknown }

/** A block in the editor. `key` names it while the page is edited. */
export type Entry = { key: string; block: Block /** What isn't a block, kept as it was. */; raw?: unknown }

/** Document of the block editor, as pages store it. */
export type Content = Record<string, unknown>

export type Kind =
  | 'paragraph'
  | 'header'
  | 'subheader'
  | 'bullets'
  | 'numbers'
  | 'quote'
  | 'image'
  | 'attaches'
  | 'delimiter'
  | 'code'
  /** Written by another client: shown, kept, moved and removed, but not edited. */
  | 'other'

let entryCount = 0
export const newEntry = (block: Block): Entry => ({ key: `block-${++entryCount}`, block })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The blocks of a document; one empty paragraph for an empty document. */
export function readBlocks(content: Content | null): Entry[] {
  const blocks: unknown = content?.['blocks']
  const entries = (Array.isArray(blocks) ? blocks : []).map((raw: unknown): Entry => {
    if (isRecord(raw) && typeof raw['type'] === 'string')
      return newEntry({ ...raw, type: raw['type'], data: isRecord(raw['data']) ? raw['data'] : {} })
    return { ...newEntry({ type: '', data: {} }), raw }
  })
  return entries.length > 0 ? entries : [newEntry(blockOf('paragraph'))]
}

/** The document with these blocks; empty paragraphs at its end are left out. */
export function writeBlocks(content: Content | null, entries: Entry[]): Content {
  const last = entries.findLastIndex(
    ({ block }) => !(kindOf(block) === 'paragraph' && textOf(block.data['text']) === ''),
  )
  return {
    ...content,
    blocks: entries.slice(0, last + 1).map(entry => ('raw' in entry ? entry.raw : entry.block)),
  }
}

export function kindOf({ type, data }: Block): Kind {
  if (type === 'paragraph' || type === 'quote') return type
  if (type === 'header') return typeof data['level'] === 'number' && data['level'] > 2 ? 'subheader' : 'header'
  if (type === 'list' && itemsAreFlat(data)) return data['style'] === 'ordered' ? 'numbers' : 'bullets'
  if (type === 'image' || type === 'attaches') return addressIn(data) ? type : 'other'
  if (type === 'delimiter') return type
  if (type === 'code' && typeof data['code'] === 'string') return type
  return 'other'
}

const addressIn = ({ file, url }: Record<string, unknown>): string => textOf(isRecord(file) ? file['url'] : url)

/** Address of the file of a picture or an attachment. */
export const fileAddress = ({ data }: Block): string => addressIn(data)

/** Nested lists and checklists are left to the clients that wrote them. */
function itemsAreFlat({ style, items }: Record<string, unknown>): boolean {
  if (style === 'checklist' || !Array.isArray(items)) return false
  return items.every(
    (item: unknown) =>
      typeof item === 'string' ||
      (isRecord(item) &&
        typeof item['content'] === 'string' &&
        !(Array.isArray(item['items']) && item['items'].length)),
  )
}

/** Texts of a flat list's items. */
export function itemsOf({ data }: Block): string[] {
  const items = Array.isArray(data['items']) ? (data['items'] as unknown[]) : []
  return items.map(item => textOf(isRecord(item) ? item['content'] : item))
}

/** The list with other texts, in the form that its items had. */
export function withItems(block: Block, texts: string[]): Block {
  const items = Array.isArray(block.data['items']) ? (block.data['items'] as unknown[]) : []
  const isNested = isRecord(items[0])
  return {
    ...block,
    data: { ...block.data, items: texts.map(text => (isNested ? { content: text, meta: {}, items: [] } : text)) },
  }
}

export const withData = (block: Block, data: Record<string, unknown>): Block => ({
  ...block,
  data: { ...block.data, ...data },
})

export function blockOf(kind: Exclude<Kind, 'other' | 'image' | 'attaches'>, text = ''): Block {
  if (kind === 'header' || kind === 'subheader')
    return { type: 'header', data: { text, level: kind === 'header' ? 2 : 3 } }
  if (kind === 'bullets' || kind === 'numbers')
    return { type: 'list', data: { style: kind === 'numbers' ? 'ordered' : 'unordered', items: [text] } }
  if (kind === 'quote') return { type: 'quote', data: { text, caption: '', alignment: 'left' } }
  if (kind === 'delimiter') return { type: 'delimiter', data: {} }
  if (kind === 'code') return { type: 'code', data: { code: text } }
  return { type: 'paragraph', data: { text } }
}

/** Kinds whose text goes over into another one. */
export const textKinds = ['paragraph', 'header', 'subheader', 'bullets', 'numbers', 'quote'] as const
export type TextKind = (typeof textKinds)[number]
export const isTextKind = (kind: Kind): kind is TextKind => textKinds.some(one => one === kind)

/** A text block as another kind. A list becomes one block for each item, paragraphs become a list. */
export function turnInto({ key, block }: Entry, kind: TextKind): Entry[] {
  const from = kindOf(block)
  if (from === kind) return [{ key, block }]
  const isList = from === 'bullets' || from === 'numbers'
  if (isList && (kind === 'bullets' || kind === 'numbers'))
    return [{ key, block: withData(block, { style: kind === 'numbers' ? 'ordered' : 'unordered' }) }]
  const texts = isList ? itemsOf(block) : [textOf(block.data['text'])]
  const [first = '', ...more] = texts
  return [{ key, block: blockOf(kind, first) }, ...more.map(text => newEntry(blockOf(kind, text)))]
}
