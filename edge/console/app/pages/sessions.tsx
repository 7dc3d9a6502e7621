import { useState } from 'preact/hooks'
import type { Session } from '../../../../gen/client/auth.ts'
import { Toggle } from '../../../front/app/ui/controls.tsx'
import { Breakable } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import { Badge, ConfirmedButton, Filter, ListPager, Nothing, TimeAgo } from '../parts.tsx'
import { useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'

/** Active sessions, with their origin and start. */
export function Sessions() {
  const [filter, setFilter] = useState({ state: 'active', email: '', page: 1 })
  const { state, email, page } = filter
  const sessions = useRefreshed(JSON.stringify(filter), 30_000, () =>
    platform.auth.listSessions({
      ...(state ? { isActive: state === 'active' } : {}),
      ...(email ? { email } : {}),
      page,
      limit: 20,
    }),
  )
  return (
    <Card
      title="Sessions"
      hint="Last used first. The filter matches a part of the address."
      extra={
        <div class="filters row wrap">
          <Filter
            label="E-mail"
            value={email}
            placeholder="hotel.example"
            onValue={next => setFilter({ ...filter, email: next, page: 1 })}
          />
          <Toggle
            label="State"
            value={state}
            choices={{ active: 'Active', ended: 'Ended', '': 'All' }}
            onValue={next => setFilter({ ...filter, state: next, page: 1 })}
          />
        </div>
      }
    >
      {!sessions ? (
        <Loading />
      ) : (
        <DataTable
          label="Sessions"
          columns={sessionColumns}
          rows={sessions.data}
          keyOf={session => session.id}
          empty={<Nothing title="No sessions">Nothing matches the filter.</Nothing>}
        />
      )}
      <ListPager list="sessions" meta={sessions?.meta} go={next => setFilter({ ...filter, page: next })} />
    </Card>
  )
}

const deviceOf = ({ deviceInfo }: Session): string =>
  [deviceInfo?.device, deviceInfo?.os].filter(Boolean).join(' · ') ||
  (deviceInfo?.userAgent ?? '').split(/[ /]/)[0] ||
  format.dash

function State({ isCurrent, isActive }: Session) {
  if (isCurrent) return <Badge text="current" tone="info" />
  return isActive ? <Badge text="active" tone="good" /> : <Badge text="ended" />
}

export const sessionColumns: TableColumn<Session>[] = [
  {
    name: 'Account',
    isWide: true,
    cell: one =>
      one.email && one.userId ? (
        <a href={`#/people/${one.userId}`}>
          <Breakable text={one.email} />
        </a>
      ) : (
        (one.email ?? (one.memberId ? <code>{one.memberId}</code> : format.dash))
      ),
  },
  {
    name: 'Version',
    cell: one => (one.appType ? <Badge text={`legacy ${one.appType}`} tone="warn" /> : <Badge text="modern" />),
  },
  { name: 'Device', cell: deviceOf },
  { name: 'Address', cell: one => one.deviceInfo?.ip ?? format.dash, isMinor: true },
  { name: 'Signed in', cell: one => <TimeAgo moment={one.createdAt} />, isMinor: true },
  { name: 'Last used', cell: one => <TimeAgo moment={one.lastActivity} /> },
  { name: 'State', cell: one => <State {...one} /> },
  {
    name: 'Action',
    cell: one =>
      one.isActive &&
      !one.isCurrent && (
        <div class="actions">
          <EndButton session={one} />
        </div>
      ),
  },
]

function EndButton({ session }: { session: Session }) {
  const account = session.email ?? 'this account'
  return (
    <ConfirmedButton
      label={`End the session of ${session.email ?? session.memberId ?? session.id}`}
      question={{
        title: 'End this session?',
        text: `${account} is signed out on ${deviceOf(session)}. Its tokens are revoked immediately.`,
        submit: 'End session',
        isDanger: true,
        report: `Ended the session of ${account}.`,
      }}
      act={() => platform.auth.endSession({ id: session.id })}
    >
      End
    </ConfirmedButton>
  )
}
