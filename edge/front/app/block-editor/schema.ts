import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { addressIn, type BlockData, isRecord, textOf } from '../page/block-data.ts'
import { pictureAttributes } from '../page/pictures.ts'
import { fileAddress, linkAddress, pictureAddress } from '../platform/addresses.ts'
import { fill, textsOf } from '../platform/texts.ts'
import { type IconName, outlines } from '../ui/icon.tsx'

/** A block as pages store it. Keys that this editor doesn't know, such as `id` and `tunes`, are kept. */
export type StoredBlock = { type: string; data: BlockData; [key: string]: unknown }

/** Address of what a stored picture, film, embed or file shows; undefined when it can't be shown. */
export function shownAddress({ type, data }: StoredBlock): string | undefined {
  if (type === 'image' || type === 'simpleImage') return pictureAddress(addressIn(data))
  if (type === 'embed') return fileAddress(data['source']) ?? fileAddress(data['embed'])
  return fileAddress(type === 'linkTool' ? data['link'] : addressIn(data))
}

/** The level at which the reader shows a heading. */
export const shownLevel = (level: unknown): number => Math.min(Math.max(Number(level) || 2, 2), 4)

const icon = (name: IconName): DOMOutputSpec => [
  'http://www.w3.org/2000/svg svg',
  { class: 'icon', width: '20', height: '20', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
  ['http://www.w3.org/2000/svg path', { d: outlines[name] }],
]

/** `source` is the block as it is stored, which is written unchanged until the block is edited. */
const block = (spec: NodeSpec): NodeSpec => ({
  group: 'block',
  ...spec,
  attrs: { source: { default: null }, ...spec.attrs },
})

/** A text within a block: Enter leaves it. */
const part = (tag: string, spec: Partial<NodeSpec> & { class?: string; placeholder?: 'source' | 'calloutTitle' }) => ({
  content: 'inline*',
  defining: true,
  isPart: true,
  parseDOM: [{ tag: spec.class ? `${tag}.${spec.class}` : tag, priority: 60, ...spec.parseDOM?.[0] }],
  toDOM: (): DOMOutputSpec => [
    tag,
    {
      dir: 'auto',
      class: spec.class,
      'data-placeholder': spec.placeholder && textsOf('block-editor/schema')[spec.placeholder],
    },
    0,
  ],
})

/** The stored block that a copied element carries. */
function carriedBlock(element: HTMLElement): unknown {
  try {
    return JSON.parse(element.dataset['block'] ?? '')
  } catch {
    return undefined
  }
}
const carriedFile = (element: HTMLElement) => {
  const source = carriedBlock(element)
  const { upload = null } = element.dataset
  if (!isRecord(source) || !isRecord(source['data'])) return false
  return upload !== null || shownAddress(source as StoredBlock) ? { source, upload } : false
}

const cell = (tag: 'td' | 'th', role: string): NodeSpec => ({
  content: 'inline*',
  isolating: true,
  tableRole: role,
  attrs: { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
  parseDOM: [{ tag }],
  toDOM: () => [tag, { dir: 'auto', scope: tag === 'th' ? 'col' : undefined }, 0],
})

/** A box of a list that another program wrote. */
const foreignCheck = 'li[role=checkbox], input[type=checkbox]:not([contenteditable])'

const nodes = {
  doc: { content: 'block+' },
  paragraph: block({
    content: 'inline*',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', { dir: 'auto' }, 0],
  }),
  heading: block({
    content: 'inline*',
    defining: true,
    attrs: { level: { default: 2 } },
    parseDOM: [
      ...[1, 2, 3, 4, 5, 6].map(level => ({ tag: `h${level}`, attrs: { level: shownLevel(level) } })),
      { tag: 'p.MsoTitle', priority: 60 },
    ],
    toDOM: ({ attrs }) => [`h${attrs['level']}`, { dir: 'auto' }, 0],
  }),
  /** `style` is null within another list, whose style it has. */
  list: block({
    content: 'item+',
    attrs: { style: { default: null }, start: { default: 1 } },
    parseDOM: [
      {
        tag: 'ul, ol',
        getAttrs: element => ({
          style: element.parentElement?.closest('li')
            ? null
            : element.matches('.checks') || element.querySelector(foreignCheck)
              ? 'checklist'
              : element.tagName === 'OL'
                ? 'ordered'
                : 'unordered',
          start: Number(element.getAttribute('start')) || 1,
        }),
      },
    ],
    toDOM: ({ attrs: { style, start } }) =>
      style === 'ordered'
        ? ['ol', { start: start === 1 ? null : start }, 0]
        : ['ul', { class: style === 'checklist' ? 'checks' : null }, 0],
  }),
  item: {
    content: 'paragraph list?',
    defining: true,
    attrs: { isDone: { default: false }, source: { default: null } },
    parseDOM: [
      {
        tag: 'li',
        getAttrs: element => ({
          isDone: element.matches('[aria-checked=true], :has(> input[checked], > p > input[checked])'),
        }),
      },
    ],
    toDOM: ({ attrs: { isDone } }) => [
      'li',
      [
        'input',
        {
          type: 'checkbox',
          contenteditable: 'false',
          tabindex: '-1',
          'aria-label': textsOf('block-editor/schema').done,
          checked: isDone ? '' : null,
        },
      ],
      ['div', 0],
    ],
  },
  quote: block({
    content: 'quoteText quoteSource',
    defining: true,
    isolating: true,
    parseDOM: [{ tag: 'figure.quote', priority: 60 }],
    toDOM: () => ['figure', { class: 'quote' }, 0],
  }),
  quoteText: part('blockquote', {}),
  quoteSource: part('figcaption', { placeholder: 'source', parseDOM: [{ tag: 'figcaption', context: 'quote/' }] }),
  callout: block({
    content: 'calloutTitle calloutText',
    defining: true,
    isolating: true,
    parseDOM: [{ tag: 'div.callout' }],
    toDOM: () => ['div', { class: 'callout', role: 'note' }, icon('warning'), ['div', 0]],
  }),
  calloutTitle: part('p', { class: 'callout-title', placeholder: 'calloutTitle' }),
  calloutText: part('p', { class: 'callout-text' }),
  code: block({
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', { dir: 'ltr', spellcheck: 'false' }, ['code', 0]],
  }),
  divider: block({ parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] }),
  /** A picture or film with its caption. `upload` is the name of an upload that goes on. */
  figure: block({
    content: 'inline*',
    isPart: true,
    isolating: true,
    draggable: true,
    attrs: { upload: { default: null } },
    parseDOM: [{ tag: 'figure[data-block]', getAttrs: carriedFile, contentElement: 'figcaption', priority: 60 }],
    toDOM: ({ attrs: { source, upload } }) => {
      const src = shownAddress(source) ?? source.data.preview
      const media =
        source.type === 'video'
          ? ['video', { src, controls: '', preload: 'metadata' }]
          : ['img', { ...pictureAttributes(source.data), src, alt: '' }]
      return [
        'figure',
        {
          class: source.data.stretched === true ? 'stretched' : null,
          'data-block': upload ? null : JSON.stringify(source),
        },
        media,
        ['figcaption', { dir: 'auto', 'data-placeholder': textsOf('block-editor/schema').caption }, 0],
      ]
    },
  }),
  /** A file, or a film or post of another site, with its name. */
  card: block({
    content: 'text*',
    isPart: true,
    marks: '',
    isolating: true,
    draggable: true,
    attrs: { upload: { default: null } },
    parseDOM: [{ tag: 'div.outside[data-block]', getAttrs: carriedFile, contentElement: '.card-name', priority: 60 }],
    toDOM: ({ attrs: { source } }) => {
      const address = shownAddress(source)
      const host = address && new URL(address).host
      return [
        'div',
        { class: 'outside', 'data-block': JSON.stringify(source) },
        [
          'div',
          icon(source.type === 'attaches' ? 'file' : 'link'),
          ['span', { class: 'card-name', dir: 'auto', 'data-placeholder': host }, 0],
          ...(host && source.type !== 'attaches' ? [['small', { contenteditable: 'false' }, host]] : []),
        ],
      ] as DOMOutputSpec
    },
  }),
  table: block({
    content: 'row+',
    isolating: true,
    tableRole: 'table',
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['div', { class: 'table-box' }, ['table', ['tbody', 0]]],
  }),
  row: { content: '(cell | headCell)*', tableRole: 'row', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
  cell: cell('td', 'cell'),
  headCell: cell('th', 'header_cell'),
  /** What this editor can't show: kept as it is stored. */
  other: block({
    draggable: true,
    parseDOM: [{ tag: 'div.still[data-block]', getAttrs: element => ({ source: carriedBlock(element) ?? null }) }],
    toDOM: ({ attrs: { source } }) => [
      'div',
      { class: 'still', 'data-block': JSON.stringify(source) },
      fill(textsOf('block-editor/schema').other, { type: (isRecord(source) && textOf(source['type'])) || '?' }),
    ],
  }),
  text: { group: 'inline' },
  break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    leafText: () => '\n',
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  /** A colleague, who is notified when the page is published. */
  mention: {
    group: 'inline',
    inline: true,
    attrs: { memberId: {}, name: {} },
    leafText: ({ attrs }) => `@${attrs['name']}`,
    parseDOM: [
      {
        tag: 'span[data-member]',
        getAttrs: element => ({ memberId: element.dataset['member'], name: element.textContent?.replace(/^@/, '') }),
      },
    ],
    toDOM: ({ attrs: { memberId, name } }) => ['span', { class: 'mention', 'data-member': memberId }, `@${name}`],
  },
} satisfies Record<string, NodeSpec>

/** A mark with the class that Editor.js gives its own tools. */
const mark = (tag: string, otherTags?: string): MarkSpec => ({
  attrs: { class: { default: null } },
  parseDOM: [
    { tag, getAttrs: element => ({ class: /^[\w-]+$/.exec(element.className)?.[0] ?? null }) },
    ...(otherTags ? [{ tag: otherTags }] : []),
  ],
  toDOM: ({ attrs }) => [tag, { class: attrs['class'] }, 0],
})

const marks = {
  link: {
    attrs: { href: {} },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: element => {
          const href = linkAddress(element.getAttribute('href') ?? '')
          return href === undefined ? false : { href }
        },
      },
    ],
    toDOM: ({ attrs }) => ['a', { href: attrs['href'] }, 0],
  },
  bold: mark('b', 'strong'),
  italic: mark('i', 'em'),
  underline: mark('u'),
  strike: mark('s', 'del, strike'),
  highlight: mark('mark'),
  inlineCode: mark('code'),
} satisfies Record<string, MarkSpec>

/** Documents of the editor: a node for each kind of block, with the same elements as the reader. */
export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks })
