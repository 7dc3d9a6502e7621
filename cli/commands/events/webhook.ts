import { setTimeout } from 'node:timers/promises'
import { PlatformError } from '../../../edge/client/client.ts'
import type { WebhookDelivery } from '../../../gen/client/notification.ts'
import { isUnanswered } from '../access.ts'
import { CommandError, exitCodes } from '../command.ts'
import type { Listener } from './listener.ts'

/** Time in which every process learns of a new endpoint. */
const noticeMs = 1_000
const pollMs = 500
const description = 'platform listen'

/**
 * Makes a webhook of the hotel for the time of the command, and shows each attempt to deliver. So a receiver gets what
 * it gets later, from the same code.
 */
export async function forwardEvents(listener: Listener, url: string): Promise<void> {
  const { ask, client, workspaceId, ending } = listener
  const webhooks = client.notification
  const body = { workspaceId, url, eventTypes: await prepare(listener, url), description }
  const { id, secret } = await webhooks.createWebhook({ body })
  try {
    ask.stream(`Forwards to ${url}, signed with ${secret}`, { secret })
    await Promise.race([ending.promise, setTimeout(noticeMs)])
    ask.print(`Listening to workspace ${workspaceId}. Ctrl-C ends it.`)
    const isEnded = ending.promise.then(() => true)
    const shownAttempts = new Set<string>()
    do {
      for (const delivery of await newestDeliveries(listener, id)) showAttempt(listener, delivery, shownAttempts)
    } while (!(await Promise.race([isEnded, setTimeout(pollMs, false)])))
  } finally {
    await webhooks.deleteWebhook({ id })
  }
}

/** Deletes what a killed run has left at the address. @returns the chosen event types */
async function prepare({ client, workspaceId, isChosen }: Listener, url: string): Promise<string[]> {
  const { data, availableEventTypes } = await client.notification.listWebhooks({ workspaceId })
  const eventTypes = availableEventTypes.filter(isChosen)
  if (eventTypes.length === 0) {
    const types = availableEventTypes.join(', ')
    throw new CommandError(`--type matches no event that webhooks carry: ${types}.`, exitCodes.usage)
  }
  const leftEndpoints = data.filter(one => one.url === url && one.description === description)
  for (const { id } of leftEndpoints) await client.notification.deleteWebhook({ id })
  return eventTypes
}

/** The newest deliveries, oldest first; none while the platform is restarted. */
async function newestDeliveries({ client }: Listener, id: string): Promise<WebhookDelivery[]> {
  try {
    const { data } = await client.notification.listWebhookDeliveries({ id, limit: 100 })
    return data.toReversed()
  } catch (error) {
    if (isUnanswered(error) || (error instanceof PlatformError && error.status >= 500)) return []
    throw error
  }
}

/** Shows the last attempt of a delivery, once it has ended. */
function showAttempt({ show }: Listener, delivery: WebhookDelivery, shownAttempts: Set<string>): void {
  const { id, attempts, eventType: type, createdAt, responseStatus, error } = delivery
  const answer = responseStatus ?? error
  const attempt = `${id} ${attempts}`
  if (answer === null || shownAttempts.has(attempt)) return
  shownAttempts.add(attempt)
  const sentEvent = parseBody(delivery) ?? { type, timestamp: createdAt ?? '', data: delivery.body }
  show({ ...sentEvent, answer: String(answer) })
}

/** The posted event; undefined for one whose body is listed in part. */
function parseBody({ body }: WebhookDelivery): { type: string; timestamp: string; data: unknown } | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
