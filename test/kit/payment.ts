import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { CustomerService } from '../../gen/platform/payment/v1/customers_pb.ts'
import { PlanService } from '../../gen/platform/payment/v1/plans_pb.ts'
import { SubscriptionService } from '../../gen/platform/payment/v1/subscriptions_pb.ts'
import { WebhookService } from '../../gen/platform/payment/v1/webhooks_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { service } from '../../services/payment/service.ts'
import { startTestHost } from './kit.ts'
import { type StandInMember, standInMember, startMemberStandIn } from './partly.ts'
import { quickProviders, sandboxForTest } from './sandbox.ts'

type Event = { payload: { id: string; customerId: string; status: string; plan: string }; ecosystemId: string }

export const webhookSecret = 'whsec_of_the_payment_tests'

/** A separate payment service for one test file, with a sandbox that sends it webhooks. */
export async function paymentForTest() {
  const members = new Map<string, StandInMember>()
  const member = await startMemberStandIn(members)
  let deliver = async (_payload: Uint8Array, _signature: string): Promise<unknown> => undefined
  const front = createServer(async (request, response) => {
    const signature = String(request.headers['stripe-signature'])
    const status = await deliver(await buffer(request), signature).then(
      () => 200,
      () => 500,
    )
    response.writeHead(status).end()
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(front.address() as AddressInfo).port}/webhooks/stripe`
  const sandbox = await sandboxForTest({
    env: { STRIPE_WEBHOOK_TARGET: target, PAYMENT_WEBHOOK_SECRET: webhookSecret },
  })
  const host = await startTestHost([service], {
    STRIPE_BASE_URL: sandbox.url,
    PAYMENT_SECRET_KEY: 'sk_test_of_the_payment_tests',
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    ...quickProviders,
    MEMBER_RPC_URL: `http://127.0.0.1:${member.port}`,
  })
  const webhooks = host.as(WebhookService)
  deliver = (payload, signature) => webhooks.handleWebhook({ payload, signature })
  const events: Event[] = []
  await new Promise<void>(resolve => {
    const note = ({ body }: { body: unknown }) => void events.push(body as Event)
    host.bus.tail('platform.payment.subscription_changed', note, { onOpen: () => resolve() })
  })
  const customers = host.client(CustomerService)

  return {
    host,
    sandbox,
    customers,
    subscriptions: host.client(SubscriptionService),
    plans: host.client(PlanService),
    webhooks,
    /** A customer's events in short form, oldest first. */
    statusesOf: (customerId: string) =>
      events.filter(event => event.payload.customerId === customerId).map(({ payload }) => payload.status),
    events,
    async newCustomer() {
      const hotelId = newId()
      const { customer } = await customers.createCustomer({ hotelId, email: 'pay@hotel.example', name: 'Grand' })
      return { hotelId, customerId: customer?.id ?? '' }
    },
    /** The user id of a new member. */
    member(fields: Partial<StandInMember>) {
      const userId = newId()
      members.set(userId, standInMember(fields))
      return userId
    },
    async end() {
      await sandbox.close()
      await host.end()
      await member.close(100)
      front.closeAllConnections()
      front.close()
    },
  }
}
