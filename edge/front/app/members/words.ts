import type { Role } from '../../../../gen/client/member.ts'
import { useTexts } from '../platform/texts.ts'

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
