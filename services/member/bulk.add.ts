import { WorkspaceMemberJoinedSchema } from '../../gen/platform/events/v1/workspace_pb.ts'
import type { BulkMember } from '../../gen/platform/member/v1/bulk_pb.ts'
import type { Bus } from '../kernel/bus.ts'
import { inTransaction, isDuplicateKey } from '../kernel/database.ts'
import { ConflictError, invalid } from '../kernel/errors.ts'
import { emit, type EventActor } from '../kernel/events.ts'
import { newId } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { announceAccess } from './announce.ts'
import { audit, type Change } from './audit.record.ts'
import { failed, isAddress, isName, type Result } from './bulk.rules.ts'
import { findPeople, insertNewcomers, type Newcomer } from './bulk.sql.ts'
import { checkRole } from './grants.ts'
import { defaultRole } from './grants.sql.ts'
import { invite, type Links } from './invite.ts'
import { added, join } from './join.ts'
import { joinEcosystem } from './memberships.sql.ts'
import { type Db, normalisedEmail, optional, type Trx } from './rows.ts'
import { lockWorkspace } from './workspaces.sql.ts'

type Needs = { db: Db; bus: Bus; links: Links; tenant: Tenant; actor: EventActor; inviterId: string | null }
type Checked = BulkMember & { index: number; role: string }

/** Adds many members with the rules of adding one; a bad row stops no other. */
export async function addMembers(needs: Needs, members: BulkMember[]): Promise<Result[]> {
  const { db, tenant } = needs
  const { good, bad } = await checkRows(db, tenant, members)
  const work = () =>
    inTransaction(db, async trx => {
      const workspace = await lockWorkspace(trx, tenant)
      if (workspace.is_active === 0) throw new ConflictError('The workspace is at rest and takes no new members')
      return addRows(trx, needs, good)
    })
  // Somebody else may add one of the addresses meanwhile: the second time it is known.
  const done = await work().catch((error: unknown) => {
    if (isDuplicateKey(error)) return work()
    throw error
  })
  return [...bad, ...done]
}

async function checkRows(db: Db, tenant: Tenant, members: BulkMember[]) {
  const fallback = await defaultRole(db, tenant)
  const roles = new Map<string, Promise<unknown>>()
  const seen = new Set<string>()
  const good: Checked[] = []
  const bad: Result[] = []
  for (const [index, row] of members.entries()) {
    const role = row.workspaceRole ?? fallback
    const email = row.email
    try {
      if (!isAddress(email)) throw invalid('email', 'is not an e-mail address', 'string.email')
      if (!isName(row.firstName)) throw invalid('firstName', 'must have 1 to 120 characters', 'string.len')
      if (!isName(row.lastName)) throw invalid('lastName', 'must have 1 to 120 characters', 'string.len')
      if (seen.has(normalisedEmail(email))) throw new ConflictError('The e-mail stands in an earlier row')
      seen.add(normalisedEmail(email))
      const check = roles.get(role) ?? checkRole(db, tenant, role)
      roles.set(role, check)
      await check
      good.push({ ...row, index, role })
    } catch (error) {
      bad.push(failed(index, error, { email }))
    }
  }
  return { good, bad }
}

async function addRows(trx: Trx, needs: Needs, rows: Checked[]): Promise<Result[]> {
  const { bus, tenant, actor } = needs
  const { workspaceId, ecosystemId } = tenant
  const people = await findPeople(
    trx,
    tenant,
    rows.map(row => row.email),
  )
  const results: Result[] = []
  const newcomers: (Newcomer & { index: number })[] = []
  for (const { index, email, firstName, lastName, role } of rows) {
    const person = people.get(normalisedEmail(email))
    if (!person) {
      newcomers.push({ id: newId(), email: email.trim(), first_name: firstName, last_name: lastName, role, index })
    } else if (person.known_id && person.left_at === null) {
      const present = new ConflictError('The workspace has a member with this e-mail already')
      results.push(failed(index, present, { email }))
    } else {
      await joinEcosystem(trx, ecosystemId, person.id, 'member')
      await join(trx, bus, tenant, person, { role, slugs: [], isAdmin: role === 'admin' }, actor)
      if (!person.user_id) await inviteOne(trx, needs, { ...person, role })
      results.push({ index, success: true, memberId: person.id, email })
    }
  }
  await insertNewcomers(trx, tenant, newcomers)
  await audit(
    trx,
    tenant,
    newcomers.flatMap(one => recorded(actor, one)),
  )
  for (const person of newcomers) {
    await announceJoin(trx, needs, person)
    await inviteOne(trx, needs, person)
    results.push({ index: person.index, success: true, memberId: person.id, email: person.email })
  }
  const memberIds = newcomers.map(one => one.id)
  if (memberIds.length > 0) await announceAccess(trx, bus, { memberIds, workspaceId, ecosystemId })
  return results
}

const recorded = (actor: EventActor, person: Newcomer): Change[] => [
  {
    actor,
    action: 'member.created',
    entity: 'member',
    entityId: person.id,
    memberId: person.id,
    after: { firstName: person.first_name, lastName: person.last_name, email: person.email },
  },
  added(actor, person.id, { role: person.role, slugs: [], isAdmin: person.role === 'admin' }),
]

/** Shown in the room of the workspace; a thousand newcomers are no thousand notifications for everybody. */
function announceJoin(trx: Trx, { tenant, actor }: Needs, person: Newcomer) {
  const { workspaceId, ecosystemId, workspaceName } = tenant
  return emit(
    trx,
    WorkspaceMemberJoinedSchema,
    {
      id: workspaceId,
      workspaceId,
      memberId: person.id,
      memberName: `${person.first_name} ${person.last_name}`,
      firstName: person.first_name,
      lastName: person.last_name,
      workspaceRole: person.role,
    },
    { workspaceId, ecosystemId, workspaceName, channels: ['socket'], actor, receiverIds: [] },
  )
}

type Invitee = { email: string; first_name: string; last_name: string; role: string }

const inviteOne = (trx: Trx, { links, tenant, actor, inviterId }: Needs, person: Invitee) =>
  invite(trx, links, tenant, actor, {
    email: person.email,
    firstName: person.first_name,
    lastName: optional(person.last_name),
    invitedBy: inviterId,
    role: person.role,
    permissions: [],
  })
