import type { AppType, Members, Profile } from '../members.ts'

/**
 * The active member of an account, with the chat token that legacy tokens carry (document 1, "Outbound calls"). Who
 * changed their address in one service alone is found by the account, and then without that token.
 */
export async function memberOf(
  { members }: { members: Members },
  user: { id: string; email: string | null },
  appType?: AppType,
): Promise<Profile | undefined> {
  const light = user.email ? await members.light(user.email, appType) : undefined
  return light?.userId === user.id ? light : members.ofUser(user.id, appType)
}
