import type { JsonObject } from '@bufbuild/protobuf'
import {
  PageCreatedSchema,
  PageDeletedSchema,
  PageDueSchema,
  PageMentionedSchema,
  PageReleasedSchema,
  PageRemindedSchema,
  PageUpdatedSchema,
} from '../../../gen/platform/events/v1/page_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type Channel, type EventActor, type EventEnvelope, emit, emitAll } from '../../kernel/bus/events.ts'
import type { NewsTrx, PageRow } from '../tables.ts'
import { mentionsIn } from './content.ts'
import { lockDuty } from './duties.sql.ts'
import { medias } from './read.ts'
import { type HeldPage, holdPage, readBody } from './sql.ts'

/** Where something happened, who did it and who receives the event. */
export type EventScope = Pick<EventEnvelope, 'workspaceId' | 'ecosystemId' | 'workspaceName' | 'actor'> & {
  receiverIds: string[]
}

/** The scope of an event in the workspace that the call has opened. */
export const eventScopeOf = (tenant: Tenant, actor: EventActor, receiverIds: string[]): EventScope => ({
  workspaceId: tenant.workspaceId,
  ecosystemId: tenant.ecosystemId,
  workspaceName: tenant.workspaceName,
  actor,
  receiverIds,
})

/** Most receivers in one message: the bus takes 1 MB. */
export const mostReceivers = 20_000

/** Splits one occurrence into as many messages as its receivers need; at least one. */
export function messagesFor(
  { receiverIds, ...around }: EventScope,
  channels: EventEnvelope['channels'],
  occurrenceId: string,
): EventEnvelope[] {
  const parts: EventEnvelope[] = []
  for (let start = 0; start === 0 || start < receiverIds.length; start += mostReceivers)
    parts.push({ ...around, channels, occurrenceId, receiverIds: receiverIds.slice(start, start + mostReceivers) })
  return parts
}

type AnnouncedPage = Pick<
  PageRow,
  'id' | 'title' | 'page_type' | 'excerpt' | 'parent_id' | 'medias' | 'published_at' | 'enable_notifications'
> &
  Partial<Pick<PageRow, 'is_must_read' | 'is_silent'>>
/** With its parent, if that is locked already. */
type CreatedPage = AnnouncedPage & { parent?: HeldPage | undefined }

/**
 * Publishes page.created: first to sockets, then, when the page has notifications on, to push and socket, as one
 * occurrence; then page.mentioned. Of a silent page only the rooms get a frame.
 */
export async function emitPageCreated(
  trx: NewsTrx,
  tenant: Tenant,
  page: CreatedPage,
  about: EventScope,
): Promise<void> {
  const parent = page.parent ?? (page.parent_id === null ? undefined : await holdPage(trx, tenant, page.parent_id))
  const payload = {
    id: page.id,
    title: page.title,
    pageType: page.page_type,
    ...(page.excerpt === null ? {} : { excerpt: page.excerpt }),
    medias: medias(page.medias).map(({ fileUrl, thumbnailUrl, type }) => ({ fileUrl, thumbnailUrl, type })),
    // A draft's title must not reach readers.
    ...(parent?.status === 'published'
      ? { parent: { id: parent.id, title: parent.title, pageType: parent.page_type } }
      : {}),
    ...(page.is_must_read === 1 ? await dutyPayload(trx, tenant, page.id) : {}),
  }
  const occurrenceId = newId()
  const isSilent = page.is_silent === 1
  const messages = messagesFor(isSilent ? withoutReceivers(about) : about, ['socket'], occurrenceId)
  if (page.enable_notifications && !isSilent) messages.push(...messagesFor(about, ['push', 'socket'], occurrenceId))
  await emitAll(
    trx,
    PageCreatedSchema,
    messages.map(envelope => ({ payload, envelope })),
  )
  await emitPageMentioned(trx, page, mentionsIn(await readBody(trx, tenant, page.id)), about)
}

/**
 * Publishes to members that a published page mentions them, unless it is silent. One occurrence for each and each
 * publication, so that nobody is notified again when a mention moves or comes back.
 */
export async function emitPageMentioned(
  trx: NewsTrx,
  page: AnnouncedPage,
  memberIds: ReadonlySet<string>,
  about: EventScope,
): Promise<void> {
  if (!page.enable_notifications || page.is_silent === 1) return
  const payload = { id: page.id, title: page.title, pageType: page.page_type }
  const receiverIds = about.receiverIds.filter(id => memberIds.has(id) && id !== about.actor.id)
  await emitAll(
    trx,
    PageMentionedSchema,
    receiverIds.map(id => ({
      payload,
      envelope: {
        ...about,
        receiverIds: [id],
        channels: ['push', 'socket', 'app'],
        // With a longer prefix it would exceed its 64 characters.
        occurrenceId: `@${page.id} ${id} ${page.published_at?.getTime()}`,
      },
    })),
  )
}

/** What a publication asks of its readers. */
async function dutyPayload(trx: NewsTrx, tenant: Tenant, pageId: string) {
  const duty = await lockDuty(trx, tenant, pageId)
  return duty && { mustRead: true, ...(duty.due_at ? { dueAt: timestamp(duty.due_at) } : {}) }
}

const withoutReceivers = (about: EventScope): EventScope => ({ ...about, receiverIds: [] })

type ChangedPage = Pick<PageRow, 'id' | 'title' | 'page_type' | 'status' | 'is_silent'>

/**
 * Publishes the change of a page. Without receivers, and to its room alone, while readers can't see it; without
 * receivers of a silent one.
 */
export async function emitPageUpdated(
  trx: NewsTrx,
  page: ChangedPage,
  changes: JsonObject,
  about: EventScope,
): Promise<void> {
  const payload = { ...changedPage(page), changes }
  await emitAll(
    trx,
    PageUpdatedSchema,
    changeMessages(page, about).map(envelope => ({ payload, envelope })),
  )
}

/** Publishes the deletion of a page, like a change. */
export async function emitPageDeleted(trx: NewsTrx, page: ChangedPage, about: EventScope): Promise<void> {
  const payload = changedPage(page)
  await emitAll(
    trx,
    PageDeletedSchema,
    changeMessages(page, about).map(envelope => ({ payload, envelope })),
  )
}

const isForEditors = ({ status }: ChangedPage): boolean => status !== 'published'

const changedPage = (page: ChangedPage) => ({
  id: page.id,
  title: page.title,
  pageType: page.page_type,
  editorsOnly: isForEditors(page),
})

const changeMessages = (page: ChangedPage, about: EventScope): EventEnvelope[] =>
  messagesFor(isForEditors(page) || page.is_silent === 1 ? withoutReceivers(about) : about, ['socket'], newId())

/** Of both messages of a reminder. */
export const reminderChannels: Channel[] = ['push', 'email', 'socket', 'app']

/** Reminds members of a must-read page: first on sockets, then, as one occurrence, by push and mail. */
export async function emitPageReminded(
  trx: NewsTrx,
  page: Pick<PageRow, 'id' | 'title' | 'page_type'>,
  dueAt: Date | null,
  about: EventScope,
): Promise<void> {
  const payload = { id: page.id, title: page.title, pageType: page.page_type, dueAt: timestamp(dueAt) }
  const occurrenceId = newId()
  const messages = [
    ...messagesFor(about, ['socket', 'app'], occurrenceId),
    ...messagesFor(about, ['push', 'email', 'socket'], occurrenceId),
  ]
  await emitAll(
    trx,
    PageRemindedSchema,
    messages.map(envelope => ({ payload, envelope: { ...envelope, priority: 2 } })),
  )
}

/** The day of a deadline, seen from its reminder. */
export type DueDay = 'today' | 'tomorrow'

/** Reminds members of a must-read page before its deadline. */
export async function emitPageDue(
  trx: NewsTrx,
  page: Pick<PageRow, 'id' | 'title' | 'page_type' | 'excerpt'>,
  { dueAt, dueDay }: { dueAt: Date; dueDay: DueDay },
  about: EventScope,
): Promise<void> {
  const { id, title, page_type: pageType, excerpt } = page
  const payload = { id, title, pageType, dueAt: timestamp(dueAt), dueDay, ...(excerpt === null ? {} : { excerpt }) }
  await emitAll(
    trx,
    PageDueSchema,
    messagesFor(about, reminderChannels, newId()).map(envelope => ({
      payload,
      envelope: { ...envelope, priority: 2 },
    })),
  )
}

/** Publishes that a page is no longer must-read. */
export const emitPageReleased = (trx: NewsTrx, id: string, about: EventScope) =>
  emit(trx, PageReleasedSchema, { id }, { ...about, channels: ['socket'], receiverIds: [] })
