import { HotelDeletedSchema } from '../../gen/platform/events/v1/hotel_pb.ts'
import { type Around, emitAll } from '../kernel/events.ts'
import { newId } from '../kernel/ids.ts'
import { chatActiveStep } from './chat.steps.ts'
import { findAnyHotel, writeHotel } from './hotels.sql.ts'
import type { Outside } from './outside-services.ts'
import type { Saga, Step } from './saga.ts'

const memberService = 'The member service'

/** The five effects of DELETE /hotel/delete/:id, each tried until it is done. */
export const deletion = (outside: Outside): Saga => ({
  kind: 'delete',
  onFailure: 'retry',
  steps: [record, memberList(outside), members(outside), subscription(outside), chatActiveStep(outside, false), event],
})

/** The record itself is marked in the transaction that begins the run, so that the answer is true at once. */
const record: Step = { name: 'record' }

/** Remembers who is in the hotel: afterwards nobody can tell whom the deletion shut out. */
const memberList = ({ ask, members: service }: Outside): Step => ({
  name: 'member-list',
  async perform({ hotelId }) {
    const wanted = { id: hotelId, isActive: true }
    const { data } = await ask(memberService, options => service.listHotelMembers(wanted, options))
    return { members: data.map(({ id, userId, role }) => ({ id, userId: userId ?? null, role })) }
  },
})

const members = ({ ask, members: service, accounts }: Outside): Step => ({
  name: 'members',
  async perform(run) {
    const { hotelId } = run
    const answer = await ask(memberService, options => service.deactivateHotelMembers({ hotelId }, options))
    const resting = await ask(memberService, options =>
      service.listHotelMembers({ id: hotelId, isActive: false }, options),
    )
    // The answer of a try that crashed is lost, so those who were active before count as well; but nobody who is active
    // again, because another hotel has let them in since.
    const shutOut = new Set([...answer.memberIds, ...(run.state.members ?? []).map(({ id }) => id)])
    const concerned = resting.data.filter(({ id }) => shutOut.has(id))
    const userIds = [...new Set(concerned.flatMap(({ userId }) => userId ?? []))]
    const deactivated = new Set(run.state.deactivatedUsers)
    for (let at = 0; at < userIds.length; at += 1000) {
      const batch = { userIds: userIds.slice(at, at + 1000), reason: `hotel ${hotelId} was deleted` }
      const done = await ask('The authentication service', options => accounts.deactivateUsers(batch, options))
      for (const id of done.userIds) deactivated.add(id)
      await run.keep({ deactivatedUsers: [...deactivated] })
    }
    return { deactivatedUsers: [...deactivated] }
  },
})

const subscription = ({ db, ask, subscriptions }: Outside): Step => ({
  name: 'payment',
  async perform({ hotelId, idempotencyKey }) {
    const customerId = (await findAnyHotel(db, hotelId))?.payment_customer_id
    const wanted = { customerId: customerId ?? '', idempotencyKey }
    if (customerId) await ask('The payment service', options => subscriptions.cancelSubscription(wanted, options))
    return {}
  },
  record: (trx, run) => writeHotel(trx, run.hotelId, { subscription_status: 'inactive' }),
})

/** Most receivers that one message names (decision 117). */
const mostReceivers = 20_000

const event: Step = {
  name: 'event',
  async record(trx, { hotelId, input, state, actor }) {
    const hotel = await findAnyHotel(trx, hotelId)
    const payload = { id: hotelId, hotelId, name: input.name }
    const around: Omit<Around, 'receiverIds'> = {
      workspaceId: hotel?.workspace ?? '',
      ecosystemId: hotelId,
      workspaceName: input.name,
      channels: ['push', 'socket'],
      actor,
      occurrenceId: newId(),
    }
    const all = (state.members ?? []).map(({ id }) => id)
    const parts = [all.slice(0, mostReceivers)]
    for (let at = mostReceivers; at < all.length; at += mostReceivers) parts.push(all.slice(at, at + mostReceivers))
    await emitAll(
      trx,
      HotelDeletedSchema,
      parts.map(receiverIds => ({ payload, around: { ...around, receiverIds } })),
    )
  },
}
