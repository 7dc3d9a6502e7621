import { htmlOf } from './inline.ts'

/** Where the caret goes: before or after the text, or after a number of characters. */
export type Spot = 'start' | 'end' | number

/** The selection within an element; undefined when it is elsewhere. */
function rangeIn(element: HTMLElement): Range | undefined {
  const selection = getSelection()
  if (!selection || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return element.contains(range.startContainer) && element.contains(range.endContainer) ? range : undefined
}

function cloneAround(element: HTMLElement, range: Range): { before: DocumentFragment; after: DocumentFragment } {
  const before = document.createRange()
  before.selectNodeContents(element)
  before.setEnd(range.startContainer, range.startOffset)
  const after = document.createRange()
  after.selectNodeContents(element)
  after.setStart(range.endContainer, range.endOffset)
  return { before: before.cloneContents(), after: after.cloneContents() }
}

/** The texts before and after the selection, which itself is dropped. */
export function splitAt(element: HTMLElement): { before: string; after: string } {
  const range = rangeIn(element)
  if (!range) return { before: htmlOf(element), after: '' }
  const { before, after } = cloneAround(element, range)
  return { before: htmlOf(before), after: htmlOf(after) }
}

/** Whether the caret is at an end of the text. */
export function isCaretAt(element: HTMLElement, end: 'start' | 'end'): boolean {
  const range = rangeIn(element)
  if (!range?.collapsed) return false
  const { before, after } = cloneAround(element, range)
  const fragment = end === 'start' ? before : after
  return fragment.textContent === '' && (end === 'end' || fragment.querySelector('br') === null)
}

export function placeCaret(element: HTMLElement, spot: Spot): void {
  element.focus()
  if (!element.isContentEditable) return
  const range = document.createRange()
  range.selectNodeContents(element)
  if (typeof spot === 'number') {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let remainingLength = spot
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const length = node.nodeValue?.length ?? 0
      if (remainingLength <= length) {
        range.setStart(node, remainingLength)
        break
      }
      remainingLength -= length
    }
  }
  range.collapse(spot !== 'end')
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}
