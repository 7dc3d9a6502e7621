import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { z } from 'zod'
import { type BusMessage, readPayload } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Context } from '../context.ts'
import { longestWaitDays } from '../intake/ended.sql.ts'
import { notificationId } from '../intake/notification.ts'
import type { Unread } from '../live/unread.ts'
import { applyEffect } from '../removals/removals.ts'
import type { NotificationRow } from '../tables.ts'
import { renderStored } from '../texts/stored.ts'
import type { Templates } from '../texts/templates.sql.ts'
import { deleteWebhookDeliveriesNaming } from '../webhooks/retention.ts'
import {
  dropAnswers,
  dropOldErasures,
  erasedSince,
  lockNaming,
  type NamelessTexts,
  recordErasure,
  removeRowsOf,
  writeNameless,
} from './sql.ts'

type Parts = Pick<Context, 'db' | 'audience'> & { templates: Templates }

const part = 200
const hourMs = 3_600_000
const soonMs = 10_000

/** Removes what is stored of erased members [D422]. */
export const erasedMembers = (parts: Parts & { unread: Unread }) => ({
  subject: 'platform.member.erased',
  async handle(message: BusMessage): Promise<void> {
    const { memberId } = readPayload(message, { memberId: z.string() })
    await recordErasure(parts.db, memberId)
    await dropOldErasures(parts.db, longestWaitDays)
    await removeRowsOf(parts.db, memberId)
    // Before the names are removed, because they identify the notifications about the person.
    const event = { key: 'member.erased', payload: { memberId }, workspaceId: '' }
    await applyEffect(parts, event, notificationId(message.storedAt, message.sequence))
    await removeNames(parts, memberId)
  },
})

/**
 * Removes names that later events bring after the erasure: of the last hour within seconds, of redriven dead letters
 * within an hour.
 * @returns a function that stops it
 */
export function startErasure(parts: Parts, log: Log): () => Promise<void> {
  const logFailure = (err: unknown) => log.warn({ err }, 'names of erased members not removed; retrying')
  const repeatErasures = async (sinceMs: number) => {
    for (const memberId of await erasedSince(parts.db, sinceMs)) await removeNames(parts, memberId).catch(logFailure)
  }
  const recentRepeat = repeatEvery(soonMs, () => repeatErasures(hourMs), logFailure)
  const fullRepeat = repeatEvery(hourMs, () => repeatErasures(longestWaitDays * 24 * hourMs), logFailure)
  return async () => {
    await recentRepeat.stop()
    await fullRepeat.stop()
  }
}

/** Removes a member's name from notifications and all deliveries, some at a time. */
async function removeNames(parts: Parts, memberId: string): Promise<void> {
  while ((await removeSomeNames(parts, memberId)) > 0);
  while ((await dropAnswers(parts.db, memberId, part)) > 0);
  await deleteWebhookDeliveriesNaming(parts.db, memberId)
}

const removeSomeNames = (parts: Parts, memberId: string): Promise<number> =>
  inTransaction(parts.db, async trx => {
    const rows = await lockNaming(trx, memberId, part)
    for (const row of rows) await writeNameless(trx, row.id, await namelessTexts(parts, row, memberId))
    return rows.length
  })

async function namelessTexts(parts: Parts, row: NotificationRow, memberId: string): Promise<NamelessTexts> {
  const withoutId = (id: string | null): string | null => (id === memberId ? null : id)
  const data = row.data === null ? null : withoutMember(JSON.parse(row.data) as JsonObject, memberId)
  const actorId = withoutId(row.named_actor_id)
  return {
    ...(await renderStored(parts, row, data, actorId)),
    // Rendered without the template's own HTML.
    mail_values: null,
    named_actor_id: actorId,
    named_member_id: withoutId(row.named_member_id),
  }
}

const personal: ReadonlySet<string> = new Set(['memberName', 'firstName', 'lastName', 'email', 'photo_url', 'changes'])

const withoutPerson = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, personal.has(name) ? null : value]))

/** The payload of an event without what it holds of a member: in `member`, or beside their `memberId`. */
function withoutMember(payload: JsonObject, memberId: string): JsonObject {
  const { member } = payload
  const anonymousPayload = payload['memberId'] === memberId ? withoutPerson(payload) : payload
  return isObject(member) && member['id'] === memberId
    ? { ...anonymousPayload, member: withoutPerson(member) }
    : anonymousPayload
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
