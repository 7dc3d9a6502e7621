import { WorkspaceMemberJoinedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { BulkMember } from '../../../gen/platform/member/v1/bulk_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type Around, type EventActor, emitAll } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import type { Change } from '../audit/values.ts'
import { asksFirst, awaitAsked } from '../memberships/ask.ts'
import { joinedPayload, membershipAdded, wake } from '../memberships/join.ts'
import { hotelLanguage, setMissingLanguage } from '../memberships/languages.sql.ts'
import { lockForNewcomers } from '../memberships/workspace.sql.ts'
import { notReplaceable } from '../onboarding/cancel.ts'
import { inviteAll, type Links } from '../onboarding/invite.ts'
import { hotelsOfEach } from '../people/hotels.sql.ts'
import { announceAccess } from '../rights/announce.ts'
import { defaultRole } from '../rights/grants.sql.ts'
import { checkRole } from '../rights/grants.ts'
import type { Db, Trx } from '../tables.ts'
import { failed, isAddress, nameFault, type Result } from './rules.ts'
import { type Arrival, bringIn, findPeople, insertMembers, type Known } from './sql.ts'

type Needs = { db: Db; bus: Bus; links: Links; tenant: Tenant; actor: EventActor; inviterId: string | null }
type Checked = BulkMember & { index: number; role: string }

/** Adds many members under the rules for adding one. A failed row doesn't affect the others. */
export async function addMembers(needs: Needs, members: BulkMember[]): Promise<Result[]> {
  const { db, tenant } = needs
  const { good, bad } = await checkRows(db, tenant, members)
  const work = () =>
    inTransaction(db, async trx => {
      await lockForNewcomers(trx, tenant)
      return addRows(trx, needs, good)
    })
  // A concurrent request may add the same address; the second attempt finds that member.
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
    const email = normalEmail(row.email)
    try {
      if (row.fault) throw invalid('row', row.fault, 'type')
      if (!isAddress(email)) throw invalid('email', 'is not an e-mail address', 'string.email')
      for (const name of ['firstName', 'lastName'] as const) {
        const fault = nameFault(row[name])
        if (fault) throw invalid(name, fault, 'string')
      }
      if (seen.has(email)) throw new ConflictError('The e-mail appears in an earlier row')
      seen.add(email)
      const check = roles.get(role) ?? checkRole(db, tenant, role)
      roles.set(role, check)
      await check
      good.push({ ...row, email, index, role })
    } catch (error) {
      bad.push(failed(index, error, email ? { email } : {}))
    }
  }
  return { good, bad }
}

async function addRows(trx: Trx, needs: Needs, rows: Checked[]): Promise<Result[]> {
  const { bus, links, tenant, actor, inviterId } = needs
  const { workspaceId, ecosystemId } = tenant
  const emails = rows.map(row => row.email)
  const known = await findPeople(trx, tenant, emails)
  const knownAs = ({ email }: Checked) => known.get(normalEmail(email))
  const isPresent = (row: Checked) => knownAs(row)?.known_id && knownAs(row)?.left_at === null
  const absent = rows.filter(row => !isPresent(row))
  const hotels = await hotelsOfEach(
    trx,
    [...known.values()].map(one => one.id),
  )
  const isAsked = (row: Checked) => {
    const person = knownAs(row)
    return person !== undefined && asksFirst(ecosystemId, person, hotels.get(person.id) ?? [])
  }
  const invited = absent.filter(row => isAsked(row) || !knownAs(row)?.user_id).map(row => row.email)
  const kept = await notReplaceable(trx, tenant, invited, { actor, memberId: inviterId ?? undefined })
  const isKept = ({ email }: Checked) => kept.has(normalEmail(email))
  const coming = absent.filter(row => !isKept(row))
  const asked = coming.filter(isAsked)
  for (const row of asked) await askOne(trx, needs, row, knownAs(row)?.id ?? '')
  const arriving = coming.filter(row => !isAsked(row))
  const people = arriving.map(row => toArrival(row, knownAs(row)))
  if (people.length > 0) {
    const unknown = people.filter(one => one.isNew)
    if (unknown.length > 0) await insertMembers(trx, tenant, unknown)
    await bringIn(trx, tenant, people)
    const ids = people.map(one => one.id)
    await setMissingLanguage(trx, ids, await hotelLanguage(trx, tenant))
    for (const one of people) if (one.is_active === 0) await wake(trx, tenant, one.id, actor)
    await audit(
      trx,
      tenant,
      people.flatMap(one => recorded(actor, one)),
    )
    await emitAll(
      trx,
      WorkspaceMemberJoinedSchema,
      people.map(one => joined(needs, one)),
    )
    await announceAccess(trx, bus, { memberIds: ids, workspaceId, ecosystemId })
  }
  const invitees = people.filter(one => one.user_id === null).map(one => toInvitation(one, inviterId))
  const questions = asked.map(row => ({ ...row, invitedBy: inviterId, permissions: [] }))
  await inviteAll(trx, links, tenant, actor, [...invitees, ...questions])
  const denied = () => new ForbiddenError('Permission denied')
  const taken = () => new ConflictError('The workspace already has a member with this e-mail')
  return [
    ...arriving.map(({ index, email }, at) => ({ index, success: true, memberId: people[at]?.id ?? '', email })),
    ...asked.map(row => ({ index: row.index, success: true, memberId: knownAs(row)?.id ?? '', email: row.email })),
    ...rows.filter(isPresent).map(({ index, email }) => failed(index, taken(), { email })),
    ...absent.filter(isKept).map(({ index, email }) => failed(index, denied(), { email })),
  ]
}

/** A person known to another hotel joins once they accept. */
async function askOne(trx: Trx, { tenant, actor }: Needs, row: Checked, memberId: string) {
  const { role, firstName, lastName, email } = row
  const grant = { role, slugs: [], isAdmin: role === 'admin' }
  await awaitAsked(trx, tenant, memberId, grant, { typed: { firstName, lastName, email } }, actor)
}

/** A known person keeps their names and address. */
const toArrival = ({ index, role, email, firstName, lastName }: Checked, person: Known | undefined): Arrival => ({
  ...(person ?? {
    id: newId(),
    user_id: null,
    first_name: firstName,
    last_name: lastName,
    email,
    photo_url: null,
    is_active: 1,
    is_super_admin: 0,
    home_ecosystem_id: null,
    known_id: null,
    left_at: null,
  }),
  index,
  role,
  isNew: !person,
})

function recorded(actor: EventActor, { id, first_name, last_name, email, role, isNew }: Arrival): Change[] {
  const values = { firstName: first_name, lastName: last_name, email }
  const created = {
    actor,
    action: 'member.created',
    entity: 'member' as const,
    entityId: id,
    memberId: id,
    after: values,
  }
  return [...(isNew ? [created] : []), membershipAdded(actor, id, { role, slugs: [], isAdmin: role === 'admin' })]
}

/** Shown in the workspace's room only: a thousand newcomers must not send a thousand notifications to each member. */
function joined({ tenant, actor }: Needs, person: Arrival) {
  const { workspaceId, ecosystemId, workspaceName } = tenant
  const payload = joinedPayload(tenant, person, person.role)
  const around: Around = { workspaceId, ecosystemId, workspaceName, channels: ['socket'], actor, receiverIds: [] }
  return { payload, around }
}

const toInvitation = (person: Arrival, invitedBy: string | null) => ({
  email: person.email,
  firstName: person.first_name,
  lastName: optional(person.last_name),
  invitedBy,
  role: person.role,
  permissions: [],
})
