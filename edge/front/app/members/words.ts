import type { Role } from '../../../../gen/client/member.ts'
import { PlatformError } from '../../../client/client.ts'
import { type Texts, useTexts } from '../platform/texts.ts'

const nameIn = (names: Record<string, string>, slug: string): string | undefined =>
  Object.hasOwn(names, slug) ? names[slug] : undefined

/** The name of a permission, category or status; the given one or the slug when it is custom. */
export function useNameOfSlug(): (slug: string, fallback?: string) => string {
  const t = useTexts('members/words').slugs
  return (slug, otherwise = slug) => nameIn(t, slug) ?? otherwise
}

/** Permissions of the hotel's other apps, which nothing in this client shows. They stay as they are. */
const slugsOfOtherApps: ReadonlySet<string> = new Set(['access_chat', 'manage_channels', 'access_live_chat'])

export const isShownHere = (slug: string): boolean => !slugsOfOtherApps.has(slug)

/** The name of a role by its slug. */
export function useRoleName(roles: Role[] = []): (slug: string) => string {
  const t = useTexts('members/words').slugs
  return slug => {
    const role = roles.find(one => one.slug === slug)
    return role && !role.isSystem ? role.name : (nameIn(t, slug) ?? slug)
  }
}

/** Beginnings of the platform's messages, and the text that explains each. */
const refusalTexts: [status: number, message: RegExp, text: keyof Texts['members/refusals']][] = [
  [403, /^Cannot manage this member/, 'notBelow'],
  [403, /./, 'tooStrong'],
  [409, /administrator/i, 'lastAdministrator'],
  [409, /owner/i, 'lastOwner'],
  [409, /already (has )?a member/i, 'present'],
  [409, /role/i, 'roleInUse'],
  [409, /taken|exists|in use/i, 'taken'],
]

/** Explanations of refused changes to people, for `statusTexts` of `Problem`. */
export function useRefusals(): (error: unknown) => Record<number, string> {
  const t = useTexts('members/refusals')
  return error => {
    if (!(error instanceof PlatformError)) return {}
    const explanation = refusalTexts.find(([status, message]) => status === error.status && message.test(error.message))
    return explanation ? { [explanation[0]]: t[explanation[2]] } : {}
  }
}
