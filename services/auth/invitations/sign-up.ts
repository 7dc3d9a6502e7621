import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import type { Invitation } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import type { Profile } from '../../../gen/platform/member/v1/profiles_pb.ts'
import {
  ConflictError,
  ForbiddenError,
  GoneError,
  NotFoundError,
  toRpcError,
  UnauthorizedError,
} from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import { sendVerification } from '../addresses/verifications.ts'
import type { ClientInfo, Context } from '../context.ts'
import type { NewPassword } from '../hashing/hashing.ts'
import { sendResetLink } from '../passwords/reset-links.ts'
import { openModernSession, type Pair } from '../sessions/pairs.ts'
import type { AuthTables } from '../tables.ts'
import { publishCreated, publishDeleted } from '../users/events.ts'
import { requireUser, requireUserLocked } from '../users/signed-in.ts'
import {
  changeChecked,
  deleteUnfinished,
  insertUser,
  takeOverSignUp,
  type UserRow,
  userByEmail,
  userById,
} from '../users/users.sql.ts'

export type SignUp = {
  token: string
  /** Whether the token is that of the mailed link, which proves the mailbox [D521]. */
  isMailed: boolean
  password: string
  firstName?: string | undefined
  lastName?: string | undefined
  client: ClientInfo
}
type SignedUp = { user: UserRow; profile: Profile | undefined; pair: Pair }

/** After this time, in ms, an unfinished sign-up counts as abandoned. */
const abandonedAfterMs = 30_000
const addressTaken = (nextStep = 'sign in') =>
  new ConflictError(`An account with this email already exists: ${nextStep}, then accept the invitation again`)

export type FoundInvitation = NonNullable<Awaited<ReturnType<Context['members']['findInvitation']>>>

/** The invitation of a token, in any status. NotFoundError. */
export async function invitationOf({ members }: Pick<Context, 'members'>, token: string): Promise<FoundInvitation> {
  const invitation = await members.findInvitation(token)
  if (!invitation) throw new NotFoundError('Invitation not found')
  return invitation
}

/**
 * Creates the account of an invited person: first the unfinished account, then the member in the other service, then
 * finishes the account. Each step is idempotent: the next sign-up with the token completes an interrupted one, and two
 * concurrent ones with the same password end in one account.
 */
export async function signUp(parts: Context, invitation: Invitation, request: SignUp): Promise<SignedUp> {
  const email = normalizeEmail(invitation.email)
  const existing = await userByEmail(parts.db, email)
  if (!canResume(existing, invitation)) {
    assertOpen(invitation)
    if (existing) {
      const claim = { ecosystemId: invitation.ecosystemId, language: request.client.language }
      throw addressTaken(
        (await confirmOwner(parts, existing, claim)) ? 'sign in' : 'open the link mailed to it, or sign in',
      )
    }
  }
  const password = parts.hasher.accept(request.password, email)
  const user = existing
    ? await resumeSignUp(parts, existing, password, request)
    : await createAccount(parts, invitation, email, { ...request, password })
  return finishSignUp(parts, user, request).catch(async (error: unknown) => {
    if (await isRefusedForGood(parts, request.token, toRpcError(error).info.status)) await deleteSignUp(parts, user)
    throw error
  })
}

/**
 * Whether an invited account is active and its owner has confirmed the address; otherwise a link that sets the password
 * is mailed there. The sender of an invitation has its token too, so it doesn't prove the mailbox [R20].
 */
export async function confirmOwner(
  parts: Context,
  user: UserRow,
  claim: { ecosystemId: string; language: Language | undefined },
): Promise<boolean> {
  const { email } = user
  if (user.is_active && user.email_verified) return true
  if (email)
    await inTransaction(parts.db, trx => sendResetLink(parts, trx, 'claim', { email, receiver: user, ...claim }))
  return false
}

/** Whether the invitation has ended, or its sender can no longer grant it (410), which leaves it pending. */
async function isRefusedForGood({ members }: Context, token: string, errorStatus: number): Promise<boolean> {
  if (errorStatus === 410) return true
  if (errorStatus >= 500) return false
  const status = (await members.findInvitation(token))?.invitation.status
  return status !== 'pending' && status !== 'accepted'
}

/** Deletes the account of an unfinished sign-up, and publishes the deletion. */
const deleteSignUp = ({ db }: Context, { id, email }: UserRow): Promise<void> =>
  inTransaction(db, async trx => {
    if (await deleteUnfinished(trx, id)) await publishDeleted(trx, id, email ?? '')
  })

const canResume = (user: UserRow | undefined, { id }: Invitation): boolean =>
  user?.invitation_id === id && user.sign_up_pending === 1 && user.is_active === 1

async function createAccount(
  parts: Context,
  invitation: Invitation,
  email: string,
  { password, ...request }: SignUp & { password: NewPassword },
): Promise<UserRow> {
  const { db, hasher } = parts
  const passwordHash = await hasher.hash(password)
  const { firstName, lastName } = nonBlankNames(request)
  const id = newId()
  const now = new Date()
  try {
    return await inTransaction(db, async trx => {
      await insertUser(trx, {
        id,
        email,
        password_hash: passwordHash,
        first_name: firstName ?? invitation.firstName ?? null,
        last_name: lastName ?? invitation.lastName ?? null,
        invitation_id: invitation.id,
        sign_up_pending: 1,
        email_verified: request.isMailed ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
      if (!request.isMailed)
        await sendVerification(parts, trx, {
          id,
          email,
          firstName: firstName ?? invitation.firstName,
          language: request.client.language,
          ecosystemId: invitation.ecosystemId,
        })
      await publishCreated(trx, id, email)
      return (await userById(trx, id)) as UserRow
    })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // Another sign-up with the same token was first.
    const concurrentUser = await userByEmail(db, email)
    if (!concurrentUser || concurrentUser.invitation_id !== invitation.id) throw addressTaken()
    return resumeSignUp(parts, concurrentUser, password, request)
  }
}

/**
 * Lets an unfinished sign-up continue: with its password, or with a new one once it counts as abandoned. Where the owner
 * of the address has begun it, only the mailed token brings a new password.
 * @returns the account with the hash of the password
 */
async function resumeSignUp(
  { db, hasher }: Context,
  user: UserRow,
  password: NewPassword,
  { isMailed }: Pick<SignUp, 'isMailed'>,
): Promise<UserRow> {
  if (await hasher.matches(password, user.password_hash)) return user
  const isAbandoned = user.sign_up_pending === 1 && Date.now() - user.updated_at.getTime() > abandonedAfterMs
  const mayReplace = isAbandoned && (isMailed || user.email_verified === 0)
  const password_hash = mayReplace ? await hasher.hash(password) : ''
  if (!mayReplace || !(await takeOverSignUp(db, user, password_hash))) throw addressTaken()
  return { ...user, password_hash }
}

/**
 * Makes the user the invited member and signs them in. UnauthorizedError when the password changed or the account ended
 * meanwhile.
 * @param recheck throws when the caller may no longer sign in
 */
async function finishSignUp(
  parts: Context,
  user: UserRow,
  request: Omit<SignUp, 'password'>,
  recheck?: (trx: Transaction<AuthTables>) => Promise<unknown>,
): Promise<SignedUp> {
  const { client, token } = request
  const { firstName = optional(user.first_name), lastName = optional(user.last_name) } = nonBlankNames(request)
  const person = { id: user.id, email: user.email ?? '', language: client.language, firstName, lastName }
  const profile = await parts.members.acceptInvitation(token, person)
  const change = { sign_up_pending: 0, last_login_at: new Date(), ...(request.isMailed && { email_verified: 1 }) }
  return inTransaction(parts.db, async trx => {
    if (!(await changeChecked(trx, user, change))) throw new UnauthorizedError()
    await recheck?.(trx)
    const pair = await openModernSession(parts, trx, { user, profile, client })
    return { user: { ...user, ...change }, profile, pair }
  })
}

/**
 * Accepts an invitation for the signed-in caller. ForbiddenError for another e-mail. The member service decides whether a
 * repeated call comes from the person who accepted, and then returns the same response.
 */
export async function acceptAs(
  parts: Context,
  context: HandlerContext,
  invitation: Invitation,
  request: Omit<SignUp, 'password'>,
): Promise<SignedUp> {
  const { user } = await requireUser(parts, context)
  assertInvited(user, invitation)
  if (invitation.status !== 'accepted') assertOpen(invitation)
  return finishSignUp(parts, user, request, trx => requireUserLocked(trx, context))
}

type Names = { firstName?: string | undefined; lastName?: string | undefined }

/** ConflictError for a used or revoked invitation, GoneError for an expired one. */
function assertOpen({ status }: Pick<Invitation, 'status'>): void {
  if (status === 'expired') throw new GoneError('Invitation expired')
  if (status !== 'pending') throw new ConflictError(`Invitation already ${shownStatus(status)}`)
}

/** The status of an invitation of the member service, in the word of this one. */
export const shownStatus = (status: string): string => (status === 'cancelled' ? 'revoked' : status)

/** ForbiddenError unless the user is the invited person. */
export function assertInvited(user: Pick<UserRow, 'email'>, { email }: Pick<Invitation, 'email'>): void {
  if (normalizeEmail(email) !== user.email) throw new ForbiddenError('The invitation is for another email')
}

/** The names of the request; a blank one counts as absent. */
const nonBlankNames = ({ firstName, lastName }: Names): Names => ({
  firstName: firstName?.trim() || undefined,
  lastName: lastName?.trim() || undefined,
})
