import { useId, useState } from 'preact/hooks'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'

type Props = { title: string; apiKey?: string; secret: string; onClose: () => void }

/** Shows a new secret, which exists nowhere else, with the key that it belongs to. */
export function SecretDialog({ title, apiKey, secret, onClose }: Props) {
  const t = useTexts('hotel/secret')
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="note">{t.once}</p>
      {apiKey && <CopyField label={t.key} value={apiKey} />}
      <CopyField label={t.secret} value={secret} />
      <footer>
        <Button variant="main" onClick={onClose}>
          {t.done}
        </Button>
      </footer>
    </Dialog>
  )
}

function CopyField({ label, value }: { label: string; value: string }) {
  const t = useTexts('hotel/secret')
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard
      .writeText(value)
      .then(() => setCopied(true))
      // Without a clipboard, the text is selected for the keyboard.
      .catch(() => {
        const field = document.getElementById(id)
        if (field instanceof HTMLInputElement) field.select()
      })
  return (
    <div class="field copied">
      <label for={id}>{label}</label>
      <div class="inline row wrap">
        <input id={id} type="text" readOnly value={value} />
        <Button icon="copy" aria-label={`${t.copy}: ${label}`} onClick={() => void copy()}>
          {t.copy}
        </Button>
      </div>
      <p class="hint" role="status">
        {isCopied && t.copied}
      </p>
    </div>
  )
}
