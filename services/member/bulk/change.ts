import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { isId } from '../../kernel/base/ids.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { type Change, membershipValues } from '../audit/values.ts'
import { isBound } from '../hierarchy/hierarchy.ts'
import { membersBelow } from '../hierarchy/sql.ts'
import { keepAdministrator } from '../memberships/administrators.ts'
import { alignInvitations } from '../memberships/invitations.sql.ts'
import { checkRank } from '../memberships/ranks.ts'
import { withRights } from '../memberships/rights.ts'
import { announceAccess, announceRights } from '../rights/announce.ts'
import { holdRoles } from '../rights/grants.sql.ts'
import { checkRole, checkSlugs } from '../rights/grants.ts'
import { isAdministrator } from '../rights/rules.ts'
import type { Db, Trx } from '../tables.ts'
import { failed, type Result } from './rules.ts'
import { lockMemberships, type Rights, updateMemberships } from './sql.ts'

type Needs = { db: Db; bus: Bus; tenant: Tenant; actor: EventActor; callerId: string | undefined }
type Locked = NonNullable<ReturnType<Awaited<ReturnType<typeof lockMemberships>>['get']>>
/** Decides which columns a row sets, or throws. `write` flushes the preceding rows to the database. */
type Decide = (membership: Locked, index: number, write: () => Promise<void>) => Promise<Rights>

/** A row names its member, unless it couldn't be read. */
export type ChangeRow = { memberId: string; fault?: string | undefined }
export type RoleRow = ChangeRow & { workspaceRole: string }
export type GrantRow = ChangeRow & { permissions?: string[] }

/** Changes the roles of many members under the rules for changing one. */
export const changeRoles = (needs: Needs, rows: RoleRow[]): Promise<Result[]> =>
  changeEach(needs, rows, trx => roleChanges(trx, needs, rows))

function roleChanges(trx: Trx, { tenant, callerId }: Needs, rows: RoleRow[]): Decide {
  const checked = new Map<string, Promise<void>>()
  const check = async (role: string): Promise<void> => {
    await checkRole(trx, tenant, role)
    await holdRoles(trx, tenant, [role])
  }
  return async (membership, index, write) => {
    const role = rows[index]?.workspaceRole ?? ''
    const checking = checked.get(role) ?? check(role)
    checked.set(role, checking)
    await checking
    if (rows[index]?.memberId === callerId) await checkRole(trx, tenant, role, true)
    if (role !== 'admin' && isAdministrator(membership)) {
      // The database counts the other administrators, so it must hold the preceding rows first.
      await write()
      await keepAdministrator(trx, tenant, membership)
    }
    return { workspace_role: role, is_admin: role === 'admin' ? 1 : 0 }
  }
}

/** Grants slugs to many members in addition to those they have: those of the row, or else `common`, already checked. */
export const grantSlugs = (needs: Needs, rows: GrantRow[], common: string[]): Promise<Result[]> =>
  changeEach(needs, rows, trx => slugGrants(trx, needs, rows, common))

function slugGrants(trx: Trx, { tenant }: Needs, rows: GrantRow[], common: string[]): Decide {
  const checked = new Map<string, Promise<void>>()
  return async (membership, index) => {
    const { permissions: own = [] } = rows[index] ?? {}
    const slugs = own.length > 0 ? own : common
    if (slugs.length === 0) throw invalid('permissions', 'is required', 'required')
    const key = JSON.stringify(own)
    const checking = checked.get(key) ?? checkSlugs(trx, tenant, own)
    checked.set(key, checking)
    await checking
    const present = JSON.parse(membership.permission_slugs) as string[]
    return { permission_slugs: JSON.stringify([...new Set([...present, ...slugs])]) }
  }
}

/** Decides on each membership in one transaction and writes equal changes together. A refused row changes nothing. */
async function changeEach(
  { db, bus, tenant, actor, callerId }: Needs,
  rows: ChangeRow[],
  decideIn: (trx: Trx) => Decide,
): Promise<Result[]> {
  const below = isBound(tenant) && callerId ? await idsBelow(db, tenant, callerId) : undefined
  return inTransaction(db, async trx => {
    const locked = await lockMemberships(trx, tenant, rows.map(row => row.memberId).filter(isId))
    // A retried transaction must not reuse the checks and locks of the failed attempt.
    const decide = decideIn(trx)
    const seen = new Set<string>()
    const results: Result[] = []
    const changes: Change[] = []
    const waiting = new Map<string, { set: Rights; ids: string[] }>()
    const write = async () => {
      for (const { set, ids } of waiting.values()) await updateMemberships(trx, tenant, ids, set)
      waiting.clear()
    }
    for (const [index, { memberId, fault }] of rows.entries()) {
      const membership = locked.get(memberId)
      const known = { ...(fault ? {} : { memberId }), ...(membership ? { email: membership.email } : {}) }
      try {
        if (fault) throw invalid('row', fault, 'type')
        if (!membership) throw new NotFoundError('Member not found')
        if (seen.has(memberId)) throw new ConflictError('The member appears in an earlier row')
        if (below && !below.has(memberId)) throw new ForbiddenError('Cannot manage this member')
        checkRank(tenant, membership)
        const set = await decide(membership, index, write)
        const key = JSON.stringify(set)
        const alike = waiting.get(key) ?? { set, ids: [] }
        alike.ids.push(memberId)
        waiting.set(key, alike)
        changes.push({
          actor,
          action: 'membership.updated',
          entity: 'membership',
          entityId: memberId,
          memberId,
          before: membershipValues(membership),
          after: membershipValues({ ...membership, ...set }),
        })
        seen.add(memberId)
        results.push({ index, success: true, ...known })
      } catch (error) {
        results.push(failed(index, error, known))
      }
    }
    await write()
    if (seen.size > 0) await alignInvitations(trx, tenant, [...seen])
    await audit(trx, tenant, changes)
    await announce(trx, bus, tenant, actor, [...seen])
    return results
  })
}

async function idsBelow(db: Db, { ecosystemId }: Tenant, memberId: string): Promise<Set<string>> {
  const rows = await membersBelow(db, memberId, { ecosystemId, workspaceIds: undefined })
  return new Set(rows.map(row => row.id))
}

async function announce(trx: Trx, bus: Bus, tenant: Tenant, actor: EventActor, memberIds: string[]): Promise<void> {
  if (memberIds.length === 0) return
  const { workspaceId, ecosystemId } = tenant
  const changed = await withRights(trx, [...(await lockMemberships(trx, tenant, memberIds)).values()])
  await announceRights(trx, tenant, changed, actor)
  await announceAccess(trx, bus, { memberIds, workspaceId, ecosystemId })
}
