import { useState } from 'preact/hooks'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { addressMeant } from './inline.ts'
import { link } from './rich-text.tsx'

const linkAround = (range: Range): HTMLAnchorElement | null => {
  const { commonAncestorContainer: node } = range
  return (node instanceof Element ? node : node.parentElement)?.closest('a') ?? null
}

/** Sets, changes or removes the link of the selected words. */
export function LinkDialog({ range, onClose }: { range: Range; onClose: () => void }) {
  const t = useTexts('block-editor/link-dialog')
  const presentLink = linkAround(range)
  const [text, setText] = useState(presentLink?.getAttribute('href') ?? '')
  const [error, setError] = useState<string>()
  const isEmpty = range.collapsed && !presentLink
  const apply = () => {
    const address = addressMeant(text)
    if (text.trim() !== '' && address === undefined) return setError(t.wrong)
    onClose()
    // The dialog returns the focus first.
    setTimeout(() => {
      const linkRange = range.cloneRange()
      if (linkRange.collapsed && presentLink) linkRange.selectNodeContents(presentLink)
      const { commonAncestorContainer: node } = linkRange
      const field = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('.rich')
      field?.focus()
      const selection = getSelection()
      selection?.removeAllRanges()
      selection?.addRange(linkRange)
      link(address)
    })
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      {isEmpty ? (
        <p>{t.select}</p>
      ) : (
        <Form onSubmit={apply}>
          <TextField label={t.address} hint={t.hint} error={error} value={text} onValue={setText} autofocus />
          <footer>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button variant="main" type="submit">
              {text.trim() === '' ? t.remove : t.set}
            </Button>
          </footer>
        </Form>
      )}
    </Dialog>
  )
}
