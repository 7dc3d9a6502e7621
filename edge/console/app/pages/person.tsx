import type { SupportedAccount } from '../../../../gen/client/auth.ts'
import { Facts } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import * as format from '../format.ts'
import { Card, ConfirmedButton, Nothing, PartOf } from '../parts.tsx'
import { useRecordName } from '../place.ts'
import { loadPart, useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'
import { AuditTable } from './audit.tsx'
import { AccountState, fullName } from './people.tsx'
import { sessionColumns } from './sessions.tsx'

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
      <Card title="Account" extra={account && <AccountActions account={account} />}>
        <PartOf
          part={{ answer: account, error }}
          show={one => <AccountFacts account={one} />}
          missingText={<Nothing title="Not found">The account was deleted, or never existed.</Nothing>}
        />
      </Card>
      <Card title="Workspaces">
        <PartOf
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
      </Card>
      <Card title="Active sessions">
        <PartOf
          part={sessions}
          show={({ data }) =>
            data.length === 0 ? (
              <Nothing title="Not signed in" />
            ) : (
              <DataTable label="Sessions" columns={sessionColumns} rows={data} keyOf={one => one.id} />
            )
          }
        />
      </Card>
      <Card title="Audit" hint="What operators did for this account">
        <PartOf
          part={entries}
          show={({ data }) => (data.length === 0 ? <Nothing title="No entries" /> : <AuditTable entries={data} />)}
        />
      </Card>
    </div>
  )
}

const AccountFacts = ({ account }: { account: SupportedAccount }) => (
  <Facts
    facts={[
      ['State', <AccountState {...account} />],
      ['Locked until', account.lockedUntil && format.time(account.lockedUntil)],
      ['Name', fullName(account)],
      ['E-mail', account.email],
      ['Address', account.isVerified ? 'confirmed' : 'not confirmed'],
      ['Signed in', account.lastLoginAt && format.time(account.lastLoginAt)],
      ['Since', format.time(account.createdAt)],
      ['Id', <code>{account.id}</code>],
    ]}
  />
)

/** What an operator can do for an account; each is in the audit log of the platform. */
const AccountActions = ({
  account: { id: userId, email, isVerified, activeSessions },
}: {
  account: SupportedAccount
}) => (
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
