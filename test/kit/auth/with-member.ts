import { service as auth } from '../../../services/auth/service.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import type { ServiceModule } from '../../../services/kernel/rpc/host.ts'
import { service as member } from '../../../services/member/service.ts'
import { callersOf, eventually, startTestHost, type suite } from '../kit.ts'
import { someAddress } from '../member.ts'
import { memberServices } from '../member-service.ts'
import { authServices, bootstrap, chief, password, startMailbox } from './auth.ts'
import { legacyServices } from './legacy.ts'

type Place = { workspaceId?: string; workspaceRole?: string; permissions?: string[] }

/**
 * Authentication beside the member service, with a hotel, the token of the platform's administrator, and a mailbox.
 * @param extraServices services beside these two
 */
export async function authWithMember(
  test: ReturnType<typeof suite>,
  extra: Record<string, string> = {},
  extraServices: ServiceModule[] = [],
) {
  const mailbox = await startMailbox()
  const env = { ...bootstrap, NOTIFICATION_RPC_URL: mailbox.url, SIGN_IN_LIMIT: '1000', ...extra }
  const host = await startTestHost([auth, member, ...extraServices], env)
  test.after(async () => {
    await host.end()
    await mailbox.end()
  })
  const callers = callersOf(host, { ...memberServices, ...authServices, ...legacyServices })
  const { accessToken: root } = await callers.anonymous.signIn.login(chief)
  const openHotel = async (name = 'Le Phare', hotelId = newId()) => {
    const { workspace } = await callers.asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name })
    return { hotelId, workspaceId: workspace?.id ?? '' }
  }
  const { hotelId, workspaceId } = await openHotel()
  /** Invites into the hotel unless `place` says otherwise, and returns the token. */
  const invite = async (email: string, place: Place = {}): Promise<string> => {
    const request = { email, workspaceId, workspaceRole: 'viewer', ...place }
    return (await callers.withToken(root).onboarding.invite(request)).invitation?.token ?? ''
  }
  const mailTo = (address: string, slug = 'verify_email') =>
    eventually(() => mailbox.mails.findLast(one => one.to === address && one.slug === slug))
  return {
    host,
    ...callers,
    mailbox,
    root,
    hotelId,
    workspaceId,
    openHotel,
    invite,
    /** The latest mail of a kind to an address. */
    mailTo,
    tokenTo: async (address: string, slug?: string) => (await mailTo(address, slug)).variables['token'] ?? '',
    /** Somebody invited who has signed up. */
    async person(email = someAddress(), place: Place = {}, firstName?: string) {
      const request = { token: await invite(email, place), password, firstName }
      const { user, accessToken, refreshToken } = await callers.anonymous.users.signUp(request)
      return { email, accessToken, refreshToken, id: user?.memberId ?? '', userId: user?.id ?? '' }
    },
  }
}
