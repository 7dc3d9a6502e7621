import type { CallOptions } from '@connectrpc/connect'
import type { HotelMemberIds } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { forEachPage } from '../../kernel/rpc/paging.ts'
import type { Outside } from '../context.ts'
import type { SagaStep } from '../sagas/saga.ts'

/** Members per call that deactivates or reactivates: the member service answers in time for this many. */
const membersAtOnce = 1000

/** Deactivates the members of a deleted hotel, or reactivates those of a restored one, with their accounts. */
export const membersStep = (outside: Outside, change: 'deleted' | 'restored'): SagaStep => ({
  name: 'members',
  async perform({ hotelId }) {
    const { ask, members } = outside
    const request = { hotelId, withoutIds: true, limit: membersAtOnce }
    await forEachPage(after =>
      ask('The member service', async options => {
        const page = { ...request, after }
        if (change === 'deleted') return members.deactivateHotelMembers(page, options)
        return members.reactivateHotelMembers(page, options)
      }),
    )
    await alignAccounts(outside, hotelId, `hotel ${hotelId} was ${change}`)
    return {}
  },
})

/**
 * Disables the accounts of members who rest with a deleted hotel and enables all others. Each page is read again after
 * it was processed, and processed again when a member's rest has changed: a concurrent change for another hotel may
 * have switched the account first. Idempotent, and may be interrupted.
 * @param reason for the log of the authentication service
 */
async function alignAccounts(outside: Outside, hotelId: string, reason: string): Promise<void> {
  const { ask, members, accounts } = outside
  const read = (after?: string) =>
    ask('The member service', options => members.listHotelMemberIds({ hotelId, after }, options))
  const act = async (userIds: string[], call: (options: CallOptions) => Promise<unknown>) => {
    if (userIds.length > 0) await ask('The authentication service', call)
  }
  let after: string | undefined
  let page = await read()
  for (;;) {
    const [resting, awake] = [usersOf(page.members, true), usersOf(page.members, false)]
    await act(resting, options => accounts.deactivateUsers({ userIds: resting, reason }, options))
    await act(awake, options => accounts.reactivateUsers({ userIds: awake }, options))
    const now = await read(after)
    const isSettled = sameUsers(usersOf(now.members, true), resting) && sameUsers(usersOf(now.members, false), awake)
    if (isSettled && now.next === undefined) return
    if (isSettled) after = now.next
    page = isSettled ? await read(after) : now
  }
}

const usersOf = (members: HotelMemberIds[], isResting: boolean): string[] =>
  members.filter(one => one.isResting === isResting).flatMap(({ userId }) => userId ?? [])

/** Both are sorted by member. */
const sameUsers = (userIds: string[], otherIds: string[]): boolean =>
  userIds.length === otherIds.length && userIds.every((id, index) => id === otherIds[index])
