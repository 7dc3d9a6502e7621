import type { CallOptions } from '@connectrpc/connect'
import type { HotelMemberIds } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { forEachPage } from '../../kernel/rpc/paging.ts'
import type { HotelDependencies } from '../context.ts'
import type { SagaStep } from '../sagas/saga.ts'

/** Members per call that deactivates or reactivates: the member service answers in time for this many. */
const membersAtOnce = 1000

type HotelChange = 'deleted' | 'suspended' | 'restored' | 'reopened'

/** Deactivates the members of a hotel that was closed, or reactivates those of one that is open again, with their accounts. */
export const membersStep = (dependencies: HotelDependencies, change: HotelChange): SagaStep => ({
  name: 'members',
  async perform({ hotelId }) {
    const { callService, members } = dependencies
    const request = { hotelId, withoutIds: true, limit: membersAtOnce }
    await forEachPage(after =>
      callService('The member service', async options => {
        const page = { ...request, after }
        if (change === 'deleted' || change === 'suspended')
          return members.deactivateHotelMembers({ ...page, isDeleted: change === 'deleted' }, options)
        return members.reactivateHotelMembers(page, options)
      }),
    )
    await alignAccounts(dependencies, hotelId, `hotel ${hotelId} was ${change}`)
    return {}
  },
})

/**
 * Disables the accounts of members who rest with a closed hotel and enables all others. Each page is read again after
 * it was processed, and processed again when a member's rest has changed: a concurrent change for another hotel may
 * have switched the account first. Idempotent, and may be interrupted.
 * @param reason for the log of the authentication service
 */
async function alignAccounts(dependencies: HotelDependencies, hotelId: string, reason: string): Promise<void> {
  const { callService, members, accounts } = dependencies
  const read = (after?: string) =>
    callService('The member service', options => members.listHotelMemberIds({ hotelId, after }, options))
  const callAccounts = async (userIds: string[], call: (options: CallOptions) => Promise<unknown>) => {
    if (userIds.length > 0) await callService('The authentication service', call)
  }
  let after: string | undefined
  let page = await read()
  for (;;) {
    const [restingUserIds, workingUserIds] = [usersOf(page.members, true), usersOf(page.members, false)]
    await callAccounts(restingUserIds, options =>
      accounts.deactivateUsers({ userIds: restingUserIds, reason }, options),
    )
    await callAccounts(workingUserIds, options => accounts.reactivateUsers({ userIds: workingUserIds }, options))
    const now = await read(after)
    const isSettled =
      sameUsers(usersOf(now.members, true), restingUserIds) && sameUsers(usersOf(now.members, false), workingUserIds)
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
