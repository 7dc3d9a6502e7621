import type { JsonObject } from '@bufbuild/protobuf'
import { fullName } from '../../kernel/base/text.ts'
import type { MemberAudience } from '../audience.ts'
import type { NotificationRow } from '../tables.ts'
import { slugOf } from './default-templates.ts'
import { changedTexts, mailColumn, mailValuesOf } from './event-texts.ts'
import type { Templates } from './templates.sql.ts'

export type TextSources = { audience: Pick<MemberAudience, 'people' | 'workspace'>; templates: Templates }

/** The texts of a stored notification, rendered again. */
export type StoredTexts = Pick<NotificationRow, 'title' | 'body' | 'title_en' | 'body_en' | 'data' | 'mail_values'>

/**
 * Renders a stored notification with changed data.
 * @param actorId the member who caused it; null for somebody without a name
 */
export async function renderStored(
  { audience, templates }: TextSources,
  row: NotificationRow,
  data: JsonObject | null,
  actorId: string | null,
): Promise<StoredTexts> {
  const actor = actorId === null ? undefined : (await audience.people([actorId])).get(actorId)
  const workspace = await audience.workspace(row.workspace_id)
  const template = await templates.find(slugOf(`${row.type}.${row.category}`))
  const event = {
    payload: data ?? {},
    workspaceName: workspace?.name,
    timeZone: workspace?.timeZone,
    actor: { name: actor ? fullName(actor.firstName, actor.lastName) : '', type: row.actor_type },
  }
  const { fr, en } = changedTexts(template, event)
  const { mail_values = null } = template ? mailColumn(template, () => mailValuesOf(template, event)) : {}
  return {
    title: fr.title,
    body: fr.body,
    title_en: en.title,
    body_en: en.body,
    data: data && JSON.stringify(data),
    mail_values,
  }
}
