import { Marked } from 'marked'
import { DOMParser, type ParseOptions, type Slice } from 'prosemirror-model'
import { readHtml } from '../platform/trusted.ts'
import { unreadElements } from './blocks.ts'
import type { BegunFile } from './files.ts'
import { schema } from './schema.ts'

const blockElements = 'p, div, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote, pre, table, tbody, tr'

type Root = Element | DocumentFragment
/** Begins to store a picture. */
type StorePicture = (picture: File | string) => BegunFile

const create = (tag: string, root: Root): HTMLElement => (root.ownerDocument ?? document).createElement(tag)

/** HTML without styles, which the page's policy refuses; those of elements are kept as `data-style`. */
export const withoutStyles = (html: string): string =>
  html.replace(/<style\b.*?<\/style>/gis, '').replace(/<[^>]*>/g, tag => tag.replace(/\sstyle\s*=/gi, ' data-style='))

const styledMarks = [
  [/(?<![\w-])font-weight:\s*(bold|[6-9]00)/i, 'b'],
  [/(?<![\w-])font-style:\s*italic/i, 'i'],
  [/text-decoration[^;]*:[^;]*line-through/i, 's'],
] as const

/** Turns styles into marks. Google Docs writes all marks as styles, and wraps what it copies in a light <b>. */
function rebuildMarks(root: Root): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    const style = element.dataset['style'] ?? ''
    for (const [pattern, tag] of styledMarks) {
      if (!pattern.test(style)) continue
      const mark = create(tag, root)
      mark.append(...element.childNodes)
      element.append(mark)
    }
    if (element.tagName === 'B' && /(?<![\w-])font-weight:\s*(normal|400)/i.test(style))
      element.replaceWith(...element.childNodes)
  }
}

/** Turns the paragraphs by which Word writes lists into lists. */
function rebuildWordLists(root: Root): void {
  let lists: Element[] = []
  let lastId: string | undefined
  for (const paragraph of root.querySelectorAll('p[data-style*="mso-list"]')) {
    const [, id, level] = /mso-list:\s*(\S+) level(\d)/.exec(paragraph.getAttribute('data-style') ?? '') ?? []
    const marker = paragraph.querySelector('[data-style*="mso-list:Ignore" i]')
    if (!id || !level) continue
    if (paragraph.previousElementSibling !== lists[0] || id !== lastId) lists = []
    lastId = id
    lists = lists.slice(0, Number(level))
    if (lists.length < Number(level)) {
      const list = create(/^\s*(\d+|[a-z]+)[.)]/i.test(marker?.textContent ?? '') ? 'ol' : 'ul', root)
      const item = lists.at(-1)?.lastElementChild
      if (item) item.append(list)
      else paragraph.before(list)
      lists.push(list)
    }
    marker?.remove()
    const item = create('li', root)
    item.append(...paragraph.childNodes)
    lists.at(-1)?.append(item)
    paragraph.remove()
  }
}

/** Leaves an element with text alone: its blocks become lines. */
function flatten(element: Element): void {
  for (const block of element.querySelectorAll(blockElements)) {
    if (block.nextElementSibling || block.nextSibling?.textContent?.trim()) block.after(create('br', element))
    block.replaceWith(...block.childNodes)
  }
}

/** Tables are stored without merged cells. A table in a table only places things on a page. */
function simplifyTables(root: Root): void {
  for (const table of root.querySelectorAll('table:has(table)'))
    table.replaceWith(...[...table.querySelectorAll(':scope > * > tr > *')].flatMap(cell => [...cell.childNodes]))
  for (const cell of root.querySelectorAll<HTMLTableCellElement>('td, th')) {
    flatten(cell)
    const { parentElement: row, colSpan, rowSpan } = cell
    const index = row ? [...row.children].indexOf(cell) : 0
    const isHead = row?.parentElement?.querySelector('tr') === row
    if (cell.tagName === 'TH' && !isHead) {
      const plain = create('td', root)
      plain.append(...cell.childNodes)
      cell.replaceWith(plain)
    }
    let next = row
    for (let rowOffset = 0; rowOffset < Math.min(rowSpan, 100); rowOffset++) {
      for (let columnOffset = rowOffset === 0 ? 1 : 0; columnOffset < Math.min(colSpan, 100); columnOffset++)
        next?.insertBefore(
          create(rowOffset === 0 && isHead ? cell.tagName : 'td', root),
          next.children[index + columnOffset] ?? null,
        )
      next = next?.nextElementSibling instanceof HTMLElement ? next.nextElementSibling : null
    }
  }
}

function rebuildQuotes(root: Root): void {
  for (const quote of root.querySelectorAll('blockquote:not(figure.quote > blockquote)')) {
    flatten(quote)
    const figure = create('figure', root)
    figure.className = 'quote'
    quote.replaceWith(figure)
    figure.append(quote)
  }
}

/** Bytes of the pictures in RTF: Word names those in its HTML by places on the person's disk. */
function picturesInRtf(rtf: string): File[] {
  return [
    ...rtf.matchAll(/\{\\pict(?:[^{}]|\{[^{}]*\})*?\\(png|jpeg)blip(?:[^{}]|\{[^{}]*\})*?\s([\da-f\s]{40,})\}/gi),
  ].map(
    ([, kind, digits = '']) =>
      new File(
        [Uint8Array.from(digits.match(/[\da-f]{2}/gi) ?? [], two => Number.parseInt(two, 16))],
        `picture.${kind}`,
        {
          type: `image/${kind}`,
        },
      ),
  )
}

function pictureInAddress(address: string): File | undefined {
  const [, type, base64 = ''] = /^data:(image\/[a-z+.-]+);base64,(.+)$/i.exec(address) ?? []
  if (!type) return undefined
  return new File([Uint8Array.from(atob(base64), char => char.charCodeAt(0))], `picture.${type.slice(6)}`, { type })
}

function rebuildPictures(root: Root, rtf: string, store: StorePicture): void {
  const wordPictures = picturesInRtf(rtf)
  for (const image of root.querySelectorAll('img:not(figure[data-block] img)')) {
    const address = image.getAttribute('src') ?? ''
    const outer = image.closest('figure') ?? image
    const picture = /^https?:/i.test(address)
      ? address
      : (pictureInAddress(address) ?? (/^file:/i.test(address) ? wordPictures.shift() : undefined))
    // Of one pixel: who sends such mails counts their readers.
    if (!picture || Number(image.getAttribute('width') ?? 9) < 3) {
      outer.remove()
      continue
    }
    const figure = create('figure', root)
    const { source, upload } = store(picture)
    figure.dataset['block'] = JSON.stringify(source)
    figure.dataset['upload'] = upload
    const caption = outer.querySelector('figcaption') ?? create('figcaption', root)
    flatten(caption)
    figure.append(caption)
    const paragraph = outer.closest('p')
    outer.replaceWith(figure)
    if (paragraph && !paragraph.textContent?.trim()) paragraph.before(figure)
  }
}

/** Blocks have their distance from each other. */
function removeEmptyLines(root: Root): void {
  for (const paragraph of root.querySelectorAll('p:not(:has(figure))'))
    if (!paragraph.textContent?.trim()) paragraph.remove()
  for (const line of root.querySelectorAll(
    `:is(${blockElements}, figure) + br, br:has(+ :is(${blockElements}, figure))`,
  ))
    line.remove()
  for (const code of root.querySelectorAll('pre')) code.textContent = code.textContent?.replace(/\n$/, '') ?? ''
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const markdown = new Marked({ breaks: true, renderer: { html: ({ text }) => escaped(text) } })

const markdownSigns = [
  /^ {0,3}(#{1,6}|[-*+]|\d+[.)]|>) \S/m,
  /^```|^\|.+\|\s*$/m,
  /(\*\*|__|~~)\S.*\1|\[[^\]]+\]\([^)\s]+\)|^https?:\/\/\S+$/,
]

/** Reads what was copied elsewhere: from Word, Google Docs, web pages and as Markdown. */
export class PasteParser extends DOMParser {
  /** Of what is being pasted. */
  rtf = ''
  readonly #store: StorePicture

  constructor(store: StorePicture) {
    super(schema, [unreadElements, ...DOMParser.fromSchema(schema).rules])
    this.#store = store
  }

  override parseSlice(root: Root, options?: ParseOptions): Slice {
    if (!root.querySelector('[data-pm-slice]')) {
      rebuildWordLists(root)
      rebuildMarks(root)
      simplifyTables(root)
      rebuildQuotes(root)
      rebuildPictures(root, this.rtf, this.#store)
      removeEmptyLines(root)
    }
    return super.parseSlice(root, options)
  }

  /** The blocks of a text that is written as Markdown; undefined for any other text. */
  parseMarkdown(text: string): Slice | undefined {
    if (!markdownSigns.some(sign => sign.test(text))) return undefined
    const root = document.createElement('div')
    root.append(readHtml(markdown.parse(text, { async: false })))
    return this.parseSlice(root)
  }
}
