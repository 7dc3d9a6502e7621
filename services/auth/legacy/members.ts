import type { AppType, Members, Profile } from '../members.ts'

/**
 * The active member of an account, with the chat token that legacy tokens carry (document 1, "Outbound calls"). Somebody
 * who has another address there is found by the account.
 */
export async function memberOf(
  { members }: { members: Members },
  user: { id: string; email: string | null },
  appType?: AppType,
): Promise<Profile | undefined> {
  const light = user.email ? await members.light(user.email, appType) : undefined
  if (light?.userId === user.id) return light
  const own = await members.ofUser(user.id, appType)
  // Their record has the next address while that waits to be confirmed.
  const readdressed = own && own.email !== user.email ? await members.light(own.email, appType) : undefined
  return readdressed?.userId === user.id ? readdressed : own
}
