import { WorkspaceMemberJoinedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { BulkMember } from '../../../gen/platform/member/v1/bulk_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, emitAll } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { asksFirst, awaitAsked } from '../memberships/ask.ts'
import { joinedPayload, membershipAdded, wake } from '../memberships/join.ts'
import { hotelLanguage, setMissingLanguage } from '../memberships/languages.sql.ts'
import { lockForNewcomers } from '../memberships/workspace.sql.ts'
import { notReplaceable } from '../onboarding/cancel.ts'
import { inviteAll, type Links } from '../onboarding/invite.ts'
import { hotelsOfEach } from '../people/hotels.sql.ts'
import { bringingMembers, insertMembers } from '../people/sql.ts'
import { announceAccess } from '../rights/announce.ts'
import { defaultRole } from '../rights/grants.sql.ts'
import { checkRole } from '../rights/grants.ts'
import type { Db, Trx } from '../tables.ts'
import { isAddress, nameFault, oncePerKey, type Result, toFailure } from './rules.ts'
import { findPeople, grantOf, joinAll, type Newcomer, type Person } from './sql.ts'

type Caller = { db: Db; bus: Bus; links: Links; tenant: Tenant; actor: EventActor; inviterId: string | null }
type CheckedRow = BulkMember & { index: number; role: string }

/** Adds many members under the rules for adding one. A failed row doesn't affect the others. */
export async function addMembers(caller: Caller, members: BulkMember[]): Promise<Result[]> {
  const { db, tenant } = caller
  const { rows, failures } = await checkRows(db, tenant, members)
  const results = await bringingMembers(() =>
    inTransaction(db, async trx => {
      await lockForNewcomers(trx, tenant)
      return rows.length > 0 ? addRows(trx, caller, rows) : []
    }),
  )
  return [...failures, ...results]
}

/** Checks what the rows say by themselves, and normalises their addresses. */
async function checkRows(db: Db, tenant: Tenant, members: BulkMember[]) {
  const fallback = await defaultRole(db, tenant)
  const checkRoleOnce = oncePerKey(role => checkRole(db, tenant, role))
  const seenEmails = new Set<string>()
  const rows: CheckedRow[] = []
  const failures: Result[] = []
  for (const [index, row] of members.entries()) {
    const role = row.workspaceRole ?? fallback
    const email = normalizeEmail(row.email)
    try {
      if (row.fault) throw invalid('row', row.fault, 'type')
      if (!isAddress(email)) throw invalid('email', 'is not an e-mail address', 'string.email')
      for (const name of ['firstName', 'lastName'] as const) {
        const fault = nameFault(row[name])
        if (fault) throw invalid(name, fault, 'string')
      }
      if (seenEmails.has(email)) throw new ConflictError('The e-mail appears in an earlier row')
      seenEmails.add(email)
      await checkRoleOnce(role)
      rows.push({ ...row, email, index, role })
    } catch (error) {
      failures.push(toFailure(index, error, email ? { email } : {}))
    }
  }
  return { rows, failures }
}

async function addRows(trx: Trx, caller: Caller, rows: CheckedRow[]): Promise<Result[]> {
  const { links, tenant, actor, inviterId } = caller
  const emails = rows.map(row => row.email)
  const people = await findPeople(trx, tenant, emails)
  const personIds = [...people.values()].map(one => one.id)
  const hotels = await hotelsOfEach(trx, personIds)
  const isPresent = ({ email }: CheckedRow) => people.get(email)?.known_id && people.get(email)?.left_at === null
  const isAsked = ({ email }: CheckedRow) => {
    const person = people.get(email)
    return person !== undefined && asksFirst(tenant.ecosystemId, person, hotels.get(person.id) ?? [])
  }
  const absentRows = rows.filter(row => !isPresent(row))
  const invitedEmails = absentRows.filter(row => isAsked(row) || !people.get(row.email)?.user_id).map(row => row.email)
  const refusedEmails = await notReplaceable(trx, tenant, invitedEmails, { actor, memberId: inviterId ?? undefined })
  const acceptedRows = absentRows.filter(row => !refusedEmails.has(row.email))

  const askedRows = acceptedRows.filter(isAsked)
  for (const { role, firstName, lastName, email } of askedRows) {
    const typed = { firstName, lastName, email }
    await awaitAsked(trx, tenant, people.get(email)?.id ?? '', grantOf(role), { typed }, actor)
  }
  const joiningRows = acceptedRows.filter(row => !isAsked(row))
  const newcomers = new Map(joiningRows.map(row => [row.email, toNewcomer(row, people.get(row.email))]))
  if (newcomers.size > 0) await joinTogether(trx, caller, [...newcomers.values()])
  const invitees = [...newcomers.values()]
    .filter(one => one.user_id === null)
    .map(one => ({ ...one, firstName: one.first_name, lastName: optional(one.last_name) }))
  const invitations = [...invitees, ...askedRows].map(({ email, firstName, lastName, role }) => ({
    ...{ email, firstName, lastName, role },
    invitedBy: inviterId,
    permissions: [],
  }))
  await inviteAll(trx, links, tenant, actor, invitations)

  return rows.map(row => {
    const { index, email } = row
    const refusal = isPresent(row)
      ? new ConflictError('The workspace already has a member with this e-mail')
      : refusedEmails.has(email) && new ForbiddenError('Permission denied')
    if (refusal) return toFailure(index, refusal, { email })
    return { index, success: true, memberId: (newcomers.get(email) ?? people.get(email))?.id ?? '', email }
  })
}

/** A known person keeps their names and address. */
const toNewcomer = ({ role, email, firstName, lastName }: CheckedRow, person: Person | undefined): Newcomer => ({
  ...(person ?? {
    id: newId(),
    user_id: null,
    first_name: firstName,
    last_name: lastName,
    email,
    photo_url: null,
    is_active: 1,
    known_id: null,
  }),
  role,
  isNew: !person,
})

/**
 * What `join` does for one. The event is shown in the workspace's room only: a thousand newcomers must not send a
 * thousand notifications to each member.
 */
async function joinTogether(trx: Trx, { bus, tenant, actor }: Caller, newcomers: Newcomer[]): Promise<void> {
  const { workspaceId, ecosystemId, workspaceName } = tenant
  const newPeople = newcomers.filter(one => one.isNew)
  if (newPeople.length > 0)
    await insertMembers(
      trx,
      newPeople.map(one => ({ ...one, firstName: one.first_name, lastName: one.last_name, homeId: ecosystemId })),
    )
  await joinAll(trx, tenant, newcomers)
  const memberIds = newcomers.map(one => one.id)
  await setMissingLanguage(trx, memberIds, await hotelLanguage(trx, tenant))
  for (const one of newcomers) if (one.is_active === 0) await wake(trx, tenant, one.id, actor)
  const changes = newcomers.flatMap(({ id, first_name, last_name, email, role, isNew }) => {
    const added = membershipAdded(actor, id, grantOf(role))
    const after = { firstName: first_name, lastName: last_name, email }
    return isNew ? [{ ...added, action: 'member.created', entity: 'member' as const, after }, added] : [added]
  })
  await audit(trx, tenant, changes)
  const envelope = { workspaceId, ecosystemId, workspaceName, channels: ['socket' as const], actor, receiverIds: [] }
  await emitAll(
    trx,
    WorkspaceMemberJoinedSchema,
    newcomers.map(one => ({ payload: joinedPayload(tenant, one, one.role), envelope })),
  )
  await announceAccess(trx, bus, { memberIds, workspaceId, ecosystemId })
}
