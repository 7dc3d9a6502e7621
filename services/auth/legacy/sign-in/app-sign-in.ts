import type { Transaction } from 'kysely'
import { AuthenticationSignedInSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { SocketRelaySchema } from '../../../../gen/platform/events/v1/socket_pb.ts'
import type { Profile } from '../../../../gen/platform/member/v1/profiles_pb.ts'
import { newId } from '../../../kernel/base/ids.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import type { ClientInfo } from '../../context.ts'
import type { SignInAttempt } from '../../limits/attempts.ts'
import type { AppType, MemberClient } from '../../members.ts'
import { endSessions } from '../../sessions/sessions.sql.ts'
import type { AuthTables } from '../../tables.ts'
import { aroundAccount, publishRevoked } from '../../users/events.ts'
import { type UserRow, updateUser } from '../../users/users.sql.ts'
import { failure } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { appsInUse, lockUser } from '../users.sql.ts'
import { legacyClaims } from './claims.ts'
import { openLegacySession } from './legacy-session.ts'

/** A device idle for longer than this doesn't block a sign-in on another one. */
const inUseMinutes = 15

type AppSignIn = { user: UserRow; member: Profile; appType: string; client: ClientInfo; attempt: SignInAttempt }
type Pair = { accessToken: string; refreshToken: string }

/**
 * Opens the session of a sign-in whose password was checked. MSG_624 while another device is in use, MSG_601 when
 * password or account changed since the check. Sign-ins of one account are serialised.
 */
export async function signInToApp(
  parts: LegacyContext,
  { user, member, appType, client, attempt }: AppSignIn,
): Promise<Pair> {
  const openedSession = await inTransaction(parts.db, async trx => {
    const lockedUser = await lockUser(trx, user.id)
    if (!lockedUser?.is_active || lockedUser.password_hash !== user.password_hash) throw failure('MSG_601')
    const sessionsInUse = await appsInUse(trx, user.id, inUseMinutes)
    if (sessionsInUse.some(session => session.user_agent !== client.userAgent)) throw failure('MSG_624')
    // The same device signs in again, so its previous session ends.
    await endSessions(trx, { sessionIds: sessionsInUse.map(session => session.id) }, new Date())
    for (const { id: sessionId } of sessionsInUse) await publishRevoked(trx, user.id, { sessionId })
    const appSession = await openAppSession(parts, trx, { user, member, appType, client })
    await attempt.countIn(trx)
    return appSession
  })
  return issueLegacyPair(parts, { user, member, ...openedSession })
}

/** Opens a session in the running transaction, publishes the sign-in, and marks first-time users as registered. */
export async function openAppSession(
  parts: LegacyContext,
  trx: Transaction<AuthTables>,
  { user, member, appType, client }: Omit<AppSignIn, 'appType' | 'attempt'> & { appType: string | null },
): Promise<{ sessionId: string; refreshToken: string }> {
  const { id: memberId } = member
  const [workspace] = member.workspaces
  const now = new Date()
  await updateUser(trx, user.id, { last_login_at: now, sign_up_pending: 0 })
  await emit(trx, AuthenticationSignedInSchema, { id: user.id, memberId, appType: appType ?? '' }, aroundAccount)
  await emit(trx, SocketRelaySchema, signedInFrame(memberId, appType, now), {
    ...aroundAccount,
    ...(workspace ? { workspaceId: workspace.id, workspaceName: workspace.name, channels: ['socket'] } : {}),
    receiverIds: [memberId],
  })
  await logUser(trx, { level: 'info', message: 'signed in', userId: user.id, meta: { type: appType } })
  const session = await openLegacySession(parts, trx, { owner: { userId: user.id, memberId }, appType, client })
  // Last, so that a failed sign-in registers no one. Repeating it changes nothing.
  if (!member.registeredAt) await parts.members.markRegistered(memberId)
  return session
}

type OpenedSession = { user: UserRow; member: Profile; sessionId: string; refreshToken: string }

/** The token pair of an opened session. */
export function issueLegacyPair(
  { tokens, config }: LegacyContext,
  { user, member, sessionId, refreshToken }: OpenedSession,
): Pair {
  const claims = legacyClaims(user, member, sessionId)
  return { accessToken: tokens.issue(claims, config.LEGACY_ACCESS_TOKEN_SECONDS), refreshToken }
}

/** The frame that notifies the member's other open apps of the sign-in. */
const signedInFrame = (memberId: string, appType: string | null, now: Date) => ({
  id: newId(),
  event: 'auth:signed-in',
  rooms: [`member:${memberId}`],
  data: { appType, timestamp: now.toISOString() },
})

/** The app of a session or refresh token, where it is one with its own chat token. */
export const toAppType = (text: string | null | undefined): AppType | undefined =>
  text === 'mobile' || text === 'dashboard' ? text : undefined

/**
 * The active member of an account, with the chat token that legacy tokens carry. A member whose address differs is
 * found by the account.
 */
export async function loadMember(
  { members }: { members: MemberClient },
  user: { id: string; email: string | null },
  appType?: AppType,
): Promise<Profile | undefined> {
  const lightProfile = user.email ? await members.lightProfile(user.email, appType) : undefined
  if (lightProfile?.userId === user.id) return lightProfile
  const accountProfile = await members.profileOfUser(user.id, appType)
  // While an address change is unconfirmed, the member's record already has the new address.
  const changedProfile =
    accountProfile && accountProfile.email !== user.email
      ? await members.lightProfile(accountProfile.email, appType)
      : undefined
  return changedProfile?.userId === user.id ? changedProfile : accountProfile
}
