import { randomBytes } from 'node:crypto'
import { type BusMessage, header, storableId } from '../../kernel/bus/message.ts'
import type { BothTexts } from '../texts/event-texts.ts'
import type { Happening } from './envelope.ts'
import type { NewNotification } from './store.sql.ts'

/** The row of an event, keyed by its occurrence; without one, the event itself is the occurrence. */
export function notificationOf(event: Happening, texts: BothTexts, message: BusMessage): NewNotification {
  const { id, at, sequence, headers } = message
  const redrivenOf = headers[header.redrivenOf]
  return {
    id: notificationId(at, sequence),
    workspace_id: event.workspaceId,
    ecosystem_id: event.ecosystemId,
    occurrence_id: event.occurrenceId ?? (redrivenOf === undefined ? id : storableId(redrivenOf)),
    type: event.type,
    category: event.category,
    title: texts.fr.title,
    body: texts.fr.body,
    title_en: texts.en.title,
    body_en: texts.en.body,
    data: JSON.stringify(shown(event.payload)),
    actor_id: (event.actor.type === 'member' && event.actor.id) || null,
    actor_type: event.actor.type,
    entity_id: event.entityId,
    entity_type: event.type,
    channels: event.channels,
    priority: event.priority,
    created_at: at,
  }
}

/** The payload without fields sealed for another service. */
function shown(payload: Happening['payload']): object {
  const { sealedLink: _sealed, ...rest } = payload
  return rest
}

/**
 * An id that sorts by millisecond, then by position in the stream. Inboxes are read in id order, and events that are
 * processed in parallel must keep theirs.
 */
export function notificationId(at: Date, sequence = 0): string {
  const bytes = randomBytes(12)
  const ms = at.getTime()
  bytes.writeUInt32BE(Math.floor(ms / 1_000), 0)
  bytes.writeUInt16BE((ms % 1_000) * 65, 4)
  if (sequence > 0) bytes.writeUInt32BE(sequence % 2 ** 32, 6)
  return bytes.toString('hex')
}
