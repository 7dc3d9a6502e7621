import { useEffect, useState } from 'preact/hooks'
import type { PageRights } from '../page/page-rights.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { dayOf, localOf, momentOf } from '../platform/times.ts'
import { Button, Checkbox, MomentField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { notify, useProblemText } from '../ui/feedback.tsx'
import { confirmAction, FormDialog } from '../ui/form.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import type { PageDraft } from './draft.ts'
import { isBlank, isReady } from './fields.ts'
import { statusOf } from './save-state.tsx'
import { TemplateDialog } from './templates.tsx'

type Call = Parameters<PageDraft['callWithVersion']>[0]

/** What may be done with the page as a whole, as its status and the person's rights allow. */
export function Publishing({ draft, rights }: { draft: PageDraft; rights: PageRights }) {
  const t = useTexts('editor/publishing')
  const templates = useTexts('editor/templates')
  const problemText = useProblemText()
  const state = useStore(draft.state)
  const { page, fields } = state
  const status = statusOf(page)
  const isPollOpen = fields.pageType === 'poll' && !state.hasVotes && !isReady(state.poll)
  const { news } = platform

  const change = async (call: Call, message: string) => {
    await draft.callWithVersion(call)
    notify(message)
  }
  const { run, isRunning } = useAction((call: Call, message: string) =>
    change(call, message).catch((error: unknown) => notify(problemText(error))),
  )
  const unpublish = () =>
    confirmAction({ title: t.unpublishTitle, text: t.unpublishText, submit: t.unpublish }, () =>
      change((input, options) => news.unpublishPage(input, options), t.unpublished),
    )
  const remove = () =>
    confirmAction({ title: t.removeTitle, text: t.removeText, submit: t.remove, isDanger: true }, async () => {
      if (page) await news.deletePage({ id: page.id })
      draft.close()
      draft.state.set(now => ({ ...now, status: 'saved' }))
      notify(t.removed)
      // After the guard of unsaved changes is removed.
      setTimeout(() => go('/write'))
    })

  const openTemplateForm = () => openDialog(close => <TemplateDialog fields={fields} onClose={close} />)

  const choices: MenuItem[] = []
  if (page && status === 'published') choices.push({ text: t.read, icon: 'eye', act: () => go(`/pages/${page.id}`) })
  if (page && rights.analyse && status !== 'draft' && status !== 'scheduled')
    choices.push({ text: t.statistics, icon: 'chart', act: () => go(`/write/${page.id}/figures`) })
  if (page && rights.edit)
    choices.push({ text: t.versions, icon: 'clock', act: () => go(`/write/${page.id}/revisions`) })
  if (rights.create && !isBlank(state)) choices.push({ text: templates.make, icon: 'copy', act: openTemplateForm })
  if (rights.publish && status === 'scheduled')
    choices.push({
      text: t.unschedule,
      icon: 'clock',
      act: () => void run((input, options) => news.unschedulePage(input, options), t.unscheduled),
    })
  if (rights.publish && status === 'published')
    choices.push({ text: t.unpublish, icon: 'undo', act: () => void unpublish() })
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
    choices.push({ text: t.remove, icon: 'trash', variant: 'danger', act: () => void remove() })
  const isDraft = status === 'draft' || status === 'scheduled'

  return (
    <>
      {isDraft && rights.publish && (
        <Button
          variant="main"
          class="small"
          disabled={isBlank(state) || isPollOpen}
          onClick={() => openDialog(close => <PublishDialog draft={draft} onClose={close} />)}
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
    </>
  )
}

/** Publishes at once or at a time: whether it must be read, by when, and whether people are notified. */
function PublishDialog({ draft, onClose }: { draft: PageDraft; onClose: () => void }) {
  const t = useTexts('editor/publish-dialog')
  const { page, fields } = useStore(draft.state)
  const [isLater, setLater] = useState(Boolean(page?.scheduledAt))
  const [time, setTime] = useState(() => (page?.scheduledAt ? localOf(page.scheduledAt) : tomorrow()))
  const [mustRead, setMustRead] = useState(page?.isMustRead ?? false)
  const [deadline, setDeadline] = useState('')
  const [isSilent, setSilent] = useState(page?.isSilent ?? false)
  const [faults, setFaults] = useState<{ time?: string; deadline?: string }>({})
  const storedDeadline = useLoad<string | null>(page?.isMustRead ? `must-read/${page.id}` : null, async signal =>
    page ? (await platform.news.getMustRead({ pageId: page.id }, { signal })).dueAt : null,
  )
  useEffect(() => {
    if (storedDeadline.value) setDeadline(localOf(storedDeadline.value))
  }, [storedDeadline.value])
  const publish = useAction(async (scheduledAt: string | undefined, dueAt: string | undefined) => {
    const choices = { mustRead, isSilent: isSilent && !mustRead, ...(mustRead && dueAt ? { dueAt } : {}) }
    await draft.callWithVersion(async (input, options) => ({
      ...(scheduledAt
        ? await platform.news.schedulePage({ ...input, body: { scheduledAt, ...choices } }, options)
        : { ...(await platform.news.publishPage({ ...input, ...choices }, options)), scheduledAt: null }),
      isMustRead: mustRead,
      isSilent: choices.isSilent,
    }))
    storedDeadline.change(() => dueAt ?? null)
    onClose()
    notify(scheduledAt ? fill(t.scheduled, { time: dateAndTimeOf(scheduledAt) }) : t.published)
  })
  const submit = async () => {
    const scheduledAt = isLater ? (momentOf(time) ?? '') : undefined
    const dueAt = (mustRead && momentOf(deadline)) || undefined
    const start = Math.max(Date.now(), scheduledAt ? Date.parse(scheduledAt) : 0)
    const nextFaults = {
      ...(scheduledAt !== undefined && !(Date.parse(scheduledAt) > Date.now()) ? { time: t.past } : {}),
      ...(dueAt && Date.parse(dueAt) <= start ? { deadline: t.dueTooEarly } : {}),
    }
    setFaults(nextFaults)
    if (Object.keys(nextFaults).length === 0) await publish.run(scheduledAt, dueAt)
  }
  return (
    <FormDialog
      title={t.title}
      submit={isLater ? t.schedule : t.publish}
      action={{ ...publish, run: submit, error: publish.error ?? storedDeadline.error }}
      onClose={onClose}
    >
      <fieldset class="publish-choices">
        <legend class="unseen">{t.title}</legend>
        <label>
          <input type="radio" name="when" checked={!isLater} onChange={() => setLater(false)} />
          <span>
            {t.now}
            <small class="hint">{t.nowHint}</small>
          </span>
        </label>
        <label>
          <input type="radio" name="when" checked={isLater} onChange={() => setLater(true)} />
          <span>{t.later}</span>
        </label>
      </fieldset>
      {isLater && <MomentField label={t.at} error={faults.time} required value={time} onValue={setTime} />}
      <Checkbox label={t.mustRead} hint={t.mustReadHint} checked={mustRead} onCheck={setMustRead} />
      {mustRead && (
        <MomentField label={t.due} hint={t.optional} error={faults.deadline} value={deadline} onValue={setDeadline} />
      )}
      {!mustRead && <Checkbox label={t.silent} hint={t.silentHint} checked={isSilent} onCheck={setSilent} />}
      {(mustRead || !isSilent) && <p class="hint">{fields.enableNotifications ? t.notified : t.noPush}</p>}
    </FormDialog>
  )
}

/** Nine in the morning of the next day. */
const tomorrow = (): string => `${dayOf(new Date(Date.now() + 86_400_000))}T09:00`
