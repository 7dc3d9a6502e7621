import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  type ListPagePreferencesRequest,
  type PagePreferenceSchema,
  PagePreferenceService,
  type UpdatePagePreferenceRequest,
} from '../../../gen/platform/news/v1/page_preferences_pb.ts'
import { personOf, tenantOf } from '../../kernel/access/access.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { openPage, seesAll } from '../pages/access.ts'
import { summary } from '../pages/read.ts'
import type { ReadingPreferenceRow } from '../tables.ts'
import {
  countPreferences,
  findPreference,
  listPreferences,
  type PreferenceFilter,
  preferenceDefaults,
  upsertPreference,
} from './preferences.sql.ts'

type ShownPreference = Omit<ReadingPreferenceRow, 'updated_at'> & { updated_at: Date | null }

export const preferenceOf = (row: ShownPreference): MessageInitShape<typeof PagePreferenceSchema> => ({
  ...messageFields(row),
  notifyOnComment: row.notify_on_comment === 1,
  notifyOnLike: row.notify_on_like === 1,
})

const asColumn = (value: boolean) => (value ? 1 : 0)

async function list({ db, members }: Context, request: ListPagePreferencesRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const { memberId } = personOf(context)
  const { isFavorite, isBookmarked, isFollowing } = request
  const filter: PreferenceFilter = {
    ...(isFavorite === undefined ? {} : { is_favorite: asColumn(isFavorite) }),
    ...(isBookmarked === undefined ? {} : { is_bookmarked: asColumn(isBookmarked) }),
    ...(isFollowing === undefined ? {} : { is_following: asColumn(isFollowing) }),
  }
  const slice = paging(request)
  const [rows, total] = await Promise.all([
    listPreferences(db, tenant, memberId, seesAll(tenant), filter, slice),
    countPreferences(db, tenant, memberId, seesAll(tenant), filter),
  ])
  const authors = await members.authors(rows.map(row => row.created_by_id))
  const now = Date.now()
  const data = rows.map(row => ({
    preference: preferenceOf(row),
    page: summary(row, authors.get(row.created_by_id), now),
  }))
  return { data, meta: pageMeta(total, slice) }
}

async function get(news: Context, pageId: string, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  const { memberId } = personOf(context)
  const row = await findPreference(news.db, tenant, page.id, memberId)
  const key = { page_id: page.id, member_id: memberId, workspace_id: tenant.workspaceId }
  return { preference: preferenceOf(row ?? { ...preferenceDefaults, ...key, updated_at: null }) }
}

/** Changes the named preferences; null resets one to its default. */
async function update(news: Context, request: UpdatePagePreferenceRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const { memberId } = personOf(context)
  const paths = new Set(request.updateMask?.paths)
  const { isFavorite = false, isBookmarked = false, isFollowing = false, notifyOnComment = true } = request
  const set = {
    ...(paths.has('is_favorite') ? { is_favorite: asColumn(isFavorite) } : {}),
    ...(paths.has('is_bookmarked') ? { is_bookmarked: asColumn(isBookmarked) } : {}),
    ...(paths.has('is_following') ? { is_following: asColumn(isFollowing) } : {}),
    ...(paths.has('notify_on_comment') ? { notify_on_comment: asColumn(notifyOnComment) } : {}),
    ...(paths.has('notify_on_like')
      ? { notify_on_like: request.notifyOnLike === undefined ? null : asColumn(request.notifyOnLike) }
      : {}),
    updated_at: new Date(),
  }
  const key = { page_id: page.id, member_id: memberId, workspace_id: tenant.workspaceId }
  if (Object.keys(set).length > 1) await inTransaction(news.db, trx => upsertPreference(trx, key, set))
  return get(news, page.id, context)
}

/** Preferences of a member for a page. */
export const preferenceService = (news: Context): Rpc =>
  implement(PagePreferenceService, {
    listPagePreferences: (request, context) => list(news, request, context),
    getPagePreference: ({ pageId }, context) => get(news, pageId, context),
    updatePagePreference: (request, context) => update(news, request, context),
  })
