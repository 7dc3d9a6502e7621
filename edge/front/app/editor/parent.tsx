import { useState } from 'preact/hooks'
import type { PageReference } from '../../../../gen/client/news.ts'
import { useLast, useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, IconButton, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { Problem } from '../ui/feedback.tsx'
import { useTyped } from '../ui/typed.ts'

type ParentProps = {
  ownId: string | undefined
  value: PageReference | null
  onValue: (page: PageReference | null) => void
}

/** The parent of a page. */
export function ParentField({ ownId, value, onValue }: ParentProps) {
  const t = useTexts('editor/parent')
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset>
      <legend>{t.parent}</legend>
      <div class="parent-field">
        <span dir="auto">{value?.title ?? t.none}</span>
        {value && <IconButton name={t.remove} icon="close" onClick={() => onValue(null)} />}
        <Button class="small" onClick={() => setOpen(true)}>
          {t.choose}
        </Button>
      </div>
      {isOpen && (
        <ParentDialog
          ownId={ownId}
          onClose={() => setOpen(false)}
          onChoice={page => {
            onValue(page)
            setOpen(false)
          }}
        />
      )}
    </fieldset>
  )
}

type ParentDialogProps = { ownId: string | undefined; onClose: () => void; onChoice: (page: PageReference) => void }

function ParentDialog({ ownId, onClose, onChoice }: ParentDialogProps) {
  const t = useTexts('editor/parent')
  const workspaceId = useMemberContext().workspace.id
  const [search, setSearch] = useState('')
  const [typed, setTyped] = useTyped(search, setSearch)
  const { value, error } = useLoad(`parents/${workspaceId}/${search}`, signal =>
    platform.news.listPages({ workspaceId, limit: 12, ...(search ? { search } : {}) }, { signal }),
  )
  const results = useLast(value)
  const pages = (results?.data ?? []).filter(page => page.id !== ownId)
  return (
    <Dialog title={t.choose} onClose={onClose}>
      <TextField label={t.search} type="search" autofocus maxLength={500} value={typed} onValue={setTyped} />
      <Problem error={error} />
      <ul class="parent-choices" aria-label={t.found}>
        {pages.map(({ id, title }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoice({ id, title })}>
              <span dir="auto">{title}</span>
            </button>
          </li>
        ))}
      </ul>
      {results && pages.length === 0 && <p>{t.noResults}</p>}
      {results && (results.meta?.total ?? 0) > results.data.length && <p class="hint">{t.more}</p>}
    </Dialog>
  )
}
