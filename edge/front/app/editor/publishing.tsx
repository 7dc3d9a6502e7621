import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { notify, useProblemText } from '../ui/feedback.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import type { PageDraft } from './draft.ts'
import { isBlank } from './fields.ts'
import { isReady } from './poll.ts'
import { PublishDialog } from './publish-dialog.tsx'
import type { EditorRights } from './rights.ts'
import { statusOf } from './save-state.tsx'
import { TemplateDialog } from './templates.tsx'

type Call = Parameters<PageDraft['callWithVersion']>[0]

/** What may be done with the page as a whole, as its status and the person's rights allow. */
export function Publishing({ draft, rights }: { draft: PageDraft; rights: EditorRights }) {
  const t = useTexts('editor/publishing')
  const templates = useTexts('editor/templates')
  const problemText = useProblemText()
  const state = useStore(draft.state)
  const [dialog, setDialog] = useState<'publish' | 'unpublish' | 'remove' | 'template'>()
  const { page, fields } = state
  const status = statusOf(page)
  const isPollOpen = fields.pageType === 'poll' && !state.hasVotes && !isReady(state.poll)
  const close = () => setDialog(undefined)
  const { news } = platform

  const change = async (call: Call, message: string) => {
    await draft.callWithVersion(call)
    close()
    notify(message)
  }
  const { run, isRunning } = useAction((call: Call, message: string) =>
    change(call, message).catch((error: unknown) => notify(problemText(error))),
  )
  const unpublish = useAction(() => change((input, options) => news.unpublishPage(input, options), t.unpublished))
  const remove = useAction(async () => {
    if (page) await news.deletePage({ id: page.id })
    draft.close()
    draft.state.set(now => ({ ...now, status: 'saved' }))
    notify(t.removed)
    // After the guard of unsaved changes is removed.
    setTimeout(() => go('/write'))
  })

  const choices: MenuItem[] = []
  if (page && status === 'published') choices.push({ text: t.read, icon: 'eye', act: () => go(`/pages/${page.id}`) })
  if (page && rights.analyse && status !== 'draft' && status !== 'scheduled')
    choices.push({ text: t.statistics, icon: 'chart', act: () => go(`/write/${page.id}/figures`) })
  if (page && rights.edit)
    choices.push({ text: t.versions, icon: 'clock', act: () => go(`/write/${page.id}/revisions`) })
  if (rights.create && !isBlank(state))
    choices.push({ text: templates.make, icon: 'copy', act: () => setDialog('template') })
  if (rights.publish && status === 'scheduled')
    choices.push({
      text: t.unschedule,
      icon: 'clock',
      act: () => void run((input, options) => news.unschedulePage(input, options), t.unscheduled),
    })
  if (rights.publish && status === 'published')
    choices.push({ text: t.unpublish, icon: 'undo', act: () => setDialog('unpublish') })
  if (rights.edit && page && status !== 'archived')
    choices.push({
      text: t.archive,
      icon: 'archive',
      act: () =>
        void run(
          async (input, options) => ({ ...(await news.archivePage(input, options)), scheduledAt: null }),
          t.archived,
        ),
    })
  if (rights.mayRemove(page))
    choices.push({ text: t.remove, icon: 'trash', variant: 'danger', act: () => setDialog('remove') })
  const isDraft = status === 'draft' || status === 'scheduled'

  return (
    <>
      {isDraft && rights.publish && (
        <Button
          variant="main"
          class="small"
          disabled={isBlank(state) || isPollOpen}
          onClick={() => setDialog('publish')}
        >
          {t.publish}
        </Button>
      )}
      {!isDraft && rights.edit && (
        <Button
          variant="main"
          class="small"
          disabled={state.status === 'saved'}
          isBusy={state.status === 'saving'}
          onClick={() => void draft.save()}
        >
          {status === 'published' ? t.update : t.save}
        </Button>
      )}
      {rights.edit && status === 'archived' && (
        <Button
          class="small"
          isBusy={isRunning}
          onClick={() => void run((input, options) => news.unarchivePage(input, options), t.unarchived)}
        >
          {t.unarchive}
        </Button>
      )}
      {choices.length > 0 && <Menu name={t.more} icon="more" choices={choices} />}
      {dialog === 'template' && <TemplateDialog fields={fields} onClose={close} />}
      {dialog === 'publish' && <PublishDialog draft={draft} onClose={close} />}
      {dialog === 'unpublish' && (
        <Confirm
          title={t.unpublishTitle}
          text={t.unpublishText}
          submit={t.unpublish}
          action={unpublish}
          onClose={close}
        />
      )}
      {dialog === 'remove' && (
        <Confirm title={t.removeTitle} text={t.removeText} submit={t.remove} isDanger action={remove} onClose={close} />
      )}
    </>
  )
}
