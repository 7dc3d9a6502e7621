import { useState } from 'preact/hooks'
import type { SupportedAccount } from '../../../../gen/client/auth.ts'
import type { Invitation } from '../../../../gen/client/member.ts'
import { Breakable, Facts } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import { Activity, Badge, ConfirmedButton, Filter, ListPager, Nothing, PartCard, TimeAgo } from '../parts.tsx'
import { useFilters, useRecordName } from '../place.ts'
import { loadPart, useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'
import { AuditTable } from './audit.tsx'
import { sessionColumns } from './sessions.tsx'

/** Accounts, and invitations that nobody has accepted. */
export function People() {
  const [{ search }, setFilters] = useFilters(['search'])
  const [pages, setPages] = useState({ accounts: 1, invitations: 1 })
  const filter = search ? { search } : {}
  const lists = useRefreshed(JSON.stringify([search, pages]), 30_000, async () => {
    const [accounts, invitations] = await Promise.all([
      platform.auth.listAccounts({ ...filter, page: pages.accounts, limit: 20 }),
      platform.member.listInvitations({ ...filter, status: 'pending', page: pages.invitations, limit: 10 }),
    ])
    return { accounts, invitations }
  })
  const find = (next: string) => {
    setPages({ accounts: 1, invitations: 1 })
    setFilters({ search: next })
  }
  return (
    <div class="stack">
      <Card
        title="Accounts"
        hint="By e-mail address. A row opens the person, with what can be done for them."
        extra={<Filter label="Search" value={search} placeholder="name or e-mail" onValue={find} />}
      >
        {!lists ? (
          <Loading />
        ) : (
          <DataTable
            label="Accounts"
            columns={accountColumns}
            rows={lists.accounts.data}
            keyOf={one => one.id}
            href={one => `#/people/${one.id}`}
            empty={<Nothing title="No accounts">No name or address contains this text.</Nothing>}
          />
        )}
        <ListPager list="accounts" meta={lists?.accounts.meta} go={page => setPages({ ...pages, accounts: page })} />
      </Card>
      {lists && (lists.invitations.meta?.total ?? 0) > 0 && (
        <Card title="Open invitations" hint="People who have not joined yet, newest first">
          <DataTable
            label="Open invitations"
            columns={invitationColumns}
            rows={lists.invitations.data}
            keyOf={one => one.id}
          />
          <ListPager
            list="invitations"
            meta={lists.invitations.meta}
            go={page => setPages({ ...pages, invitations: page })}
          />
        </Card>
      )}
    </div>
  )
}

type PersonName = { firstName: string | null; lastName: string | null }
const fullName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ') || format.dash

/** What keeps somebody from signing in, or that nothing does. */
function AccountState({ isActive, isVerified, lockedUntil }: SupportedAccount) {
  if (!isActive) return <Activity isActive={false} />
  if (lockedUntil) return <Badge text="locked" tone="bad" />
  return isVerified ? <Activity isActive /> : <Badge text="unconfirmed" tone="warn" />
}

const accountColumns: TableColumn<SupportedAccount>[] = [
  { name: 'E-mail', cell: one => <Breakable text={one.email} />, isWide: true },
  { name: 'Name', cell: fullName, isWide: true },
  { name: 'State', cell: one => <AccountState {...one} /> },
  { name: 'Sessions', cell: one => format.count(one.activeSessions), isNumber: true },
  { name: 'Signed in', cell: one => <TimeAgo moment={one.lastLoginAt} /> },
]

const invitationColumns: TableColumn<Invitation>[] = [
  { name: 'E-mail', cell: one => <Breakable text={one.email} />, isWide: true },
  { name: 'Name', cell: fullName, isWide: true },
  { name: 'Role', cell: one => one.workspaceRole },
  { name: 'Hotel', cell: one => <a href={`#/hotels/${one.ecosystemId}`}>Hotel</a> },
  { name: 'Expires', cell: one => <TimeAgo moment={one.expiresAt} /> },
  {
    name: 'Action',
    cell: one => (
      <div class="actions">
        <ConfirmedButton
          label={`Resend the invitation of ${one.email}`}
          question={{
            title: 'Resend this invitation?',
            text: `${one.email} gets a new link, valid for 7 days; the earlier link ends. You are then the person who invites.`,
            submit: 'Resend',
            report: `Resent the invitation of ${one.email}.`,
          }}
          act={() => platform.member.resendInvitation({ id: one.id, body: {} })}
        />
      </div>
    ),
  },
]

async function readPerson(id: string) {
  const account = await loadPart(platform.auth.listAccounts({ search: id, limit: 1 }))
  const one = account.answer?.data.find(candidate => candidate.id === id)
  const [sessions, entries, places] = await Promise.all([
    loadPart(platform.auth.listSessions({ userId: id, isActive: true, limit: 20 })),
    loadPart(platform.member.listPlatformAuditEntries({ entityId: id, limit: 10 })),
    loadPart(one ? readPlaces(one.email) : Promise.resolve([])),
  ])
  return { error: account.error, account: one, sessions, entries, places }
}

/** Workspaces of the member with an address. */
async function readPlaces(email: string) {
  const { data } = await platform.member.listMembers({ search: email, limit: 5 })
  const memberships = data.filter(one => one.email === email).flatMap(({ workspaces }) => workspaces)
  return Promise.all(
    memberships.slice(0, 10).map(async ({ workspaceId, workspaceRole: role, status }) => {
      const { answer } = await loadPart(platform.member.getWorkspace({ id: workspaceId }))
      return { workspaceId, role, status, name: answer?.name, hotelId: answer?.ecosystemId }
    }),
  )
}

/** One person: what keeps them from signing in, their sessions and workspaces, and what was done for them. */
export function Person({ id }: { id: string }) {
  const readings = useRefreshed(id, 15_000, () => readPerson(id))
  useRecordName(readings?.account ? readings.account.email : 'Person')
  if (!readings) return <Loading />
  const { error, account, sessions, entries, places } = readings
  return (
    <div class="stack">
      <p>
        <a href="#/people">All people</a>
      </p>
      <PartCard
        title="Account"
        extra={account && <AccountActions account={account} />}
        part={{ answer: account, error }}
        show={one => <AccountFacts account={one} />}
        missingText={<Nothing title="Not found">The account was deleted, or never existed.</Nothing>}
      />
      <PartCard
        title="Workspaces"
        part={places}
        show={list =>
          list.length === 0 ? (
            <Nothing title="None">This account belongs to no hotel.</Nothing>
          ) : (
            <ul class="rows" aria-label="Workspaces">
              {list.map(one => (
                <li key={one.workspaceId}>
                  <a href={`#/hotels/${one.hotelId}`}>{one.name ?? one.workspaceId}</a>
                  <span>{one.role}</span>
                  <span class="hint">{one.status}</span>
                </li>
              ))}
            </ul>
          )
        }
      />
      <PartCard
        title="Active sessions"
        part={sessions}
        show={({ data }) => (
          <DataTable
            label="Sessions"
            columns={sessionColumns}
            rows={data}
            keyOf={one => one.id}
            empty={<Nothing title="Not signed in" />}
          />
        )}
      />
      <PartCard
        title="Audit"
        hint="What operators did for this account"
        part={entries}
        show={({ data }) => <AuditTable entries={data} />}
      />
    </div>
  )
}

type AccountProps = { account: SupportedAccount }

const AccountFacts = ({ account }: AccountProps) => (
  <Facts
    facts={[
      ['State', <AccountState {...account} />],
      ['Locked until', account.lockedUntil && format.time(account.lockedUntil)],
      ['Name', fullName(account)],
      ['E-mail', <Breakable text={account.email} />],
      ['Address', account.isVerified ? 'confirmed' : 'not confirmed'],
      ['Signed in', account.lastLoginAt && format.time(account.lastLoginAt)],
      ['Since', format.time(account.createdAt)],
      ['Id', <code>{account.id}</code>],
    ]}
  />
)

/** What an operator can do for an account; each is in the audit log of the platform. */
const AccountActions = ({ account: { id: userId, email, isVerified, activeSessions } }: AccountProps) => (
  <div class="actions">
    {!isVerified && (
      <ConfirmedButton
        question={{
          title: `Send the confirmation to ${email} again?`,
          text: 'A new link is mailed to this address; the earlier link ends.',
          submit: 'Resend confirmation',
          report: `Sent to ${email}.`,
        }}
        act={() => platform.auth.sendAccountConfirmation({ userId })}
      />
    )}
    <ConfirmedButton
      question={{
        title: `Unlock ${email}?`,
        text: 'Wrong passwords and codes of this account are forgotten, also those from addresses that it signed in from. Somebody who was guessing can go on.',
        submit: 'Unlock',
        report: `Unlocked ${email}.`,
      }}
      act={() => platform.auth.unlockAccount({ userId })}
    />
    <ConfirmedButton
      variant="danger"
      question={{
        title: `End all sessions of ${email}?`,
        text: `${format.plural(activeSessions, 'session')} end at once on every device; what was not saved is lost. The password stays valid.`,
        submit: 'End all sessions',
        isDanger: true,
        report: `Ended the sessions of ${email}.`,
      }}
      act={() => platform.auth.endAccountSessions({ userId })}
    />
  </div>
)
