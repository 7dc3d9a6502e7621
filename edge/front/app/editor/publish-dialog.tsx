import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { localOf, momentOf, zoneName } from '../platform/times.ts'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import type { PageDraft } from './draft.ts'

/** Publishes at once, or at a time in the browser's zone. */
export function PublishDialog({ draft, onClose }: { draft: PageDraft; onClose: () => void }) {
  const t = useTexts('editor/publish-dialog')
  const { page, fields } = useStore(draft.state)
  const [isLater, setLater] = useState(Boolean(page?.scheduledAt))
  const [time, setTime] = useState(() => localOf(page?.scheduledAt ?? tomorrow()))
  const [fault, setFault] = useState<string>()
  const publish = useAction(async () => {
    await draft.callWithVersion(async (input, options) => ({
      ...(await platform.news.publishPage(input, options)),
      scheduledAt: null,
    }))
    onClose()
    notify(t.published)
  })
  const schedule = useAction(async (scheduledAt: string) => {
    await draft.callWithVersion((input, options) =>
      platform.news.schedulePage({ ...input, body: { scheduledAt } }, options),
    )
    onClose()
    notify(fill(t.scheduled, { time: dateAndTimeOf(scheduledAt) }))
  })
  const submit = () => {
    if (!isLater) return void publish.run()
    const moment = momentOf(time)
    if (moment === null || Date.parse(moment) <= Date.now()) return setFault(t.past)
    setFault(undefined)
    void schedule.run(moment)
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Problem error={publish.error ?? schedule.error} />
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
        {isLater && (
          <TextField
            label={t.at}
            hint={fill(t.zone, { zone: zoneName() })}
            error={fault}
            type="datetime-local"
            required
            value={time}
            onValue={setTime}
          />
        )}
        <p class="hint">{fields.enableNotifications ? t.notified : t.silent}</p>
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="main" type="submit" isBusy={publish.isRunning || schedule.isRunning}>
            {isLater ? t.schedule : t.publish}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}

/** Nine in the morning of the next day. */
function tomorrow(): string {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  date.setHours(9, 0, 0, 0)
  return date.toISOString()
}
