import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { EventPage } from '../answers.ts'
import * as format from '../format.ts'
import { Filter, Nothing, PartCard } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { loadPart, useRefreshed } from '../refresh.ts'
import { platform, readConsole } from '../session.ts'
import { AuditTable } from './audit.tsx'
import { EventTable } from './events.tsx'

/** What the platform keeps of one request: its changes and its events. Calls and log lines are in the log only. */
export function Requests() {
  const [{ id }, setFilters] = useFilters(['id'])
  const readings = useRefreshed(id, 10_000, async () => {
    if (!id) return undefined
    const [entries, events] = await Promise.all([
      loadPart(platform.member.listPlatformAuditEntries({ requestId: id, limit: 100 })),
      loadPart(readConsole<EventPage>('events', { about: [id], limit: 100 })),
    ])
    return { entries, events }
  })
  return (
    <div class="stack">
      <Card
        title="Find a request"
        hint="Each answer has an id in its header X-Request-Id, and each error in its body."
        extra={
          <Filter
            label="Request id"
            value={id}
            placeholder="from an error message"
            onValue={next => setFilters({ id: next })}
          />
        }
      >
        {id && (
          <p>
            The platform does not store calls and log lines: look for <code>"requestId":"{id}"</code> in the log of its
            processes, and for <code>platform.request_id</code> in your traces. Its log names failed and refused calls
            and each attempt at an account; other calls leave their changes and events only.
          </p>
        )}
      </Card>
      {id && !readings && <Loading />}
      {readings && (
        <>
          <PartCard
            title="Changes"
            hint="Entries of the audit logs of all workspaces"
            part={readings.entries}
            show={({ data }) => <AuditTable entries={data} emptyText="No entry has this request id." />}
          />
          <PartCard
            title="Events"
            hint="Published by the request, and by what handled its events"
            part={readings.events}
            show={({ data, from, first, to }) => (
              <>
                <EventTable events={data} empty={<Nothing title="No events">None has this request id.</Nothing>} />
                {from > first && (
                  <p class="hint">The latest {format.count(to - from + 1)} events were searched, not older ones.</p>
                )}
              </>
            )}
          />
        </>
      )}
    </div>
  )
}
