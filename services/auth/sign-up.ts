import type { Invitation } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { inTransaction, isDuplicateKey } from '../kernel/database.ts'
import { ConflictError, NotFoundError, toPlatformError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { normalEmail } from './addresses.rules.ts'
import { assertAcceptable, type NewPassword } from './hashing.ts'
import { invitationUsed } from './invitations.sql.ts'
import type { Profile } from './members.ts'
import { replacePassword, settledFlags } from './password-write.ts'
import { openModernSession, type Pair } from './pairs.ts'
import type { Client, Parts } from './parts.ts'
import { assertInvited, assertOpen, namesIn } from './sign-up.rules.ts'
import { tellCreated, tellDeleted } from './user-events.ts'
import {
  deleteUnfinished,
  insertUser,
  switchUsers,
  takeSignUpOver,
  updateUser,
  type UserRow,
  userByEmail,
  userById,
} from './users.sql.ts'

export type SignUp = {
  token: string
  password: string
  firstName?: string | undefined
  lastName?: string | undefined
  client: Client
}
export type SignedUp = { user: UserRow; profile: Profile; pair: Pair }

/** After so long nobody is working on a sign-up any more, in ms. */
const brokenOffMs = 30_000
const taken = () => new ConflictError('An account with this email exists already: sign in to accept the invitation')

/** The invitation behind a token, whatever its status. NotFoundError. */
export async function invitationOf({ members }: Pick<Parts, 'members'>, token: string): Promise<Invitation> {
  const invitation = await members.invitation(token)
  if (!invitation) throw new NotFoundError('Invitation not found')
  return invitation
}

/**
 * Makes the account of an invited person: first here, unfinished, then the member over there, then finished. Each
 * step can be repeated, so a sign-up that broke off in between is completed by the next one with the same token, and
 * of two at once with the same password both end in the one account.
 */
export async function signUp(parts: Parts, invitation: Invitation, request: SignUp): Promise<SignedUp> {
  const email = normalEmail(invitation.email)
  const found = await userByEmail(parts.db, email)
  if (!resumes(found, invitation)) {
    assertOpen(invitation)
    if (found?.is_active) throw taken()
  }
  const { password } = request
  assertAcceptable(password, email)
  if (!found) {
    const user = await createAccount(parts, invitation, email, { ...request, password })
    return finish(parts, user, invitation, request).catch(async (error: unknown) => {
      if (toPlatformError(error).info.status < 500) await dropIfOver(parts, user, request.token)
      throw error
    })
  }
  const user = found.is_active ? found : await takeBack(parts, found, invitation, password)
  await prove(parts, user, password)
  return finish(parts, user, invitation, request)
}

/**
 * The account of somebody whose hotel was deleted goes on for another one, as a sign-up that is not finished yet: the
 * token came by mail to its address. @returns the account as it is now, also when another sign-up was faster
 */
async function takeBack(
  { db, hasher }: Parts,
  { id }: UserRow,
  invitation: Invitation,
  password: NewPassword,
): Promise<UserRow> {
  const password_hash = await hasher.hash(password)
  return inTransaction(db, async trx => {
    const isBack = (await switchUsers(trx, [id], true, new Date())).length > 0
    const unfinished = { ...settledFlags, sign_up_pending: 1, invitation_id: invitation.id }
    if (isBack) await replacePassword(trx, id, { ...unfinished, password_hash, email_verified: 1 })
    const user = await userById(trx, id)
    if (!user) throw taken()
    return user
  })
}

/** Deletes the account of a sign-up whose invitation ended meanwhile: its person is told that there is none. */
async function dropIfOver({ db, members }: Parts, { id, email }: UserRow, token: string): Promise<void> {
  const status = (await members.invitation(token))?.status
  if (status === 'pending' || status === 'accepted') return
  await inTransaction(db, async trx => {
    if (await deleteUnfinished(trx, id)) await tellDeleted(trx, id, email ?? '')
  })
}

const resumes = (user: UserRow | undefined, { id }: Invitation): boolean =>
  user?.invitation_id === id && user.sign_up_pending === 1

async function createAccount(
  parts: Parts,
  invitation: Invitation,
  email: string,
  { password, ...request }: SignUp & { password: NewPassword },
): Promise<UserRow> {
  const { db, hasher } = parts
  const passwordHash = await hasher.hash(password)
  const { firstName, lastName } = namesIn(request)
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
        // The token came by mail to this address.
        email_verified: 1,
        invitation_id: invitation.id,
        sign_up_pending: 1,
        created_at: now,
        updated_at: now,
      })
      await tellCreated(trx, id, email)
      return (await userById(trx, id)) as UserRow
    })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // Another sign-up with the same token was faster.
    const other = await userByEmail(db, email)
    if (!other || other.invitation_id !== invitation.id) throw taken()
    await prove(parts, other, password)
    return other
  }
}

/** Whoever takes an unfinished sign-up up knows its password, or comes long after it broke off. */
async function prove({ db, hasher }: Parts, user: UserRow, password: NewPassword): Promise<void> {
  if (await hasher.matches(password, user.password_hash)) return
  const brokenOff = user.sign_up_pending === 1 && Date.now() - user.updated_at.getTime() > brokenOffMs
  if (!brokenOff || !(await takeSignUpOver(db, user, await hasher.hash(password)))) throw taken()
}

async function finish(parts: Parts, user: UserRow, invitation: Invitation, request: SignUp): Promise<SignedUp> {
  const { client, token } = request
  const person = { id: user.id, email: user.email ?? '', language: client.language, ...namesIn(request) }
  const profile = await parts.members.accept(token, person)
  return enter(parts, user, profile, invitation.id, client)
}

/**
 * Accepts an invitation for somebody who has an account and is signed in. ForbiddenError for another e-mail. Whoever
 * accepted it before gets the same answer; that it was they is for the member service to say.
 */
export async function acceptAs(
  parts: Parts,
  user: UserRow,
  invitation: Invitation,
  request: Omit<SignUp, 'password'>,
): Promise<SignedUp> {
  assertInvited(user, invitation)
  if (invitation.status !== 'accepted') assertOpen(invitation)
  const { token, client } = request
  const person = { id: user.id, email: user.email ?? '', language: client.language, ...namesIn(request) }
  const profile = await parts.members.accept(token, person)
  return enter(parts, user, profile, invitation.id, client)
}

async function enter(
  parts: Parts,
  user: UserRow,
  profile: Profile,
  invitationId: string,
  client: Client,
): Promise<SignedUp> {
  const last_login_at = new Date()
  return inTransaction(parts.db, async trx => {
    await updateUser(trx, user.id, { sign_up_pending: 0, email_verified: 1, last_login_at })
    await invitationUsed(trx, invitationId)
    const pair = await openModernSession(parts, trx, { user, profile, client })
    return { user: { ...user, email_verified: 1, last_login_at }, profile, pair }
  })
}
