import type { Spot } from './caret.ts'
import { blockOf, type Entry, itemsOf, kindOf, newEntry, textOf, withData, withItems } from './document.ts'
import { plainText } from './inline.ts'

/** The blocks after a change, and where the caret goes. */
export type Changed = { entries: Entry[]; focus?: { key: string; item?: number; spot: Spot } }

const at = (entries: Entry[], key: string): number => entries.findIndex(entry => entry.key === key)

export const replaced = (entries: Entry[], key: string, by: Entry[]): Entry[] =>
  entries.flatMap(entry => (entry.key === key ? by : [entry]))

export const insertedAfter = (entries: Entry[], key: string | undefined, more: Entry[]): Entry[] => {
  const index = key === undefined ? entries.length - 1 : at(entries, key)
  return entries.toSpliced((index < 0 ? entries.length - 1 : index) + 1, 0, ...more)
}

export function moved(entries: Entry[], key: string, by: -1 | 1): Entry[] {
  const from = at(entries, key)
  const entry = entries[from]
  const to = from + by
  if (!entry || to < 0 || to >= entries.length) return entries
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry)
}

/** Without a block; a document keeps at least an empty paragraph. */
export function removed(entries: Entry[], key: string): Changed {
  const index = at(entries, key)
  const rest = entries.toSpliced(index, 1)
  const left = rest.length > 0 ? rest : [newEntry(blockOf('paragraph'))]
  const next = left[Math.max(0, index - 1)]
  return { entries: left, ...(next ? { focus: { key: next.key, spot: 'end' as const } } : {}) }
}

/** Enter in a text: its end becomes a paragraph, and at the start of a heading an empty one comes before it. */
export function split(entries: Entry[], { key, block }: Entry, before: string, after: string): Changed {
  const next = newEntry(blockOf('paragraph', after))
  const changed = [{ key, block: withData(block, { text: before }) }, next]
  return { entries: replaced(entries, key, changed), focus: { key: next.key, spot: 'start' } }
}

/** Enter in an item of a list; in an empty last one it leaves the list. */
export function splitItem(entries: Entry[], entry: Entry, item: number, before: string, after: string): Changed {
  const { key, block } = entry
  const texts = itemsOf(block)
  if (before === '' && after === '' && item === texts.length - 1) {
    const next = newEntry(blockOf('paragraph'))
    const left = texts.slice(0, -1)
    const list = left.length > 0 ? [{ key, block: withItems(block, left) }] : []
    return { entries: replaced(entries, key, [...list, next]), focus: { key: next.key, spot: 'start' } }
  }
  const changed = withItems(block, texts.toSpliced(item, 1, before, after))
  return { entries: replaced(entries, key, [{ key, block: changed }]), focus: { key, item: item + 1, spot: 'start' } }
}

/** Backspace at the start of a text: a heading or quote becomes a paragraph, a paragraph joins the text before it. */
export function joined(entries: Entry[], entry: Entry): Changed {
  const { key, block } = entry
  const text = textOf(block.data['text'])
  if (kindOf(block) !== 'paragraph')
    return {
      entries: replaced(entries, key, [{ key, block: blockOf('paragraph', text) }]),
      focus: { key, spot: 'start' },
    }
  const before = entries[at(entries, key) - 1]
  if (!before) return { entries }
  const rest = entries.filter(one => one.key !== key)
  const kind = kindOf(before.block)
  if (kind === 'bullets' || kind === 'numbers') {
    const texts = itemsOf(before.block)
    const last = texts.at(-1) ?? ''
    const block = withItems(before.block, [...texts.slice(0, -1), last + text])
    return {
      entries: replaced(rest, before.key, [{ ...before, block }]),
      focus: { key: before.key, item: texts.length - 1, spot: plainText(last).length },
    }
  }
  if (kind === 'paragraph' || kind === 'header' || kind === 'subheader' || kind === 'quote') {
    const own = textOf(before.block.data['text'])
    const block = withData(before.block, { text: own + text })
    return {
      entries: replaced(rest, before.key, [{ ...before, block }]),
      focus: { key: before.key, spot: plainText(own).length },
    }
  }
  // A picture or another block without a text stays; an empty paragraph after it goes.
  return { entries: text === '' ? rest : entries, focus: { key: before.key, spot: 'end' } }
}

/** Backspace at the start of an item: it joins the one before it; the first one leaves the list. */
export function joinedItem(entries: Entry[], { key, block }: Entry, item: number): Changed {
  const texts = itemsOf(block)
  const own = texts[item] ?? ''
  const before = texts[item - 1]
  if (before === undefined) {
    const paragraph = newEntry(blockOf('paragraph', own))
    const rest = texts.slice(1)
    const list = rest.length > 0 ? [{ key, block: withItems(block, rest) }] : []
    return { entries: replaced(entries, key, [paragraph, ...list]), focus: { key: paragraph.key, spot: 'start' } }
  }
  const changed = withItems(block, texts.toSpliced(item - 1, 2, before + own))
  return {
    entries: replaced(entries, key, [{ key, block: changed }]),
    focus: { key, item: item - 1, spot: plainText(before).length },
  }
}

/** Several pasted lines: the first one stays in its block, the others become paragraphs, or items of a list. */
export function withLines(entries: Entry[], { key, block }: Entry, lines: string[], item?: number): Changed {
  if (item !== undefined) {
    const changed = withItems(block, itemsOf(block).toSpliced(item, 1, ...lines))
    return {
      entries: replaced(entries, key, [{ key, block: changed }]),
      focus: { key, item: item + lines.length - 1, spot: 'end' },
    }
  }
  const [first = '', ...more] = lines
  const added = more.map(text => newEntry(blockOf('paragraph', text)))
  return {
    entries: replaced(entries, key, [{ key, block: withData(block, { text: first }) }, ...added]),
    focus: { key: added.at(-1)?.key ?? key, spot: 'end' },
  }
}
