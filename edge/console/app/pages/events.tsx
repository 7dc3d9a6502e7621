import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../../../front/app/ui/controls.tsx'
import { Breakable, Facts } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import type { ConsoleEvent, EventPage } from '../answers.ts'
import * as format from '../format.ts'
import { Badge, Filter, JsonText, Nothing, openSheet, RequestLink, TimeAgo } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { refresh, useRefreshed } from '../refresh.ts'
import { readConsole } from '../session.ts'
import { DataTable } from '../table.tsx'

/** Maximum of events on the page: scrolling back drops the newest. */
const maxEvents = 500

/** The loaded events with the searched and the stored sequences. `isBack` once the newest were dropped. */
type LoadedEvents = EventPage & { isBack: boolean }

/** The live event stream, newest first, without payloads. */
export function Events() {
  const [filters, setFilters] = useFilters(['type', 'about'])
  const loaded = useRef<LoadedEvents | undefined>(undefined)
  const key = JSON.stringify(filters)
  const loadedKey = useRef(key)
  if (loadedKey.current !== key) {
    loadedKey.current = key
    loaded.current = undefined
  }
  const wantsOlder = useRef(false)
  const read = (range: { before?: number; after?: number; limit?: number }) =>
    readConsole<EventPage>('events', {
      type: filters.type || undefined,
      about: filters.about.split(/[\s,]+/).filter(Boolean),
      limit: 100,
      ...range,
    })
  const events = useRefreshed(key, 3_000, async () => {
    const isOlder = wantsOlder.current && loaded.current
    wantsOlder.current = false
    const next = isOlder ? await olderEvents(isOlder, read) : await newerEvents(loaded.current, read)
    // Answers for a former filter belong to the list before.
    if (loadedKey.current === key) loaded.current = next
    return next
  })
  const showOlder = () => {
    wantsOlder.current = true
    void refresh()
  }
  const showNewest = () => {
    loaded.current = undefined
    void refresh()
  }
  return (
    <Card
      title="Stream"
      hint="Envelopes only, with the id of the record. Types match by a part of the text, ids as a whole."
      extra={
        <div class="filters row wrap">
          <Filter
            label="Type"
            value={filters.type}
            placeholder="page.created"
            list="event-types"
            onValue={type => setFilters({ type })}
          />
          <Filter
            label="Id"
            value={filters.about}
            placeholder="hotel, record …"
            onValue={about => setFilters({ about })}
          />
          <datalist id="event-types">
            {[...new Set(events?.data.map(nameOf))].toSorted().map(type => (
              <option key={type} value={type} />
            ))}
          </datalist>
        </div>
      }
    >
      {events ? (
        <EventList
          events={events}
          isFiltered={Boolean(filters.type || filters.about)}
          showOlder={showOlder}
          showNewest={showNewest}
        />
      ) : (
        <Loading />
      )}
    </Card>
  )
}

type Read = (range: { before?: number; after?: number; limit?: number }) => Promise<EventPage>

async function newerEvents(loaded: LoadedEvents | undefined, read: Read): Promise<LoadedEvents> {
  if (loaded?.isBack) return loaded
  const answer = await read(loaded ? { after: loaded.to } : { limit: 50 })
  // The stream was recreated, or one answer didn't hold all new events: the list starts over.
  if (!loaded || answer.last < loaded.to || answer.from > loaded.to + 1)
    return { ...answer, to: Math.max(answer.to, answer.last), isBack: false }
  const data = [...answer.data, ...loaded.data].slice(0, maxEvents)
  const from = data.length === maxEvents ? (data.at(-1)?.sequence ?? loaded.from) : loaded.from
  return { ...answer, data, from, to: Math.max(answer.to, answer.last), isBack: false }
}

async function olderEvents(loaded: LoadedEvents, read: Read): Promise<LoadedEvents> {
  const answer = await read({ before: loaded.from })
  const data = [...loaded.data, ...answer.data]
  return {
    ...loaded,
    data: data.slice(-maxEvents),
    from: answer.from,
    isBack: loaded.isBack || data.length > maxEvents,
  }
}

type EventListProps = {
  events: LoadedEvents
  isFiltered: boolean
  showOlder: () => void
  showNewest: () => void
}

function EventList({ events, isFiltered, showOlder, showNewest }: EventListProps) {
  const { data, first, last, from, to, isBack } = events
  const hasOlder = from > first
  const storedCount = format.short(Math.max(0, last - first + 1))
  const searchedCount = format.count(Math.max(0, to - from + 1))
  return (
    <>
      <EventTable
        events={data}
        empty={
          isFiltered ? (
            <Nothing title="No matching events">
              {hasOlder ? `None among the latest ${searchedCount}.` : 'None among all stored events.'}
            </Nothing>
          ) : (
            <Nothing title="No events yet">New events appear here.</Nothing>
          )
        }
      />
      <div class="actions">
        <span class="hint">
          {isFiltered
            ? `${format.count(data.length)} matching among the latest ${searchedCount} of ${storedCount} on the bus`
            : `${format.count(data.length)} loaded, ${storedCount} on the bus`}
        </span>
        {isBack && (
          <Button class="small" onClick={showNewest}>
            Back to newest
          </Button>
        )}
        {hasOlder && (
          <Button class="small" onClick={showOlder}>
            {isFiltered ? 'Search older' : 'Load older'}
          </Button>
        )}
      </div>
    </>
  )
}

const nameOf = ({ type, key }: ConsoleEvent): string => type ?? key

const columns: TableColumn<ConsoleEvent>[] = [
  { name: 'Type', cell: event => <Breakable text={nameOf(event)} />, isWide: true },
  {
    name: `Time (${format.zone})`,
    cell: event => (
      <time dateTime={event.storedAt} title={format.time(event.storedAt)}>
        {timeOf(event.storedAt)}
      </time>
    ),
  },
  { name: 'Number', cell: event => format.count(event.sequence), isNumber: true },
  { name: 'Routing key', cell: event => <code>{event.key}</code>, isMinor: true },
  { name: 'Channels', cell: event => event.channels.map(name => <Badge key={name} text={name} />) },
  { name: 'Receivers', cell: event => format.count(event.receivers), isNumber: true, isMinor: true },
  { name: 'Size', cell: event => format.bytes(event.bytes), isNumber: true, isMinor: true },
]

/** Events; a row opens the envelope. */
export const EventTable = ({ events, empty }: { events: ConsoleEvent[]; empty: ComponentChildren }) => (
  <DataTable
    label="Events"
    columns={columns}
    rows={events}
    keyOf={event => String(event.sequence)}
    onRow={openEvent}
    empty={empty}
  />
)

/** The time, with the day of events of another day. */
function timeOf(moment: string): string {
  const day = format.dayOf(moment)
  return day === format.dayOf(Date.now()) ? format.exactTime(moment) : `${day}, ${format.exactTime(moment)}`
}

/** What the routing key says beyond the type. */
const routeOf = (event: ConsoleEvent): string => event.key.replace(nameOf(event), '').replace(/^platform\.|\.$/g, '')

type EventRowsProps = { label: string; answer: EventPage }

/** Events on one line each, for other pages. */
export const EventRows = ({ label, answer: { data, from, first } }: EventRowsProps) =>
  data.length === 0 ? (
    <Nothing title="No events">{from > first ? 'None among the latest.' : 'None among all stored events.'}</Nothing>
  ) : (
    <ul class="rows" aria-label={label}>
      {data.map(event => (
        <li key={event.sequence}>
          <b>
            <Breakable text={nameOf(event)} />
          </b>
          <code class="hint">{routeOf(event)}</code>
          <span class="hint">
            <TimeAgo moment={event.storedAt} />
          </span>
        </li>
      ))}
    </ul>
  )

const openEvent = (event: ConsoleEvent): void =>
  openSheet(nameOf(event), () => (
    <>
      <Facts
        facts={[
          ['Sequence', format.count(event.sequence)],
          ['Stored', format.time(event.storedAt)],
          ['Routing key', <code>{event.key}</code>],
          ['Message id', event.id && <code>{event.id}</code>],
          ['Record', event.recordId && <a href={`#/events?about=${event.recordId}`}>{event.recordId}</a>],
          ['Workspace', event.workspaceId && <code>{event.workspaceId}</code>],
          ['Hotel', event.ecosystemId && <a href={`#/hotels/${event.ecosystemId}`}>{event.ecosystemId}</a>],
          ['Caused by', event.actorType],
          ['Request', event.requestId && <RequestLink id={event.requestId} />],
          ['Redriven for', event.redrivenFor],
          ['Redriven from', event.redrivenFrom && `dead letter #${event.redrivenFrom}`],
        ]}
      />
      <h3>Envelope</h3>
      <JsonText value={event} />
    </>
  ))
