import { useHere } from '../platform/here.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'

/**
 * Whether the signed-in person manages the hotel itself: an owner, an administrator, or granted. Undefined while
 * loading.
 */
export function useManagesHotel(): boolean | undefined {
  const { memberId, workspace } = useHere()
  const { value, error } = useLoad(memberId ? `hotel-rights/${memberId}` : null, async signal => {
    const { ecosystems } = await platform.member.getMember({ id: memberId }, { signal })
    return ecosystems
  })
  if (!value) return error ? false : undefined
  const own = value.find(one => one.ecosystemId === workspace.ecosystemId)
  return own !== undefined && (own.role !== 'member' || own.permissions.includes('manage_ecosystem'))
}
