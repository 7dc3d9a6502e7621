import { WorkspaceMemberJoinedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { BulkMember } from '../../../gen/platform/member/v1/bulk_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { emitAll } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { hotelMembershipsByMember } from '../hotel-memberships/sql.ts'
import { findIrreplaceable } from '../onboarding/cancel.ts'
import { inviteAll } from '../onboarding/invite.ts'
import { insertMembers, retryOnTakenEmail } from '../people/sql.ts'
import { publishAccessChange, workspaceScope } from '../rights/announce.ts'
import { findDefaultRoleSlug } from '../rights/grants.sql.ts'
import { checkRole, isAllowed } from '../rights/grants.ts'
import type { Db, Trx } from '../tables.ts'
import { grantOf } from '../workspace-memberships/join.sql.ts'
import { joinedPayload, membershipAdded, reactivateOnJoin } from '../workspace-memberships/join.ts'
import { hotelLanguage, setMissingLanguage } from '../workspace-memberships/languages.sql.ts'
import { inviteKnownPerson, mustAcceptFirst } from '../workspace-memberships/pending.ts'
import { checkRegained } from '../workspace-memberships/ranks.ts'
import { lockForJoining } from '../workspace-memberships/workspace.sql.ts'
import { type BulkCall, type BulkResult, isAddress, nameFault, oncePerKey, toFailure } from './rules.ts'
import { type BulkNewcomer, type BulkPerson, findPeople, joinAll } from './sql.ts'

type CheckedRow = BulkMember & { index: number; role: string }

/** Adds many members under the rules for adding one. A failed row doesn't affect the others. */
export async function addMembers(call: BulkCall, members: BulkMember[]): Promise<BulkResult[]> {
  const { db, tenant } = call
  const { rows, failures } = await checkRows(db, tenant, members)
  const results = await retryOnTakenEmail(() =>
    inTransaction(db, async trx => {
      await lockForJoining(trx, tenant)
      return rows.length > 0 ? addRows(trx, call, rows) : []
    }),
  )
  return [...failures, ...results]
}

/** Checks what the rows say by themselves, and normalises their addresses. */
async function checkRows(db: Db, tenant: Tenant, members: BulkMember[]) {
  const fallback = await findDefaultRoleSlug(db, tenant)
  const checkRoleOnce = oncePerKey(role => checkRole(db, tenant, role))
  const seenEmails = new Set<string>()
  const rows: CheckedRow[] = []
  const failures: BulkResult[] = []
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

async function addRows(trx: Trx, call: BulkCall, rows: CheckedRow[]): Promise<BulkResult[]> {
  const { links, tenant, caller } = call
  const emails = rows.map(row => row.email)
  const people = await findPeople(trx, tenant, emails)
  const personIds = [...people.values()].map(one => one.id)
  const hotels = await hotelMembershipsByMember(trx, personIds)
  const isPresent = ({ email }: CheckedRow) => people.get(email)?.known_id && people.get(email)?.left_at === null
  const isAsked = ({ email }: CheckedRow) => {
    const person = people.get(email)
    return person !== undefined && mustAcceptFirst(tenant.ecosystemId, person, hotels.get(person.id) ?? [])
  }
  const absentRows = rows.filter(row => !isPresent(row))
  const invitedEmails = absentRows.filter(row => isAsked(row) || !people.get(row.email)?.user_id).map(row => row.email)
  const refusedEmails = await findIrreplaceable(trx, tenant, invitedEmails, caller)
  for (const row of absentRows) {
    const person = isAsked(row) ? undefined : people.get(row.email)
    if (!person || !hotels.has(person.id)) continue
    const mayJoin = isAllowed(checkRegained(trx, call.context, tenant.ecosystemId, person.id))
    if (!(await mayJoin)) refusedEmails.add(row.email)
  }
  const acceptedRows = absentRows.filter(row => !refusedEmails.has(row.email))

  const askedRows = acceptedRows.filter(isAsked)
  for (const { role, firstName, lastName, email } of askedRows) {
    const typedIdentity = { firstName, lastName, email }
    await inviteKnownPerson(trx, tenant, people.get(email)?.id ?? '', grantOf(role), { typedIdentity }, caller.actor)
  }
  const joiningRows = acceptedRows.filter(row => !isAsked(row))
  const newcomers = new Map(joiningRows.map(row => [row.email, toNewcomer(row, people.get(row.email))]))
  if (newcomers.size > 0) await joinTogether(trx, call, [...newcomers.values()])
  const invitees = [...newcomers.values()]
    .filter(one => one.user_id === null)
    .map(one => ({ ...one, firstName: one.first_name, lastName: optional(one.last_name) }))
  const requests = [...invitees, ...askedRows].map(({ email, firstName, lastName, role }) => ({
    ...{ email, firstName, lastName, role },
    permissions: [],
  }))
  await inviteAll(trx, links, tenant, caller, requests)

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
const toNewcomer = (
  { role, email, firstName, lastName }: CheckedRow,
  person: BulkPerson | undefined,
): BulkNewcomer => ({
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
 * What `joinWorkspace` does for one. The event is shown in the workspace's room only: a thousand newcomers must not send a
 * thousand notifications to each member.
 */
async function joinTogether(
  trx: Trx,
  { bus, tenant, caller: { actor } }: BulkCall,
  newcomers: BulkNewcomer[],
): Promise<void> {
  const newPeople = newcomers.filter(one => one.isNew)
  if (newPeople.length > 0)
    await insertMembers(
      trx,
      newPeople.map(one => ({
        ...one,
        firstName: one.first_name,
        lastName: one.last_name,
        homeId: tenant.ecosystemId,
      })),
    )
  await joinAll(trx, tenant, newcomers)
  const memberIds = newcomers.map(one => one.id)
  await setMissingLanguage(trx, memberIds, await hotelLanguage(trx, tenant))
  for (const one of newcomers) if (one.is_active === 0) await reactivateOnJoin(trx, tenant, one.id, actor)
  const changes = newcomers.flatMap(({ id, first_name, last_name, email, role, isNew }) => {
    const addedMembership = membershipAdded(actor, id, grantOf(role))
    const after = { firstName: first_name, lastName: last_name, email }
    return isNew
      ? [{ ...addedMembership, action: 'member.created' as const, after }, addedMembership]
      : [addedMembership]
  })
  await audit(trx, tenant, changes)
  const scope = workspaceScope(tenant, actor)
  await emitAll(
    trx,
    WorkspaceMemberJoinedSchema,
    newcomers.map(one => ({ payload: joinedPayload(tenant, one, one.role), envelope: scope })),
  )
  await publishAccessChange(trx, bus, { ...tenant, memberIds })
}
