import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'

/**
 * Whether the signed-in person manages the hotel itself: an owner, an administrator, or granted. Undefined while
 * loading.
 */
export function useManagesHotel(): boolean | undefined {
  const { memberId, workspace } = useMemberContext()
  const { value, error } = useLoad(memberId ? `hotel-rights/${memberId}` : null, async signal => {
    const { ecosystems } = await platform.member.getMember({ id: memberId }, { signal })
    return ecosystems
  })
  if (!value) return error ? false : undefined
  const rights = value.find(one => one.ecosystemId === workspace.ecosystemId)
  return rights !== undefined && (rights.role !== 'member' || rights.permissions.includes('manage_ecosystem'))
}
