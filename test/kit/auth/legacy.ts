import { sql } from 'kysely'
import { AccountService as LegacyAccountService } from '../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { PasswordService as LegacyPasswordService } from '../../../gen/platform/legacyauth/v1/passwords_pb.ts'
import { ProfileService as LegacyProfileService } from '../../../gen/platform/legacyauth/v1/profiles_pb.ts'
import { SignInService as LegacySignInService } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { UsageService } from '../../../gen/platform/legacyauth/v1/usage_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { callersOf, type suite } from '../kit.ts'
import { authForTest, authServices, password } from './auth.ts'

export const legacyServices = {
  legacyAccounts: LegacyAccountService,
  legacyPasswords: LegacyPasswordService,
  legacyProfiles: LegacyProfileService,
  legacySignIn: LegacySignInService,
  usage: UsageService,
}

export const device = { headers: { 'user-agent': 'HotelApp/3.1 (iPhone)' } }
export const otherDevice = { headers: { 'user-agent': 'OtherApp/1.0 (Android)' } }

type Change = { mobileAccess?: boolean; dashboardAccess?: boolean; hotelId?: string; chatAccessToken?: string }
type Place = { workspaceId: string; ecosystemId: string }

/** The legacy version between stand-ins of its neighbours, with people in the states that its invitations create. */
export async function legacyForTest(test: ReturnType<typeof suite>, extra: Record<string, string> = {}) {
  const { host, db, account } = await authForTest(test, extra)
  const callers = callersOf(host, { ...authServices, ...legacyServices })
  const accounts = callers.asService.legacyAccounts
  const signIn = callers.anonymous.legacySignIn

  /** A member without an account. */
  function member(change: Change = {}, places: Place[] = []) {
    const email = host.newEmail()
    const id = newId()
    const base = { id, email, isActive: true, firstname: 'Ada', lastname: 'Byron', mobileAccess: true }
    const workspaces = [{ id: newId(), name: 'Hotel', role: 'member' }]
    const profile = { ...base, dashboardAccess: true, hotelId: newId(), workspaces, roles: ['member'], ...change }
    host.next.members.push({ ...profile, access: { workspaces: places } })
    return { email, memberId: id, hotelId: profile.hotelId, workspaceId: workspaces[0]?.id ?? '' }
  }
  /** A member with an account, as an invitation creates them. */
  async function invited(change: Change = {}, places: Place[] = []) {
    const person = member(change, places)
    const { user } = await accounts.inviteAccount({ email: person.email, password, memberId: person.memberId })
    return { ...person, userId: user?.id ?? '' }
  }
  return {
    host,
    db,
    account,
    ...callers,
    accounts,
    signIn,
    member,
    invited,
    enter: (email: string, options: object = device, secret = password) =>
      signIn.login({ type: 'mobile', email, password: secret }, options),
    userOf: (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Moves every reset request of an e-mail to the day before. */
    expire: (email: string) =>
      sql`update password_resets set expires_at = date_sub(now(3), interval 1 second) where email = ${email}`.execute(
        db,
      ),
  }
}
