import { useState } from 'preact/hooks'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList } from '../platform/growing-list.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { saveAnswer } from '../ui/download.ts'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { Toggle } from '../ui/toggle.tsx'

const states = ['pending', 'acknowledged'] as const
type Status = (typeof states)[number]

/** Who has read a must-read page and who hasn't; nothing for another page. */
export function Readers({ pageId }: { pageId: string }) {
  const t = useTexts('figures/readers')
  const nameOf = useNameOf()
  const { may } = useMemberContext()
  const [status, setStatus] = useState<Status>('pending')
  const list = useGrowingList(`readers/${pageId}/${status}`, (page, signal) => readersOf(pageId, status, page, signal))
  const sendReminder = useAction(async () => {
    const { remindedCount, reachedNow, reachedLater } = await platform.news.remindReaders({ pageId })
    notify(
      reachedLater
        ? fill(t.reached, { now: reachedNow ?? 0, later: reachedLater })
        : fill(t.reminded, { count: remindedCount }),
    )
  })
  const save = useAction(async (format: 'csv' | 'xlsx') => {
    await saveAnswer(await platform.news.exportReaders({ pageId, format }), `${t.title}.${format}`)
    notify(t.exported)
  })
  const { rows, total, error } = list
  if (error instanceof PlatformError && error.status === 404) return null
  return (
    <section class="card" aria-label={t.title}>
      <header class="section-head">
        <h2>{t.title}</h2>
        {status === 'pending' && total > 0 && may('send_notifications') && (
          <Button
            variant="main"
            class="small"
            icon="bell"
            isBusy={sendReminder.isRunning}
            onClick={() => void sendReminder.run()}
          >
            {t.remind}
          </Button>
        )}
      </header>
      <Problem error={sendReminder.error} statusTexts={{ 429: t.tooSoon }} />
      <Problem error={error} onRetry={() => void list.reload()} />
      <Toggle
        label={t.whom}
        value={status}
        choices={states.map(value => ({ value, text: t[value] }))}
        onValue={setStatus}
      />
      {!rows && !error && <Loading />}
      {rows && (
        <p role="status">
          {total > 0 ? fill(t.people, { count: total }) : status === 'pending' ? t.allRead : t.nobody}
        </p>
      )}
      <ul class="reader-list" aria-label={t.list}>
        {rows?.map(({ id, member, hasViewed, acknowledgedAt }) => (
          <li key={id}>
            <Avatar person={member} size={36} />
            <span>
              <strong>{nameOf(member)}</strong>
              <span class="hint">
                {acknowledgedAt
                  ? fill(t.at, { time: dateAndTimeOf(acknowledgedAt) })
                  : hasViewed
                    ? t.viewed
                    : t.notViewed}
              </span>
            </span>
            {acknowledgedAt && <Icon name="check" />}
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
      <div class="actions">
        <Button class="small" icon="download" isBusy={save.isRunning} onClick={() => void save.run('csv')}>
          {t.downloadCsv}
        </Button>
        <Button class="small" icon="download" isBusy={save.isRunning} onClick={() => void save.run('xlsx')}>
          {t.downloadXlsx}
        </Button>
      </div>
      <Problem error={save.error} />
    </section>
  )
}

async function readersOf(pageId: string, status: Status, page: number, signal: AbortSignal) {
  const { data, meta } = await platform.news.listReaders({ pageId, status, page, limit: 100 }, { signal })
  return { data: data.map(reader => ({ ...reader, id: reader.member?.id ?? '' })), meta }
}
