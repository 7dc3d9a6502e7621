import { useState } from 'preact/hooks'
import type { SupportedAccount } from '../../../../gen/client/auth.ts'
import type { Invitation } from '../../../../gen/client/member.ts'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import * as format from '../format.ts'
import { Activity, Badge, Breakable, Card, ConfirmedButton, Filter, ListPager, Nothing, TimeAgo } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { type DataColumn, DataTable } from '../table.tsx'

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
        ) : lists.accounts.data.length > 0 ? (
          <DataTable
            label="Accounts"
            columns={accountColumns}
            rows={lists.accounts.data}
            keyOf={one => one.id}
            href={one => `#/people/${one.id}`}
          />
        ) : (
          <Nothing title="No accounts">No name or address contains this text.</Nothing>
        )}
        <ListPager
          of="accounts"
          meta={lists?.accounts.meta ?? null}
          go={page => setPages({ ...pages, accounts: page })}
        />
      </Card>
      {lists && lists.invitations.data.length > 0 && (
        <Card title="Open invitations" hint="People who have not joined yet, newest first">
          <DataTable
            label="Open invitations"
            columns={invitationColumns}
            rows={lists.invitations.data}
            keyOf={one => one.id}
          />
          <ListPager
            of="invitations"
            meta={lists.invitations.meta}
            go={page => setPages({ ...pages, invitations: page })}
          />
        </Card>
      )}
    </div>
  )
}

type PersonName = { firstName: string | null; lastName: string | null }
export const fullName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ') || format.dash

/** What keeps somebody from signing in, or that nothing does. */
export function AccountState({ isActive, isVerified, lockedUntil }: SupportedAccount) {
  if (!isActive) return <Activity isActive={false} />
  if (lockedUntil) return <Badge text="locked" tone="bad" />
  return isVerified ? <Activity isActive /> : <Badge text="unconfirmed" tone="warn" />
}

const accountColumns: DataColumn<SupportedAccount>[] = [
  { head: 'E-mail', cell: one => <Breakable name={one.email} />, isWide: true },
  { head: 'Name', cell: fullName, isWide: true },
  { head: 'State', cell: one => <AccountState {...one} /> },
  { head: 'Sessions', cell: one => format.count(one.activeSessions), isNumber: true },
  { head: 'Signed in', cell: one => <TimeAgo moment={one.lastLoginAt} /> },
]

const invitationColumns: DataColumn<Invitation>[] = [
  { head: 'E-mail', cell: one => <Breakable name={one.email} />, isWide: true },
  { head: 'Name', cell: fullName, isWide: true },
  { head: 'Role', cell: one => one.workspaceRole },
  { head: 'Hotel', cell: one => <a href={`#/hotels/${one.ecosystemId}`}>Hotel</a> },
  { head: 'Expires', cell: one => <TimeAgo moment={one.expiresAt} /> },
  {
    head: 'Action',
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
