import { useState } from 'preact/hooks'
import type { Session } from '../../../../gen/client/auth.ts'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Toggle } from '../../../front/app/ui/toggle.tsx'
import * as format from '../format.ts'
import { Badge, Card, ConfirmedButton, Filter, ListPager, Nothing, TimeAgo } from '../parts.tsx'
import { useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { type DataColumn, DataTable } from '../table.tsx'

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
        <div class="filters">
          <Filter
            label="E-mail"
            value={email}
            placeholder="hotel.example"
            onValue={next => setFilter({ ...filter, email: next, page: 1 })}
          />
          <Toggle
            label="State"
            value={state}
            choices={[
              { value: 'active', text: 'Active' },
              { value: 'ended', text: 'Ended' },
              { value: '', text: 'All' },
            ]}
            onValue={next => setFilter({ ...filter, state: next, page: 1 })}
          />
        </div>
      }
    >
      {!sessions ? (
        <Loading />
      ) : sessions.data.length > 0 ? (
        <DataTable label="Sessions" columns={sessionColumns} rows={sessions.data} keyOf={session => session.id} />
      ) : (
        <Nothing title="No sessions">Nothing matches the filter.</Nothing>
      )}
      <ListPager of="sessions" meta={sessions?.meta ?? null} go={next => setFilter({ ...filter, page: next })} />
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

export const sessionColumns: DataColumn<Session>[] = [
  {
    head: 'Account',
    isWide: true,
    cell: one =>
      one.email && one.userId ? (
        <a href={`#/people/${one.userId}`}>{one.email}</a>
      ) : (
        (one.email ?? (one.memberId ? <code>{one.memberId}</code> : format.dash))
      ),
  },
  {
    head: 'Version',
    cell: one => (one.appType ? <Badge text={`legacy ${one.appType}`} tone="warn" /> : <Badge text="modern" />),
  },
  { head: 'Device', cell: deviceOf },
  { head: 'Address', cell: one => one.deviceInfo?.ip ?? format.dash, isMinor: true },
  { head: 'Signed in', cell: one => <TimeAgo moment={one.createdAt} />, isMinor: true },
  { head: 'Last used', cell: one => <TimeAgo moment={one.lastActivity} /> },
  { head: 'State', cell: one => <State {...one} /> },
  {
    head: 'Action',
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
