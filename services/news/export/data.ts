import type { MessageInitShape } from '@bufbuild/protobuf'
import { ExportService, type NewsDataSchema } from '../../../gen/platform/news/v1/export_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { limitedLists } from '../../kernel/database/limited-lists.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { document, medias } from '../pages/read.ts'
import { preferenceOf } from '../reading/preferences.ts'
import type { NewsTrx } from '../tables.ts'
import type { AuthoredScope } from './data.sql.ts'
import * as statements from './data.sql.ts'

/** The exports of both services and the member's record must fit into one answer of 8 MiB. */
const mostBytes = 3 * 1024 * 1024

/** Documents are large, so few are read at once. */
const mostDocuments = 25

/** What this service stores about one member, for the export of the member service. */
export const exportService = ({ db }: Context): Rpc =>
  implement(ExportService, {
    async exportNewsData({ memberId, workspaceIds, everything }) {
      if (!everything && workspaceIds.length === 0) return { data: {} }
      const scope = { memberId, workspaceIds: everything ? undefined : workspaceIds }
      // One snapshot: rows written meanwhile would shift the parts of a list.
      const snapshot = db.transaction().setIsolationLevel('repeatable read')
      return { data: await snapshot.execute(trx => newsData(trx, scope)) }
    },
  })

/** Lists in the order in which they matter to the member, because the last ones are cut first. */
async function newsData(trx: NewsTrx, scope: AuthoredScope): Promise<MessageInitShape<typeof NewsDataSchema>> {
  const { memberId, workspaceIds } = scope
  const isWhole = workspaceIds === undefined
  const lists = limitedLists(mostBytes)
  const comments = await lists.read('comments', part => statements.commentsBy(trx, scope, part))
  const reactions = await lists.read('reactions', part => statements.reactionsBy(trx, scope, part))
  const commentLikes = await lists.read('commentLikes', part => statements.commentLikesBy(trx, scope, part))
  const acknowledgements = await lists.read('acknowledgements', part => statements.acknowledgementsBy(trx, scope, part))
  const preferences = isWhole
    ? await lists.read('pagePreferences', part => statements.pagePreferencesOf(trx, memberId, part))
    : []
  const answers = isWhole ? await lists.read('pollAnswers', part => statements.pollAnswersOf(trx, memberId, part)) : []
  const pages = await lists.read('pages', part => statements.pagesBy(trx, scope, part), mostDocuments)
  const views = await lists.read('views', part => statements.viewsBy(trx, scope, part))
  const revisions = await lists.read('revisions', part => statements.revisionsBy(trx, scope, part), mostDocuments)
  return {
    pages: pages.map(row => ({
      id: row.id,
      workspaceId: row.workspace_id,
      title: row.title,
      excerpt: row.excerpt ?? undefined,
      content: document(row.content),
      medias: medias(row.medias),
      pageType: row.page_type,
      status: row.status,
      eventLocation: row.event_location ?? undefined,
      publishedAt: timestamp(row.published_at),
      createdAt: timestamp(row.created_at),
      updatedAt: timestamp(row.updated_at),
      deletedAt: timestamp(row.deleted_at),
    })),
    revisions: revisions.map(row => ({
      id: row.id,
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      version: row.version,
      title: row.title,
      excerpt: row.excerpt ?? undefined,
      content: document(row.content),
      createdAt: timestamp(row.created_at),
    })),
    comments: comments.map(row => ({
      id: row.id,
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      parentId: row.parent_id ?? undefined,
      content: row.content,
      createdAt: timestamp(row.created_at),
      editedAt: timestamp(row.edited_at),
      deletedAt: timestamp(row.deleted_at),
    })),
    reactions: reactions.map(row => ({
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      reactionType: row.reaction_type,
      createdAt: timestamp(row.created_at),
      updatedAt: timestamp(row.updated_at),
    })),
    commentLikes: commentLikes.map(row => ({
      commentId: row.comment_id,
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      createdAt: timestamp(row.created_at),
    })),
    views: views.map(row => ({
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      duration: row.duration ?? undefined,
      deviceType: row.device_type ?? undefined,
      userAgent: row.user_agent ?? undefined,
      createdAt: timestamp(row.created_at),
    })),
    pagePreferences: preferences.map(preferenceOf),
    acknowledgements: acknowledgements.map(row => ({
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      acknowledgedAt: timestamp(row.created_at),
    })),
    pollAnswers: answers.map(row => ({
      pageId: row.page_id,
      workspaceId: row.workspace_id,
      optionId: row.option_id,
      label: labelOf(row.options, row.option_id),
      createdAt: timestamp(row.created_at),
    })),
    truncated: lists.truncated,
  }
}

function labelOf(options: string | null, id: string): string | undefined {
  const pollOptions = JSON.parse(options ?? '[]') as { id: string; label: string }[]
  return pollOptions.find(one => one.id === id)?.label
}
