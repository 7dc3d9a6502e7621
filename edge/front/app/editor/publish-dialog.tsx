import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { dayOf, localOf, momentOf } from '../platform/times.ts'
import { Button, Checkbox, Form } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { MomentField } from '../ui/moment-field.tsx'
import type { PageDraft } from './draft.ts'

/** Publishes at once or at a time: whether it must be read, by when, and whether people are notified. */
export function PublishDialog({ draft, onClose }: { draft: PageDraft; onClose: () => void }) {
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
  const submit = () => {
    const scheduledAt = isLater ? (momentOf(time) ?? '') : undefined
    const dueAt = (mustRead && momentOf(deadline)) || undefined
    const start = Math.max(Date.now(), scheduledAt ? Date.parse(scheduledAt) : 0)
    const nextFaults = {
      ...(scheduledAt !== undefined && !(Date.parse(scheduledAt) > Date.now()) ? { time: t.past } : {}),
      ...(dueAt && Date.parse(dueAt) <= start ? { deadline: t.dueTooEarly } : {}),
    }
    setFaults(nextFaults)
    if (Object.keys(nextFaults).length === 0) void publish.run(scheduledAt, dueAt)
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Problem error={publish.error ?? storedDeadline.error} />
      <Form onSubmit={submit}>
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
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="main" type="submit" isBusy={publish.isRunning}>
            {isLater ? t.schedule : t.publish}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}

/** Nine in the morning of the next day. */
const tomorrow = (): string => `${dayOf(new Date(Date.now() + 86_400_000))}T09:00`
