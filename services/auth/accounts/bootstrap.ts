import { setTimeout } from 'node:timers/promises'
import { ConflictError, toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { replacePassword, settledFlags } from '../passwords/write.ts'
import { loadSignIns } from '../sessions/sessions.sql.ts'
import { addAdministrator } from '../users/administrators.sql.ts'
import { auditAccount, publishCreated } from '../users/events.ts'
import { insertUser, setUsersActive, updateUser, userByEmail } from '../users/users.sql.ts'

/**
 * Creates the administrator's account and the legacy Administrator of the same e-mail unless they exist. Existing
 * accounts keep their passwords. ConflictError for an account whose owner never verified the address.
 */
export async function ensureAdministratorAccount(
  { db, hasher }: Pick<Context, 'db' | 'hasher'>,
  request: { email: string; password: string },
): Promise<{ userId: string; created: boolean; isPasswordCurrent: boolean }> {
  const email = normalizeEmail(request.email)
  const password = hasher.accept(request.password, email)
  const now = new Date()
  const times = { created_at: now, updated_at: now }
  const existing = await userByEmail(db, email)
  if (existing) {
    if (!existing.is_admin && !existing.email_verified)
      throw new ConflictError('The account of this email is unverified and is not an administrator')
    const { id: userId, password_hash } = existing
    await inTransaction(db, async trx => {
      if (!existing.is_admin) await updateUser(trx, userId, { is_admin: 1 })
      await addAdministrator(trx, { id: newId(), user_id: userId, email, password_hash, ...times })
    })
    return { userId, created: false, isPasswordCurrent: await hasher.matches(password, password_hash) }
  }
  const password_hash = await hasher.hash(password)
  const id = newId()
  try {
    await inTransaction(db, async trx => {
      await insertUser(trx, { id, email, password_hash, is_admin: 1, email_verified: 1, ...times })
      await addAdministrator(trx, { id: newId(), user_id: id, email, password_hash, ...times })
      await publishCreated(trx, id, email)
    })
    return { userId: id, created: true, isPasswordCurrent: true }
  } catch (error) {
    // Another process started at the same moment.
    if (isDuplicateKey(error)) return ensureAdministratorAccount({ db, hasher }, request)
    throw error
  }
}

/**
 * Gives the account of a platform administrator a password, for an operator to whom nobody can give one: it is active
 * and unlocked again, and its sessions end. False when no administrator has the address.
 */
export async function resetAdministrator(
  { db, hasher, limits }: Pick<Context, 'db' | 'hasher' | 'limits'>,
  request: { email: string; password: string },
): Promise<boolean> {
  const email = normalizeEmail(request.email)
  const user = await userByEmail(db, email)
  if (!user?.is_admin) return false
  const { id } = user
  const password_hash = await hasher.hash(hasher.accept(request.password, email))
  const addresses = (await loadSignIns(db, [id])).get(id)?.addresses ?? []
  await inTransaction(db, async trx => {
    await setUsersActive(trx, [id], true, new Date())
    await replacePassword(trx, id, { ...settledFlags, password_hash, email_verified: 1 })
    await limits.unlock(trx, { email, addresses })
    await auditAccount(trx, systemActor, { userId: id, action: 'password_reset' })
  })
  return true
}

/** Registers the administrator with the member service: when the process has started, else once a second until then. */
export function introduceAdministrator(
  { members, log }: Pick<Context, 'members' | 'log'>,
  user: { id: string; email: string },
): { first(): Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let retryLoop = Promise.resolve()
  const attempt = async (): Promise<boolean> => {
    try {
      await members.ensureAdministrator(user)
      log.info({ userId: user.id }, 'platform administrator registered with the member service')
      return true
    } catch (error) {
      log.debug({ status: toRpcError(error).info.status }, 'member service not reachable yet; retrying')
      return false
    }
  }
  const retryUntilRegistered = async (): Promise<void> => {
    do await setTimeout(1_000, undefined, { signal }).catch(() => undefined)
    while (!signal.aborted && !(await attempt()))
  }
  return {
    async first() {
      if (!(await attempt())) retryLoop = retryUntilRegistered()
    },
    async stop() {
      stopping.abort()
      await retryLoop
    },
  }
}
