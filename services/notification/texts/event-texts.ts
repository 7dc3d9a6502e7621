import { systemActor } from '../../kernel/bus/events.ts'
import { type BusMessage, header, storableId } from '../../kernel/bus/message.ts'
import type { Happening } from '../intake/envelope.ts'
import { render, type Rendered, type Values } from './rendering.ts'
import type { NewNotification } from '../intake/store.sql.ts'
import type { Language } from '../tables.ts'
import { hasOwnMail, type Template, textsIn } from './templates.sql.ts'
import { randomBytes } from 'node:crypto'

type BothTexts = Record<Language, Rendered>

/** Title and text of an event in both languages. */
export function textsFor(template: Template, event: Happening): BothTexts {
  const of = (language: Language) => render(textsIn(template, language), valuesOf(event, language))
  return { fr: of('fr'), en: of('en') }
}

/** What the mail of a notification is rendered from, by the language of its reader. */
export type MailValues = Record<Language, { language: Language; values: Values }>

/** The column of a notification whose template has a mail of its own: nothing else has to remember its values. */
export const mailColumn = (template: Template, of: () => MailValues): { mail_values?: string } =>
  hasOwnMail(template) ? { mail_values: JSON.stringify(of()) } : {}

/** The values of an event for its mail, those that the template names alone. */
export function mailValuesOf(template: Template, event: Happening): MailValues {
  const of = (language: Language) => {
    const { variables } = textsIn(template, language)
    const values = Object.entries(valuesOf(event, language)).filter(([name]) => variables.includes(name))
    return { language, values: Object.fromEntries(values) }
  }
  return { fr: of('fr'), en: of('en') }
}

/** What an event carries for its template (DECISIONS 30): fields of the payload, and the names around it. */
export function valuesOf({ payload, actor, workspaceName }: Happening, language: Language): Values {
  const fields = Object.entries(payload).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
  const named: Record<string, unknown> = {
    workspaceName,
    pageTitle: payload['title'],
    commentContent: payload['content'],
  }
  const present = Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { ...Object.fromEntries(fields), ...Object.fromEntries(present), actorName: nameOf(actor, language) }
}

const unknownActor: Record<Language, string> = { fr: "Quelqu'un", en: 'Someone' }
const platform: Record<Language, string> = { fr: 'La plateforme', en: 'The platform' }

/** A system is named as it names itself; the platform's own events say only that it was the platform. */
function nameOf({ type, name }: Happening['actor'], language: Language): string {
  const own = name.trim()
  if (type !== 'system') return own || unknownActor[language]
  return own === '' || own === systemActor.name ? platform[language] : own
}

/** The record of an event; kept under its occurrence, an event without one being its own. */
export function notificationOf(event: Happening, texts: BothTexts, message: BusMessage): NewNotification {
  const { id, at, sequence, headers } = message
  const entityId = event.payload['id']
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
    entity_id: typeof entityId === 'string' ? entityId : null,
    entity_type: event.type,
    channels: event.channels,
    priority: event.priority,
    created_at: at,
  }
}

/** The payload without what only the service it was sealed for may read. */
function shown(payload: Happening['payload']): object {
  const { sealedLink: _sealed, ...rest } = payload
  return rest
}

/**
 * An id in the usual form that sorts by millisecond and, within one, by place in the stream: inboxes are read in the order
 * of ids, and events that are worked off side by side must stand in theirs.
 */
export function notificationId(at: Date, sequence = 0): string {
  const bytes = randomBytes(12)
  const ms = at.getTime()
  bytes.writeUInt32BE(Math.floor(ms / 1_000), 0)
  bytes.writeUInt16BE((ms % 1_000) * 65, 4)
  if (sequence > 0) bytes.writeUInt32BE(sequence % 2 ** 32, 6)
  return bytes.toString('hex')
}
