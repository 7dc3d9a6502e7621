import type { CallOptions } from '@connectrpc/connect'
import { HotelDeletedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type EventEnvelope, emitAll } from '../../kernel/bus/events.ts'
import { waitUntilPublished } from '../../kernel/bus/outbox.ts'
import { pagesOf } from '../../kernel/rpc/paging.ts'
import { chatActiveStep } from '../chat/steps.ts'
import type { HotelDependencies } from '../context.ts'
import { findAnyHotel } from '../hotels.sql.ts'
import type { Saga, SagaStep } from '../sagas/saga.ts'
import { membersStep } from './accounts.ts'

const memberService = 'The member service'

/** The effects of DELETE /hotel/delete/:id, each retried until it succeeds. */
export const deletion = (dependencies: HotelDependencies): Saga => ({
  kind: 'delete',
  onFailure: 'retry',
  steps: [
    record,
    memberList(dependencies),
    statusPublished(dependencies),
    membersStep(dependencies, 'deleted'),
    subscription(dependencies),
    chatActiveStep(dependencies, false),
    event,
  ],
})

/** The transaction that starts the run marks the hotel, so that the response is true at once. */
const record: SagaStep = { name: 'record' }

/** Stores the ids of the hotel's members, which can't be determined after the deletion. */
const memberList = ({ callService, members: service }: HotelDependencies): SagaStep => ({
  name: 'member-list',
  async perform({ hotelId }) {
    const active = (after: string | undefined) =>
      callService(memberService, options => service.listHotelMemberIds({ hotelId, isActive: true, after }, options))
    const memberIds: string[] = []
    for await (const { members } of pagesOf(active)) memberIds.push(...members.map(({ id }) => id))
    return { memberIds }
  },
})

/** Maximum time before sign-ins end, in ms, so that the hotel's room receives the subscription's status first. */
const publishingMs = 3_000

/** Waits until the status is published, since the next steps end sign-ins and close sockets. */
const statusPublished = ({ db }: HotelDependencies): SagaStep => ({
  name: 'status-told',
  async perform() {
    await waitUntilPublished(db, publishingMs)
    return {}
  },
})

const subscription = ({ db, callService, subscriptions }: HotelDependencies): SagaStep => ({
  name: 'payment',
  async perform({ hotelId, idempotencyKey }) {
    const customerId = (await findAnyHotel(db, hotelId))?.payment_customer_id
    if (!customerId) return {}
    const cancel = (options: CallOptions) => subscriptions.cancelSubscription({ customerId, idempotencyKey }, options)
    await callService('The payment service', cancel, { passOn: true }).catch((error: unknown) => {
      // A removed customer has no subscription.
      if (toRpcError(error).info.status !== 404) throw error
    })
    return {}
  },
})

/** Maximum of receivers in one message. */
const mostReceivers = 20_000

const event: SagaStep = {
  name: 'event',
  async record(trx, { hotelId, input, state, actor }) {
    const hotel = await findAnyHotel(trx, hotelId)
    const payload = { id: hotelId, hotelId, name: input.name }
    const envelope: Omit<EventEnvelope, 'receiverIds'> = {
      workspaceId: hotel?.workspace ?? '',
      ecosystemId: hotelId,
      workspaceName: input.name,
      channels: ['push', 'socket'],
      actor,
      occurrenceId: newId(),
    }
    const receiverIds = state.memberIds ?? []
    const parts = [receiverIds.slice(0, mostReceivers)]
    for (let start = mostReceivers; start < receiverIds.length; start += mostReceivers)
      parts.push(receiverIds.slice(start, start + mostReceivers))
    await emitAll(
      trx,
      HotelDeletedSchema,
      parts.map(receiverIds => ({ payload, envelope: { ...envelope, receiverIds } })),
    )
  },
}
