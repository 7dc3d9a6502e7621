import { useLayoutEffect, useState } from 'preact/hooks'
import { askBeforeLeaving } from '../platform/router.tsx'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { type PageDraft, savesItself } from './draft.ts'

/** Asks before leaving a page with unsaved changes. Drafts are saved instead, if that succeeds. */
export function LeaveGuard({ draft }: { draft: PageDraft }) {
  const t = useTexts('editor/leaving')
  const state = useStore(draft.state)
  const isUnsaved = state.status !== 'saved'
  const [leave, setLeave] = useState<() => void>()

  // Set as soon as the page shows that it is unsaved, so that going back quickly asks too.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', askBeforeUnload)
    const release = askBeforeLeaving(leave => {
      const question = () => setLeave(() => leave)
      if (!savesItself(draft.state.get())) return question()
      void draft.save().then(isSaved => (isSaved ? leave() : question()))
    })
    return () => {
      removeEventListener('beforeunload', askBeforeUnload)
      release()
    }
  }, [isUnsaved, draft])

  if (!leave) return null
  return (
    <Dialog title={t.title} onClose={() => setLeave(undefined)}>
      <p>{t.text}</p>
      <footer>
        <Button onClick={() => setLeave(undefined)}>{t.stay}</Button>
        <Button variant="danger" onClick={leave}>
          {t.leave}
        </Button>
        <Button
          variant="main"
          onClick={() => void draft.save().then(isSaved => (isSaved ? leave() : setLeave(undefined)))}
        >
          {t.save}
        </Button>
      </footer>
    </Dialog>
  )
}
