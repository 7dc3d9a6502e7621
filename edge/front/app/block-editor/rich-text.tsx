import { useLayoutEffect, useRef } from 'preact/hooks'
import { isCaretAt, splitAt } from './caret.ts'
import { htmlOf, htmlOfText, nodesOf } from './inline.ts'

type RichTextProps = {
  /** The text as Editor.js stores it: inline HTML. */
  value: string
  onValue: (value: string) => void
  label: string
  placeholder?: string
  class?: string
  /** Enter: the texts before and after the caret. */
  onSplit?: (before: string, after: string) => void
  /** Backspace at the start. */
  onJoin?: () => void
  /** An arrow key at an end of the text. */
  onLeave?: (direction: -1 | 1) => void
  /** Several pasted lines: the text with the first one, the lines between, the text with the last one. */
  onLines?: (lines: string[]) => void
  onFiles?: (files: File[]) => void
  onLink?: () => void
}

/** A text with bold, italic and links. The browser edits it; what is stored is read from an allow-list. */
export function RichText({ value, onValue, label, placeholder, ...rest }: RichTextProps) {
  const element = useRef<HTMLDivElement>(null)
  const shownHtml = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (!element.current || shownHtml.current === value) return
    shownHtml.current = value
    element.current.replaceChildren(...nodesOf(value))
  }, [value])
  const read = () => {
    if (!element.current) return
    shownHtml.current = htmlOf(element.current)
    // An empty text shows its placeholder.
    if (shownHtml.current === '' && element.current.firstChild) element.current.replaceChildren()
    onValue(shownHtml.current)
  }
  return (
    // biome-ignore lint/a11y: the browser edits it
    <div
      ref={element}
      class={`rich ${rest.class ?? ''}`}
      contentEditable
      role="textbox"
      aria-multiline="true"
      aria-label={label}
      data-placeholder={placeholder}
      dir="auto"
      spellcheck
      onInput={read}
      onKeyDown={event => onKey(event, rest)}
      onPaste={event => onPaste(event, rest)}
      onDrop={event => {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0) return
        event.preventDefault()
        rest.onFiles?.(files)
      }}
    />
  )
}

type Keys = Omit<RichTextProps, 'value' | 'onValue' | 'label' | 'placeholder'>
type OnElement<E extends Event> = E & { readonly currentTarget: HTMLDivElement }

function onKey(event: OnElement<KeyboardEvent>, { onSplit, onJoin, onLeave, onLink }: Keys): void {
  const { currentTarget: element, key } = event
  // Enter and arrows choose among suggestions while a character is composed.
  if (event.isComposing) return
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey
  const act = (does: (() => void) | undefined) => {
    event.preventDefault()
    does?.()
  }
  if (key === 'Enter' && isPlain) {
    const { before, after } = splitAt(element)
    return act(() => onSplit?.(before, after))
  }
  if (key === 'Backspace' && isPlain && onJoin && isCaretAt(element, 'start')) return act(onJoin)
  if (/^Arrow(Up|Left)$/.test(key) && isPlain && isCaretAt(element, 'start')) return act(() => onLeave?.(-1))
  if (/^Arrow(Down|Right)$/.test(key) && isPlain && isCaretAt(element, 'end')) return act(() => onLeave?.(1))
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    if (key === 'k') return act(onLink)
    if (key === 'b') return act(() => mark('bold'))
    if (key === 'i') return act(() => mark('italic'))
  }
}

function onPaste(event: OnElement<ClipboardEvent>, { onLines, onFiles }: Keys): void {
  event.preventDefault()
  const { currentTarget: element } = event
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const files = [...(event.clipboardData?.files ?? [])]
  if (text === '' && files.length > 0) return onFiles?.(files)
  const lines = text
    .split(/(?:\r?\n)+/)
    .map(line => line.trim())
    .filter(Boolean)
  const [firstLine] = lines
  if (lines.length < 2 || !onLines) {
    if (firstLine !== undefined) insert(lines.length > 1 ? lines.join(' ') : text.replace(/\s+/g, ' '))
    return
  }
  const { before, after } = splitAt(element)
  const htmls = lines.map(htmlOfText)
  onLines([before + (htmls[0] ?? ''), ...htmls.slice(1, -1), (htmls.at(-1) ?? '') + after])
}

/** Sets or removes a mark of the selected text, such that the browser can undo it. */
export const mark = (name: 'bold' | 'italic'): void => void document.execCommand(name)

const insert = (text: string): void => void document.execCommand('insertText', false, text)

/** Makes the selected text a link; without an address, removes it. */
export function link(address: string | undefined): void {
  document.execCommand(address === undefined ? 'unlink' : 'createLink', false, address)
}
