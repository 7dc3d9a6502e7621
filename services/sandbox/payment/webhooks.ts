import { createHmac } from 'node:crypto'
import type { Log } from '../../kernel/process/log.ts'
import { pause } from '../faults.ts'
import type { SandboxState } from '../state.ts'
import { type PaymentStore, type Subscription, seconds, stripeId } from './store.ts'

type WebhookTarget = { url: string; secret: string }
export type Webhooks = ReturnType<typeof createWebhooks>
/** What the routes of the payment sandbox share. */
export type PaymentSandbox = { store: PaymentStore; webhooks: Webhooks; state: SandboxState }

const retryDelaysMs = [1000, 2000, 4000, 8000]

/** The provider's signature header: `t=<seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
function signature(body: string, secret: string, timestamp = seconds()): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/**
 * Posts events of subscriptions, signed, to the configured target. Retries after 1, 2, 4 and 8 s unless the target
 * answers 2xx within 5 s. As with the provider, the order isn't guaranteed.
 */
export function createWebhooks(target: WebhookTarget | undefined, log: Log, closeSignal: AbortSignal) {
  function emit(type: string, object: Subscription): void {
    const event = {
      id: stripeId('evt'),
      object: 'event',
      created: seconds(),
      data: { object: structuredClone(object) },
      livemode: false,
      type,
    }
    if (target) void deliver(event, target)
  }

  async function deliver(event: { id: string; type: string }, { url, secret }: WebhookTarget) {
    const body = JSON.stringify(event)
    for (const [i, delay] of [0, ...retryDelaysMs].entries()) {
      if (delay > 0 && !(await pause(delay, closeSignal))) return
      const status = await post(url, body, signature(body, secret))
      if (status !== null && status >= 200 && status < 300) return
      log.debug({ event: event.id, status, attempt: i + 1 }, 'webhook not accepted')
    }
  }

  async function post(url: string, body: string, signatureHeader: string): Promise<number | null> {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureHeader,
      'user-agent': 'Stripe/1.0',
    }
    const signal = AbortSignal.any([closeSignal, AbortSignal.timeout(5000)])
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await answer.body?.cancel()
      return answer.status
    } catch {
      return null
    }
  }

  return { emit }
}
