import type { Spot } from './caret.ts'
import { blockOf, type Entry, itemsOf, kindOf, newEntry, textOf, withData, withItems } from './document.ts'
import { plainText } from './inline.ts'

/** The blocks after a change, and where the caret goes. */
export type BlocksChange = { entries: Entry[]; focus?: { key: string; item?: number; spot: Spot } }

const indexOfKey = (entries: Entry[], key: string): number => entries.findIndex(entry => entry.key === key)

export const replaceBlock = (entries: Entry[], key: string, by: Entry[]): Entry[] =>
  entries.flatMap(entry => (entry.key === key ? by : [entry]))

export const insertBlocksAfter = (entries: Entry[], key: string | undefined, newEntries: Entry[]): Entry[] => {
  const index = key === undefined ? entries.length - 1 : indexOfKey(entries, key)
  return entries.toSpliced((index < 0 ? entries.length - 1 : index) + 1, 0, ...newEntries)
}

export function moveBlock(entries: Entry[], key: string, by: -1 | 1): Entry[] {
  const from = indexOfKey(entries, key)
  const entry = entries[from]
  const to = from + by
  if (!entry || to < 0 || to >= entries.length) return entries
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry)
}

/** Without a block; a document keeps at least an empty paragraph. */
export function removeBlock(entries: Entry[], key: string): BlocksChange {
  const index = indexOfKey(entries, key)
  const remainingEntries = entries.toSpliced(index, 1)
  const nextEntries = remainingEntries.length > 0 ? remainingEntries : [newEntry(blockOf('paragraph'))]
  const next = nextEntries[Math.max(0, index - 1)]
  return { entries: nextEntries, ...(next ? { focus: { key: next.key, spot: 'end' as const } } : {}) }
}

/** Enter in a text: its end becomes a paragraph, and at the start of a heading an empty one comes before it. */
export function splitBlock(entries: Entry[], { key, block }: Entry, before: string, after: string): BlocksChange {
  const next = newEntry(blockOf('paragraph', after))
  const halves = [{ key, block: withData(block, { text: before }) }, next]
  return { entries: replaceBlock(entries, key, halves), focus: { key: next.key, spot: 'start' } }
}

/** Enter in an item of a list; in an empty last one it leaves the list. */
export function splitItem(entries: Entry[], entry: Entry, item: number, before: string, after: string): BlocksChange {
  const { key, block } = entry
  const texts = itemsOf(block)
  if (before === '' && after === '' && item === texts.length - 1) {
    const next = newEntry(blockOf('paragraph'))
    const remainingTexts = texts.slice(0, -1)
    const list = remainingTexts.length > 0 ? [{ key, block: withItems(block, remainingTexts) }] : []
    return { entries: replaceBlock(entries, key, [...list, next]), focus: { key: next.key, spot: 'start' } }
  }
  const changedBlock = withItems(block, texts.toSpliced(item, 1, before, after))
  return {
    entries: replaceBlock(entries, key, [{ key, block: changedBlock }]),
    focus: { key, item: item + 1, spot: 'start' },
  }
}

/** Backspace at the start of a text: a heading or quote becomes a paragraph, a paragraph joins the text before it. */
export function joinBlock(entries: Entry[], entry: Entry): BlocksChange {
  const { key, block } = entry
  const text = textOf(block.data['text'])
  if (kindOf(block) !== 'paragraph')
    return {
      entries: replaceBlock(entries, key, [{ key, block: blockOf('paragraph', text) }]),
      focus: { key, spot: 'start' },
    }
  const before = entries[indexOfKey(entries, key) - 1]
  if (!before) return { entries }
  const remainingEntries = entries.filter(one => one.key !== key)
  const kind = kindOf(before.block)
  if (kind === 'bullets' || kind === 'numbers') {
    const texts = itemsOf(before.block)
    const last = texts.at(-1) ?? ''
    const block = withItems(before.block, [...texts.slice(0, -1), last + text])
    return {
      entries: replaceBlock(remainingEntries, before.key, [{ ...before, block }]),
      focus: { key: before.key, item: texts.length - 1, spot: plainText(last).length },
    }
  }
  if (kind === 'paragraph' || kind === 'header' || kind === 'subheader' || kind === 'quote') {
    const previousText = textOf(before.block.data['text'])
    const block = withData(before.block, { text: previousText + text })
    return {
      entries: replaceBlock(remainingEntries, before.key, [{ ...before, block }]),
      focus: { key: before.key, spot: plainText(previousText).length },
    }
  }
  // A picture or another block without a text stays; an empty paragraph after it goes.
  return { entries: text === '' ? remainingEntries : entries, focus: { key: before.key, spot: 'end' } }
}

/** Backspace at the start of an item: it joins the one before it; the first one leaves the list. */
export function joinItem(entries: Entry[], { key, block }: Entry, item: number): BlocksChange {
  const texts = itemsOf(block)
  const itemText = texts[item] ?? ''
  const before = texts[item - 1]
  if (before === undefined) {
    const paragraph = newEntry(blockOf('paragraph', itemText))
    const remainingTexts = texts.slice(1)
    const list = remainingTexts.length > 0 ? [{ key, block: withItems(block, remainingTexts) }] : []
    return { entries: replaceBlock(entries, key, [paragraph, ...list]), focus: { key: paragraph.key, spot: 'start' } }
  }
  const changedBlock = withItems(block, texts.toSpliced(item - 1, 2, before + itemText))
  return {
    entries: replaceBlock(entries, key, [{ key, block: changedBlock }]),
    focus: { key, item: item - 1, spot: plainText(before).length },
  }
}

/** Several pasted lines: the first one stays in its block, the others become paragraphs, or items of a list. */
export function pasteLines(entries: Entry[], { key, block }: Entry, lines: string[], item?: number): BlocksChange {
  if (item !== undefined) {
    const changedBlock = withItems(block, itemsOf(block).toSpliced(item, 1, ...lines))
    return {
      entries: replaceBlock(entries, key, [{ key, block: changedBlock }]),
      focus: { key, item: item + lines.length - 1, spot: 'end' },
    }
  }
  const [first = '', ...remainingLines] = lines
  const addedEntries = remainingLines.map(text => newEntry(blockOf('paragraph', text)))
  return {
    entries: replaceBlock(entries, key, [{ key, block: withData(block, { text: first }) }, ...addedEntries]),
    focus: { key: addedEntries.at(-1)?.key ?? key, spot: 'end' },
  }
}
