import { type Selectable, sql } from 'kysely'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { isDuplicateKey } from '../../kernel/database/database.ts'
import { copyToMemberships } from '../hotel-memberships/copy.ts'
import { endRest } from '../hotel-memberships/rests.sql.ts'
import { publishRestEnded } from '../hotel-memberships/rests.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, MembersTable, Trx } from '../tables.ts'

/** A live member by address, in any spelling; a person has one record over all tenants. */
export const findByEmail = (db: Db, email: string) =>
  db
    .selectFrom('members')
    .selectAll()
    .where('live_email', '=', normalizeEmail(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findByUser = (db: Db, userId: string) =>
  db.selectFrom('members').selectAll().where('user_id', '=', userId).where('deleted_at', 'is', null).executeTakeFirst()

export const findById = (db: Db, memberId: string) =>
  db.selectFrom('members').selectAll().where('id', '=', memberId).where('deleted_at', 'is', null).executeTakeFirst()

export type NewMember = {
  email: string
  firstName: string
  lastName: string
  userId?: string
  phone?: string | undefined
  photoUrl?: string | undefined
  /** The hotel that creates the record. */
  homeId?: string | undefined
  isSuperAdmin?: boolean
}

/** A member without the times that the database sets. */
export type MemberRow = Omit<Selectable<MembersTable>, 'created_at' | 'updated_at'>

const toRow = (member: NewMember & { id: string }): MemberRow => ({
  id: member.id,
  user_id: member.userId ?? null,
  former_user_id: null,
  first_name: member.firstName,
  last_name: member.lastName,
  email: normalizeEmail(member.email),
  live_email: normalizeEmail(member.email),
  phone: member.phone ?? null,
  photo_url: member.photoUrl ?? null,
  home_ecosystem_id: member.homeId ?? null,
  is_super_admin: member.isSuperAdmin ? 1 : 0,
  is_active: 1,
  rested_at: null,
  registered_at: null,
  departing_until: null,
  deleted_at: null,
})

/** Inserts members. Fails with a duplicate key on members_live_email for a taken address. */
export const insertMembers = (trx: Trx, members: (NewMember & { id: string })[]) =>
  trx.insertInto('members').values(members.map(toRow)).execute()

export async function insertMember(trx: Trx, newMember: NewMember): Promise<MemberRow> {
  const member = { ...newMember, id: newId() }
  await insertMembers(trx, [member])
  return toRow(member)
}

/**
 * Runs work that may insert a member, in a transaction. On a concurrent insert of the same address it retries and finds
 * the other's record.
 */
export const retryOnTakenEmail = <R>(work: () => Promise<R>): Promise<R> =>
  work().catch((error: unknown) => {
    if (isDuplicateKey(error, 'members_live_email')) return work()
    throw error
  })

/** Sets columns of a live member and updates the copies on memberships. Setting the activity ends a rest. */
export async function updateMember(
  trx: Trx,
  memberId: string,
  set: Partial<{
    user_id: string | null
    former_user_id: string | null
    is_super_admin: number
    is_active: number
    first_name: string
    last_name: string
    photo_url: string | null
    email: string
    live_email: string
    phone: string | null
  }>,
) {
  const isActivated = set.is_active === 1 && (await findById(trx, memberId))?.is_active === 0
  await trx.updateTable('members').set(set).where('id', '=', memberId).where('deleted_at', 'is', null).execute()
  const isRestEnded = set.is_active !== undefined && (await endRest(trx, memberId))
  if (isActivated || isRestEnded) await publishRestEnded(trx, memberId)
  if (copiedColumns.some(column => set[column] !== undefined)) await copyToMemberships(trx, memberId)
  if (synchronisedColumns.some(column => set[column] !== undefined)) await markChanged(trx, [memberId])
}

/** Columns that memberships repeat. */
const copiedColumns = ['first_name', 'last_name', 'email', 'is_active'] as const

/** Columns that synchronisation returns. */
const synchronisedColumns = ['first_name', 'last_name', 'email', 'photo_url', 'is_active'] as const

/**
 * Marks a member registered.
 * @returns whether this was the first time
 */
export async function markRegistered(trx: Trx, memberId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('members')
    .set({ registered_at: sql<Date>`current_timestamp(3)` })
    .where('id', '=', memberId)
    .where('registered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A live member, locked until the transaction ends. NotFoundError. */
export const lockMember = (trx: Trx, memberId: string) =>
  trx
    .selectFrom('members')
    .selectAll()
    .where('id', '=', memberId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new NotFoundError('Member not found'))

/** Locks members until the transaction ends, always in the same order. */
export const lockMembers = (trx: Trx, memberIds: string[]) =>
  trx.selectFrom('members').select('id').where('id', 'in', memberIds).orderBy('id').forUpdate().execute()

/** A member by id, deleted or not: a profile contains the deletion time. */
export const findAnyMember = (db: Db, memberId: string) =>
  db.selectFrom('members').selectAll().where('id', '=', memberId).executeTakeFirst()
