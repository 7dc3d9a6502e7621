import { DOMParser, DOMSerializer, type Fragment, type Node, type NodeType, type TagParseRule } from 'prosemirror-model'
import { type BlockData, isRecord, listOf, textOf } from '../page/block-data.ts'
import { readHtml } from '../platform/trusted.ts'
import { type StoredBlock, schema, shownAddress, shownLevel } from './schema.ts'

/** A document of Editor.js, as pages store it. */
export type Content = Record<string, unknown>

const { nodes } = schema

/** Reads one kind of block; undefined for what this editor can't show. */
type Read = (data: BlockData, source: StoredBlock) => Node | undefined

const textNode = (type: NodeType, html: unknown) => type.create(null, readInline(textOf(html)))

const readHeading: Read = (data, source) =>
  nodes.heading.create({ source, level: shownLevel(data['level']) }, readInline(textOf(data['text'])))

const readQuote: Read = (data, source) =>
  nodes.quote.create({ source }, [
    textNode(nodes.quoteText, data['text']),
    textNode(nodes.quoteSource, data['caption']),
  ])

const readCallout: Read = (data, source) =>
  nodes.callout.create({ source }, [
    textNode(nodes.calloutTitle, data['title']),
    textNode(nodes.calloutText, data['message']),
  ])

const readList: Read = (data, source) => {
  const items = readItems(data['items'])
  const style =
    source.type === 'checklist' || data['style'] === 'checklist'
      ? 'checklist'
      : data['style'] === 'ordered'
        ? 'ordered'
        : 'unordered'
  const { meta } = data
  const start = isRecord(meta) && typeof meta['start'] === 'number' ? meta['start'] : 1
  return items.length > 0 ? nodes.list.create({ source, style, start }, items) : undefined
}

/** Items as all versions of the list blocks write them: texts, `{text, checked}` or `{content, items, meta}`. */
function readItems(value: unknown): Node[] {
  return listOf(value).map(source => {
    if (!isRecord(source)) return nodes.item.create({ source }, textNode(nodes.paragraph, source))
    const { meta } = source
    const isDone = source['checked'] === true || (isRecord(meta) && meta['checked'] === true)
    const text = textNode(nodes.paragraph, source['content'] ?? source['text'])
    const items = readItems(source['items'])
    return nodes.item.create({ source, isDone }, items.length > 0 ? [text, nodes.list.create(null, items)] : text)
  })
}

const readTable: Read = (data, source) => {
  const rows = listOf(data['content']).map(row => listOf(row))
  const width = Math.max(0, ...rows.map(row => row.length))
  // An empty place is what a shorter row has there.
  if (width === 0 || !rows.flat().every(text => typeof text === 'string')) return undefined
  const hasHead = data['withHeadings'] === true
  return nodes.table.create(
    { source },
    rows.map((row, index) =>
      nodes.row.create(
        null,
        Array.from({ length: width }, (_, column) =>
          textNode(hasHead && index === 0 ? nodes.headCell : nodes.cell, row[column]),
        ),
      ),
    ),
  )
}

const readFigure: Read = (data, source) =>
  shownAddress(source) ? nodes.figure.create({ source }, readInline(textOf(data['caption']))) : undefined

/** Names of files, films and posts have no marks. */
const readCard: Read = (data, source) => {
  if (!shownAddress(source)) return undefined
  const { file, meta } = data
  const name =
    source.type === 'embed'
      ? data['caption']
      : source.type === 'linkTool'
        ? isRecord(meta) && meta['title']
        : data['title'] || (isRecord(file) && (file['title'] ?? file['name']))
  return nodes.card.create({ source }, plainText(readInline(textOf(name))))
}

/** A text without its marks. */
const plainText = (content: Fragment): Node | null => {
  const text = content.textBetween(0, content.size)
  return text === '' ? null : schema.text(text)
}

const readers: Record<string, Read> = {
  paragraph: (data, source) => nodes.paragraph.create({ source }, readInline(textOf(data['text']))),
  header: readHeading,
  heading: readHeading,
  list: readList,
  nestedList: readList,
  checklist: readList,
  quote: readQuote,
  warning: readCallout,
  alert: readCallout,
  code: (data, source) =>
    nodes.code.create({ source }, textOf(data['code']) === '' ? null : schema.text(textOf(data['code']))),
  delimiter: (_data, source) => nodes.divider.create({ source }),
  image: readFigure,
  simpleImage: readFigure,
  video: readFigure,
  embed: readCard,
  linkTool: readCard,
  attaches: readCard,
  table: readTable,
}

function readBlock(source: unknown): Node {
  const type = isRecord(source) && typeof source['type'] === 'string' ? source['type'] : ''
  const data = isRecord(source) && isRecord(source['data']) ? source['data'] : {}
  const node = Object.hasOwn(readers, type) ? readers[type]?.(data, { ...(source as StoredBlock), data }) : undefined
  return node ? node.type.create({ ...node.attrs, source }, node.content) : nodes.other.create({ source })
}

/** The document of the editor for stored content. It ends with a paragraph to write on in. */
export function readContent(content: Content | null): Node {
  const blocks = listOf(content?.['blocks']).map(readBlock)
  return nodes.doc.create(
    null,
    blocks.at(-1)?.type === nodes.paragraph ? blocks : [...blocks, nodes.paragraph.create()],
  )
}

/** Type and data of a block that was edited; `previous` is its block before, with empty data for a new one. */
type Write = (node: Node, previous: StoredBlock) => { type: string; data: BlockData }

const htmlIn = (node: Node, index: number): string => writeInline(node.child(index).content)

function writeList(node: Node, { type, data }: StoredBlock): { type: string; data: BlockData } {
  const { style, start } = node.attrs
  const isFlatForm = type === 'checklist' && style === 'checklist'
  let hasRecords = style === 'checklist'
  node.descendants(({ type, attrs }, _position, parent) => {
    if (isRecord(attrs['source']) || (type === nodes.list && parent !== node)) hasRecords = true
  })
  const writeItem = (item: Node): unknown => {
    const { isDone, source } = item.attrs
    const content = htmlIn(item, 0)
    if (!isFlatForm && !hasRecords) return content
    const previous = isRecord(source) ? source : {}
    const nestedList = item.maybeChild(1)
    const items = nestedList ? nestedList.children.map(writeItem) : []
    if (isFlatForm) return { ...previous, text: content, checked: isDone, ...(items.length > 0 ? { items } : {}) }
    const { text: _text, checked: _checked, ...rest } = previous
    const meta = {
      ...(isRecord(previous['meta']) ? previous['meta'] : {}),
      ...(style === 'checklist' ? { checked: isDone } : {}),
    }
    return { ...rest, content, meta, items }
  }
  const meta = start === 1 ? {} : { meta: { ...(isRecord(data['meta']) ? data['meta'] : {}), start } }
  const items = node.children.map(writeItem)
  if (isFlatForm) return { type, data: { items } }
  return { type: type === 'checklist' ? 'list' : type, data: { style: style ?? 'unordered', items, ...meta } }
}

const writers: Record<string, Write> = {
  paragraph: ({ content }) => ({ type: 'paragraph', data: { text: writeInline(content) } }),
  heading: ({ content, attrs }, { data }) => {
    const level: unknown =
      shownLevel(data['level']) === attrs['level'] ? (data['level'] ?? attrs['level']) : attrs['level']
    return { type: 'header', data: { text: writeInline(content), level } }
  },
  list: writeList,
  quote: (node, { data }) => ({
    type: 'quote',
    data: { text: htmlIn(node, 0), caption: htmlIn(node, 1), alignment: data['alignment'] ?? 'left' },
  }),
  callout: node => ({ type: 'warning', data: { title: htmlIn(node, 0), message: htmlIn(node, 1) } }),
  code: ({ textContent }) => ({ type: 'code', data: { code: textContent } }),
  divider: () => ({ type: 'delimiter', data: {} }),
  figure: ({ content }) => ({ type: 'image', data: { caption: writeInline(content) } }),
  card: ({ content }, { type, data }) => {
    const name = writeInline(content)
    if (type === 'linkTool')
      return { type, data: { meta: { ...(isRecord(data['meta']) ? data['meta'] : {}), title: name } } }
    return { type, data: { [type === 'embed' ? 'caption' : 'title']: name } }
  },
  table: node => ({
    type: 'table',
    data: {
      withHeadings: node.firstChild?.children.every(({ type }) => type === nodes.headCell) ?? false,
      content: node.children.map(row => row.children.map(({ content }) => writeInline(content))),
    },
  }),
}

const writtenBlocks = new WeakMap<Node, unknown>()

/** A block as it is stored: as it was, unless it was edited. */
function writeBlock(node: Node): unknown {
  if (!writtenBlocks.has(node)) writtenBlocks.set(node, writtenBlock(node))
  return writtenBlocks.get(node)
}

function writtenBlock(node: Node): unknown {
  const source: unknown = node.attrs['source']
  if (node.type === nodes.other || (source !== null && readBlock(source).eq(node))) return source
  const previous = isRecord(source) ? source : {}
  const previousData = isRecord(previous['data']) ? previous['data'] : {}
  const type = typeof previous['type'] === 'string' ? previous['type'] : undefined
  const block = writers[node.type.name]?.(node, { type: type ?? 'list', data: previousData })
  const isKept = node.type !== nodes.list && type !== undefined
  return { ...previous, type: isKept ? type : block?.type, data: { ...previousData, ...block?.data } }
}

/** The content with the blocks of a document. Empty paragraphs at its end are left out, and files that aren't stored. */
export function writeContent(content: Content | null, doc: Node): Content {
  const last = doc.children.findLastIndex(({ type, content }) => type !== nodes.paragraph || content.size > 0)
  const ids = new Set<unknown>()
  const blocks = doc.children.slice(0, last + 1).flatMap(node => {
    if (node.attrs['upload'] && !shownAddress(node.attrs['source'])) return []
    const block = writeBlock(node)
    if (!isRecord(block) || block['id'] === undefined) return [block]
    const { id, ...rest } = block
    // Half of a block that was divided.
    if (ids.has(id)) return [rest]
    ids.add(id)
    return [block]
  })
  return { ...content, blocks }
}

/** Elements whose text isn't meant to be read. */
export const unreadElements = { tag: 'svg, math, iframe, noscript, object, template', ignore: true as const }

const isInline = ({ mark, node = '' }: TagParseRule): boolean => Boolean(mark ?? schema.nodes[node]?.isInline)
const rules = DOMParser.fromSchema(schema).rules.filter(rule => 'tag' in rule && isInline(rule as TagParseRule))
const parser = new DOMParser(schema, [unreadElements, ...rules])
const serializer = DOMSerializer.fromSchema(schema)

/** Reads a text as blocks store it: inline HTML, of which the known marks are kept. */
function readInline(html: string): Fragment {
  const topNode = schema.nodes.paragraph.create()
  return parser.parse(readHtml(html.replace(/\s*\n\s*/g, ' ')), { topNode, preserveWhitespace: true }).content
}

/** The text of blocks as it is stored. */
function writeInline(content: Fragment): string {
  const element = document.createElement('p')
  element.append(serializer.serializeFragment(content))
  return element.innerHTML
}
