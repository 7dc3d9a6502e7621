import { useState } from 'preact/hooks'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { linkAddress } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { schema } from './schema.ts'

const { link } = schema.marks

/** What somebody meant by an address: `hotel.example` and `name@hotel.example` lack their scheme. */
function addressMeant(typedText: string): string | undefined {
  const text = typedText.trim()
  if (text === '') return undefined
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)) return `mailto:${text}`
  if (/^[^\s/:@]+\.[^\s:@]+$/.test(text)) return linkAddress(`https://${text}`)
  return linkAddress(text)
}

/** The selected words, or the whole link that the caret is in, with its address. */
function linkPlace({ selection: { $from, from, to, empty }, doc }: EditorState) {
  let href = ''
  if (!empty) {
    doc.nodesBetween(from, to, node => void (href ||= String(link.isInSet(node.marks)?.attrs['href'] ?? '')))
    return { from, to, href }
  }
  const mark = link.isInSet($from.marks())
  if (!mark) return { from, to, href }
  const { parent } = $from
  const isLinked = (index: number) =>
    index >= 0 && Boolean(parent.maybeChild(index) && mark.isInSet(parent.child(index).marks))
  let first = $from.index()
  if (!isLinked(first)) first--
  let last = first
  while (isLinked(first - 1)) first--
  while (isLinked(last + 1)) last++
  return { from: $from.posAtIndex(first), to: $from.posAtIndex(last + 1), href: String(mark.attrs['href']) }
}

/** Sets, changes or removes the link of the selected words. Without any, the address is written as its own text. */
export function LinkDialog({ view, onClose }: { view: EditorView; onClose: () => void }) {
  const t = useTexts('block-editor/link-dialog')
  const [{ from, to, href }] = useState(() => linkPlace(view.state))
  const [text, setText] = useState(href)
  const [error, setError] = useState<string>()
  const apply = () => {
    const address = addressMeant(text)
    if (text.trim() !== '' && address === undefined) return setError(t.wrong)
    const { tr } = view.state
    const end = from === to && address ? to + text.trim().length : to
    if (end > to) tr.insertText(text.trim(), from)
    tr.removeMark(from, end, link)
    if (address) tr.addMark(from, end, link.create({ href: address }))
    view.dispatch(tr)
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form onSubmit={apply}>
        <TextField label={t.address} hint={t.hint} error={error} value={text} onValue={setText} autofocus />
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="main" type="submit">
            {text.trim() === '' ? t.remove : t.set}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}
