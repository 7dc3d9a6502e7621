import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import {
  type ListMustReadsRequest,
  type ListPendingReadersRequest,
  MustReadService,
  type SetMustReadRequest,
} from '../../../gen/platform/news/v1/must_read_pb.ts'
import { eventActorOf, personOf, tenantOf } from '../../kernel/access/access.ts'
import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, TooManyRequestsError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction, retryContention } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { openPage, pageNotFound } from '../pages/access.ts'
import { lockDuty, removeDuty, upsertDuty } from '../pages/duties.sql.ts'
import { emitPageReleased, emitPageReminded, eventScopeOf, reminderChannels } from '../pages/events.ts'
import { holdPage, lockPage, writePage } from '../pages/sql.ts'
import type { NewsTrx } from '../tables.ts'
import * as statements from './must-reads.sql.ts'
import { exportReaders, listReaders, notMustRead } from './readers.ts'

/** Least time between two reminders of one page, in ms. */
const reminderPause = 3_600_000

const dutyOf = (row: statements.DutyRow, membersCount: number) => ({
  pageId: row.page_id,
  title: row.title,
  dueAt: timestamp(row.due_at),
  acknowledgedCount: Number(row.acknowledged_count),
  membersCount,
  remindedAt: timestamp(row.reminded_at),
  createdAt: timestamp(row.created_at),
})

async function list({ db, members }: Context, request: ListMustReadsRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const { memberId } = personOf(context)
  const slice = paging(request)
  const [rows, total, audience] = await Promise.all([
    statements.openDuties(db, tenant, memberId, slice),
    statements.countOpenDuties(db, tenant, memberId),
    members.audience(tenant.workspaceId),
  ])
  return { data: rows.map(row => dutyOf(row, audience.length)), meta: pageMeta(total, slice) }
}

async function get(news: Context, pageId: string, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  return { mustRead: await readDuty(news, tenant, page.id) }
}

async function readDuty({ db, members }: Context, tenant: Tenant, pageId: string) {
  const row = await statements.findDuty(db, tenant, pageId)
  if (!row) throw notMustRead()
  return dutyOf(row, (await members.audience(tenant.workspaceId)).length)
}

/** Sets must-read on a locked, published page. */
async function setDuty(news: Context, tenant: Tenant, pageId: string, dueAt: Date | null) {
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, pageId)
    if (!page) throw pageNotFound()
    if (page.status !== 'published') throw new ConflictError('Only a published page can be must-read')
    if (dueAt) await checkDeadline(trx, tenant, pageId, dueAt)
    await upsertDuty(trx, tenant, pageId, dueAt)
    await writePage(trx, tenant, pageId, { is_must_read: 1 })
  })
}

/** Throws ValidationError for a past deadline, unless the page already has it. */
async function checkDeadline(trx: NewsTrx, tenant: Tenant, pageId: string, dueAt: Date) {
  if (dueAt > new Date()) return
  const duty = await lockDuty(trx, tenant, pageId)
  if (duty?.due_at?.getTime() !== dueAt.getTime()) throw invalid('dueAt', 'must be in the future', 'must-read.deadline')
}

async function set(news: Context, request: SetMustReadRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  await setDuty(news, tenant, page.id, request.dueAt ? timestampDate(request.dueAt) : null)
  return { mustRead: await readDuty(news, tenant, page.id) }
}

async function remove(news: Context, pageId: string, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  await inTransaction(news.db, async trx => {
    if (!(await lockPage(trx, tenant, pageId))) throw pageNotFound()
    await removeDuty(trx, tenant, pageId)
    await writePage(trx, tenant, pageId, { is_must_read: 0 })
    await emitPageReleased(trx, page.id, eventScopeOf(tenant, eventActorOf(context), []))
  })
  return { message: 'The page is no longer must-read', pageId }
}

async function acknowledge(news: Context, pageId: string, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  const { memberId } = personOf(context)
  if (page.is_must_read !== 1) throw notMustRead()
  const acknowledgedAt = await retryContention(() => statements.acknowledge(news.db, tenant, page.id, memberId))
  return { pageId, acknowledgedAt: timestamp(acknowledgedAt) }
}

/** At most once an hour over all callers: the row lock lets a concurrent call see the first one's time. */
async function remind({ db, members, countReached }: Context, tenant: Tenant, pageId: string, actor: EventActor) {
  const audience = await members.audience(tenant.workspaceId)
  const { pending, remindedAt } = await inTransaction(db, async trx => {
    const page = await holdPage(trx, tenant, pageId)
    if (!page) throw pageNotFound()
    const duty = await lockDuty(trx, tenant, pageId)
    if (!duty) throw notMustRead()
    if (page.status !== 'published') throw new ConflictError('Reminders require a published page')
    const now = new Date()
    const pauseMs = duty.reminded_at ? duty.reminded_at.getTime() + reminderPause - now.getTime() : 0
    if (pauseMs > 0)
      throw new TooManyRequestsError('Readers were already reminded within the last hour', {
        retryAfterSeconds: Math.ceil(pauseMs / 1000),
      })
    const acknowledged = await statements.acknowledgementsOf(trx, tenant, pageId)
    const isPending = (id: string) => id !== page.created_by_id && id !== actor.id && !acknowledged.has(id)
    const pending = audience.filter(isPending)
    await statements.noteReminder(trx, tenant, pageId, now)
    if (pending.length > 0) await emitPageReminded(trx, page, duty.due_at, eventScopeOf(tenant, actor, pending))
    return { pending, remindedAt: timestamp(now) }
  })
  const reachedCount = await countReached({ type: 'page.reminded', channels: reminderChannels, memberIds: pending })
  return { pageId, remindedCount: pending.length, remindedAt, ...reachedCount }
}

async function remindReaders(news: Context, pageId: string, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  return remind(news, tenant, page.id, eventActorOf(context))
}

/** Those for whom a reminder that waited is still right. */
async function listPendingReaders({ db }: Context, { pageId, dueAt, memberIds }: ListPendingReadersRequest) {
  const duty = await statements.findOpenDuty(db, pageId)
  const isSameDeadline = duty?.due_at?.getTime() === (dueAt && timestampDate(dueAt).getTime())
  if (!duty || !isSameDeadline) return { memberIds: [] }
  const tenant = systemTenant(duty.workspace_id, '', 'asks who is still to be reminded')
  const acknowledged = await statements.acknowledgementsOf(db, tenant, pageId)
  return { memberIds: memberIds.filter(id => !acknowledged.has(id)) }
}

export const mustReadService = (news: Context): Rpc =>
  implement(MustReadService, {
    listMustReads: (request, context) => list(news, request, context),
    getMustRead: ({ pageId }, context) => get(news, pageId, context),
    setMustRead: (request, context) => set(news, request, context),
    removeMustRead: ({ pageId }, context) => remove(news, pageId, context),
    acknowledgePage: ({ pageId }, context) => acknowledge(news, pageId, context),
    listReaders: (request, context) => listReaders(news, request, context),
    exportReaders: (request, context) => exportReaders(news, request, context),
    remindReaders: ({ pageId }, context) => remindReaders(news, pageId, context),
    listPendingReaders: request => listPendingReaders(news, request),
  })
