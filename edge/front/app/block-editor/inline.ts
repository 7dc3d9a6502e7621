import { DOMParser, DOMSerializer, type Fragment, type TagParseRule } from 'prosemirror-model'
import { readHtml } from '../platform/trusted.ts'
import { schema } from './schema.ts'

/** Elements whose text isn't meant to be read. */
export const unreadElements = { tag: 'svg, math, iframe, noscript, object, template', ignore: true as const }

const isInline = ({ mark, node = '' }: TagParseRule): boolean => Boolean(mark ?? schema.nodes[node]?.isInline)
const rules = DOMParser.fromSchema(schema).rules.filter(rule => 'tag' in rule && isInline(rule as TagParseRule))
const parser = new DOMParser(schema, [unreadElements, ...rules])
const serializer = DOMSerializer.fromSchema(schema)

/** Reads a text as blocks store it: inline HTML, of which the known marks are kept. */
export function readInline(html: string): Fragment {
  const topNode = schema.nodes.paragraph.create()
  return parser.parse(readHtml(html.replace(/\s*\n\s*/g, ' ')), { topNode, preserveWhitespace: true }).content
}

/** The text of blocks as it is stored. */
export function writeInline(content: Fragment): string {
  const element = document.createElement('p')
  element.append(serializer.serializeFragment(content))
  return element.innerHTML
}
