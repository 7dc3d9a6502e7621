import { randomBytes } from 'node:crypto'
import { isId } from '../../kernel/base/ids.ts'
import { type BusMessage, header, storableId } from '../../kernel/bus/message.ts'
import type { BothTexts } from '../texts/event-texts.ts'
import { entitiesOfType, type IncomingEvent } from './envelope.ts'
import { onboardingKey } from './invitation-mail.ts'
import type { NewNotification } from './store.sql.ts'

/** The row of an event, keyed by its occurrence; without one, the event itself is the occurrence. */
export function notificationOf(event: IncomingEvent, texts: BothTexts, message: BusMessage): NewNotification {
  const { id, storedAt, sequence, headers } = message
  const redrivenOf = headers[header.redrivenOf]
  return {
    id: notificationId(storedAt, sequence),
    workspace_id: event.workspaceId,
    ecosystem_id: event.ecosystemId,
    occurrence_id: event.occurrenceId ?? (redrivenOf === undefined ? id : storableId(redrivenOf)),
    type: event.type,
    category: event.category,
    title: texts.fr.title,
    body: texts.fr.body,
    title_en: texts.en.title,
    body_en: texts.en.body,
    data: JSON.stringify(payloadToStore(event)),
    actor_id: (event.actor.type === 'member' && event.actor.id) || null,
    actor_type: event.actor.type,
    named_actor_id: idOf(event.actor.type === 'member' && event.actor.id),
    named_member_id: idOf(event.payload['memberId']),
    entity_id: event.entityId,
    entity_type: event.type,
    page_id: pageOf(event),
    channels: event.channels,
    priority: event.priority,
    created_at: storedAt,
  }
}

/** The page that an event is about, itself or through a comment or a reaction. */
function pageOf({ key, payload }: IncomingEvent): string | null {
  const entities = entitiesOfType(key)
  const page = entities && [entities.entity, ...entities.needs].find(({ kind }) => kind === 'page')
  return page ? idOf(payload[page.field]) : null
}

const idOf = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value : null)

/** The payload; of an invitation without the link, which is sealed, and without the invitee, who is no receiver. */
function payloadToStore({ key, payload }: IncomingEvent): object {
  if (key !== onboardingKey) return payload
  const { sealedLink: _sealed, email: _email, firstName: _first, lastName: _last, ...rest } = payload
  return rest
}

/**
 * An id that sorts by millisecond, then by position in the stream. Inboxes are read in id order, and events that are
 * processed in parallel must keep theirs.
 */
export function notificationId(occurredAt: Date, sequence = 0): string {
  const bytes = randomBytes(12)
  const ms = occurredAt.getTime()
  bytes.writeUInt32BE(Math.floor(ms / 1_000), 0)
  bytes.writeUInt16BE((ms % 1_000) * 65, 4)
  if (sequence > 0) bytes.writeUInt32BE(sequence % 2 ** 32, 6)
  return bytes.toString('hex')
}
