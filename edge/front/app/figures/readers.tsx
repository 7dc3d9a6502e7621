import { useState } from 'preact/hooks'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, Toggle } from '../ui/controls.tsx'
import { ExportButtons } from '../ui/download.tsx'
import { Loaded, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/page.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { ShowMore } from '../ui/table.tsx'

type Status = 'pending' | 'acknowledged'

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
  const { total, error } = list
  if (error instanceof PlatformError && error.status === 404) return null
  return (
    <Card
      title={t.title}
      extra={
        status === 'pending' &&
        total > 0 &&
        may('send_notifications') && (
          <Button variant="main" class="small" icon="bell" action={sendReminder}>
            {t.remind}
          </Button>
        )
      }
    >
      <Problem error={sendReminder.error} statusTexts={{ 429: t.tooSoon }} />
      <Toggle
        label={t.whom}
        value={status}
        choices={{ pending: t.pending, acknowledged: t.acknowledged }}
        onValue={setStatus}
      />
      <Loaded load={list}>
        {rows => (
          <>
            <p role="status">
              {total > 0 ? fill(t.people, { count: total }) : status === 'pending' ? t.allRead : t.nobody}
            </p>
            <ul class="reader-list stack" aria-label={t.list}>
              {rows.map(({ id, member, hasViewed, acknowledgedAt }) => (
                <li key={id} class="row">
                  <Avatar person={member} size={36} />
                  <span class="grow">
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
          </>
        )}
      </Loaded>
      <ShowMore list={list} />
      <ExportButtons
        class="small"
        name={t.title}
        report={t.exported}
        load={format => platform.news.exportReaders({ pageId, format })}
      />
    </Card>
  )
}

async function readersOf(pageId: string, status: Status, page: number, signal: AbortSignal) {
  const { data, meta } = await platform.news.listReaders({ pageId, status, page, limit: 100 }, { signal })
  return { data: data.map(reader => ({ ...reader, id: reader.member?.id ?? '' })), meta }
}
