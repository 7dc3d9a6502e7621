import { joinTextblockBackward } from 'prosemirror-commands'
import { Fragment, type Node } from 'prosemirror-model'
import { liftListItem } from 'prosemirror-schema-list'
import { type Command, type EditorState, NodeSelection, Selection, type Transaction } from 'prosemirror-state'
import { schema } from './schema.ts'

const { nodes } = schema

/** Kinds of blocks whose text goes over into another one. */
export const textKinds = [
  'paragraph',
  'header',
  'subheader',
  'bullets',
  'numbers',
  'checks',
  'quote',
  'callout',
  'code',
] as const
export type TextKind = (typeof textKinds)[number]

const listStyles: Partial<Record<TextKind, string>> = { bullets: 'unordered', numbers: 'ordered', checks: 'checklist' }

/** The kind of a block; undefined for one without a text that goes over. */
export function kindOf({ type, attrs }: Node): TextKind | undefined {
  if (type === nodes.heading) return attrs['level'] === 2 ? 'header' : 'subheader'
  if (type === nodes.list)
    return attrs['style'] === 'ordered' ? 'numbers' : attrs['style'] === 'checklist' ? 'checks' : 'bullets'
  return textKinds.find(kind => kind === type.name)
}

type SelectedBlocks = { blocks: Node[]; first: number; from: number; to: number }

/** The blocks that a selection touches. */
export function selectedBlocks({ selection: { $from, $to }, doc }: EditorState | Transaction): SelectedBlocks {
  const first = Math.min($from.index(0), doc.childCount - 1)
  const last = Math.max(first, $to.depth === 0 ? $to.index(0) - 1 : $to.index(0))
  return {
    blocks: doc.children.slice(first, last + 1),
    first,
    from: $from.posAtIndex(first, 0),
    to: $from.posAtIndex(last + 1, 0),
  }
}

const inlineOf = (text: string): Node[] =>
  text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [nodes.break.create()] : []),
      ...(line === '' ? [] : [schema.text(line)]),
    ])

/** Each text of a block, without the empty ones. */
function textsOf(block: Node): Fragment[] {
  const texts: Fragment[] = []
  const add = ({ type, content, textContent }: Node) =>
    texts.push(type === nodes.code ? Fragment.from(inlineOf(textContent)) : content)
  if (block.isTextblock) add(block)
  else block.descendants(node => void (node.isTextblock && add(node)))
  const writtenTexts = texts.filter(({ size }) => size > 0)
  return writtenTexts.length > 0 ? writtenTexts : [Fragment.empty]
}

function blockOf(kind: TextKind, text: Fragment): Node {
  if (kind === 'header' || kind === 'subheader') return nodes.heading.create({ level: kind === 'header' ? 2 : 3 }, text)
  if (kind === 'quote')
    return nodes.quote.create(null, [nodes.quoteText.create(null, text), nodes.quoteSource.create()])
  if (kind === 'callout')
    return nodes.callout.create(null, [nodes.calloutTitle.create(), nodes.calloutText.create(null, text)])
  if (kind === 'code') {
    const plainText = text.textBetween(0, text.size)
    return nodes.code.create(null, plainText === '' ? null : schema.text(plainText))
  }
  return nodes.paragraph.create(null, text)
}

/**
 * Turns the selected blocks into another kind. A list becomes one block for each item, several blocks become one list.
 * @returns whether their kinds allow it
 */
export function turnInto(tr: Transaction, kind: TextKind): boolean {
  const { blocks, from, to } = selectedBlocks(tr)
  const kinds = blocks.map(kindOf)
  if (kinds.includes(undefined)) return false
  const style = listStyles[kind]
  if (style && blocks.every(({ type }) => type === nodes.list)) {
    tr.doc.nodesBetween(from, to, ({ type }, position, parent) => {
      if (type === nodes.list && parent === tr.doc) tr.setNodeAttribute(position, 'style', style)
    })
    return true
  }
  if (kinds.every(one => one === kind)) return true
  const { $head } = tr.selection
  const texts = blocks.flatMap(textsOf)
  const textIndex = Math.max(0, texts.indexOf($head.parent.content))
  const list = () => {
    const items = texts.map(text => nodes.item.create(null, nodes.paragraph.create(null, text)))
    return [nodes.list.create({ style }, items)]
  }
  tr.replaceWith(from, to, style ? list() : texts.map(text => blockOf(kind, text)))
  // The caret stays in its text.
  let remainingTexts = textIndex
  tr.doc.nodesBetween(from, tr.mapping.map(to), (node, position) => {
    const isTitle = node.type === nodes.calloutTitle || node.type === nodes.quoteSource
    if (!node.isTextblock || isTitle || remainingTexts-- !== 0) return
    const offset = Math.min($head.parentOffset, node.content.size)
    tr.setSelection(Selection.near(tr.doc.resolve(position + 1 + offset)))
  })
  return true
}

/** A command that turns the selected blocks into another kind. */
export const turn =
  (kind: TextKind): Command =>
  (state, dispatch) => {
    const { tr } = state
    if (!turnInto(tr, kind)) return false
    dispatch?.(tr.scrollIntoView())
    return true
  }

const isEmptyParagraph = (node: Node | null | undefined): boolean =>
  node?.type === nodes.paragraph && node.content.size === 0

/** Adds a block after the selected ones and goes there. An empty paragraph gives its place. */
export function insertBlock(tr: Transaction, block: Node): Transaction {
  const { blocks, from, to } = selectedBlocks(tr)
  const start = isEmptyParagraph(blocks.at(-1)) && blocks.length === 1 ? from : to
  tr.replaceWith(start, to, block)
  const end = start + block.nodeSize
  if (block.isAtom && end === tr.doc.content.size) tr.insert(end, nodes.paragraph.create())
  return tr.setSelection(Selection.near(tr.doc.resolve((block.isAtom ? end : start) + 1))).scrollIntoView()
}

/** Moves the selected blocks by one place. The empty paragraph at the end stays there. */
export const move =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const { blocks, first, from, to } = selectedBlocks(state)
    const next = state.doc.maybeChild(by === 1 ? first + blocks.length : first - 1)
    if (!next || (by === 1 && next === state.doc.lastChild && isEmptyParagraph(next))) return false
    const { tr } = state
    if (by === 1) tr.delete(to, to + next.nodeSize).insert(from, next)
    else tr.insert(to, next).delete(from - next.nodeSize, from)
    dispatch?.(tr.scrollIntoView())
    return true
  }

export const remove: Command = (state, dispatch) => {
  const { from, to } = selectedBlocks(state)
  const { tr } = state
  tr.delete(from, to)
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)), -1)).scrollIntoView())
  return true
}

/** A new table with a head row. */
export const newTable = (): Node =>
  nodes.table.create(
    null,
    [nodes.headCell, nodes.cell, nodes.cell].map(type => nodes.row.create(null, [type.create(), type.create()])),
  )

/** Enter in a text within a block: goes to the next one, or to a new paragraph after the block. */
export const leavePart: Command = ({ selection: { $head, empty }, tr }, dispatch) => {
  const isPart = $head.depth > 0 && ($head.parent.type.spec['isPart'] ?? false)
  if (!isPart || !empty) return false
  const after = $head.after(1)
  if ($head.depth > 1 && $head.index(-1) + 1 < $head.node(-1).childCount) {
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve($head.after()), 1)).scrollIntoView())
    return true
  }
  tr.insert(after, nodes.paragraph.create())
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView())
  return true
}

export const addBreak: Command = ({ selection: { $head }, tr }, dispatch) => {
  if (!$head.parent.inlineContent || $head.parent.type.spec.code || $head.parent.type === nodes.card) return false
  dispatch?.(tr.replaceSelectionWith(nodes.break.create()).scrollIntoView())
  return true
}

/** Backspace at the start: a heading, quote or callout becomes a paragraph, a picture is selected. */
export const backToParagraph: Command = (state, dispatch) => {
  const { $head, empty } = state.selection
  if (!empty || $head.parentOffset > 0 || $head.depth === 0) return false
  const block = $head.node(1)
  if (block.type === nodes.figure || block.type === nodes.card) {
    dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $head.before(1))))
    return true
  }
  const isFirst = state.doc.textBetween($head.start(1), $head.pos) === ''
  const canTurn = [nodes.heading, nodes.quote, nodes.callout, nodes.code].includes(block.type)
  return isFirst && canTurn ? turn('paragraph')(state, dispatch) : false
}

/** Backspace at the start of an item: it joins the one before it; the first one leaves the list. */
export const joinItem: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection
  if (!empty || $head.parentOffset > 0 || $head.depth < 3 || $head.node(-1).type !== nodes.item) return false
  const join = $head.index(-2) === 0 ? liftListItem(nodes.item) : joinTextblockBackward
  return join(state, dispatch, view)
}

/** Checks or unchecks the item of a checklist that a position is in. */
export function toggleItem({ doc, tr }: EditorState, position: number): Transaction | undefined {
  const $position = doc.resolve(position)
  for (let depth = $position.depth; depth > 0; depth--) {
    const node = $position.node(depth)
    if (node.type === nodes.item) return tr.setNodeAttribute($position.before(depth), 'isDone', !node.attrs['isDone'])
  }
  return undefined
}
