import { useId, useState } from 'preact/hooks'
import type { CreateCredentialResponse } from '../../../../gen/client/auth.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'

/** Shows a new key with its secret, which exists nowhere else. */
export function KeySecret({ createdKey, onClose }: { createdKey: CreateCredentialResponse; onClose: () => void }) {
  const t = useTexts('hotel/key-secret')
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p class="note">{t.once}</p>
      <CopyField label={t.key} value={createdKey.apiKey} />
      <CopyField label={t.secret} value={createdKey.apiSecret} />
      <footer>
        <Button variant="main" onClick={onClose}>
          {t.done}
        </Button>
      </footer>
    </Dialog>
  )
}

function CopyField({ label, value }: { label: string; value: string }) {
  const t = useTexts('hotel/key-secret')
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
      <div class="inline">
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
