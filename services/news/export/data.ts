import type { MessageInitShape } from '@bufbuild/protobuf'
import { ExportService, type NewsDataSchema } from '../../../gen/platform/news/v1/export_pb.ts'
import { messageFields, timestamp } from '../../kernel/base/fields.ts'
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
  const comments = await lists.read('comments', statements.commentsBy(trx, scope))
  const reactions = await lists.read('reactions', statements.reactionsBy(trx, scope))
  const commentLikes = await lists.read('commentLikes', statements.commentLikesBy(trx, scope))
  const acknowledgements = await lists.read('acknowledgements', statements.acknowledgementsBy(trx, scope))
  const preferences = isWhole ? await lists.read('pagePreferences', statements.pagePreferencesOf(trx, memberId)) : []
  const answers = isWhole ? await lists.read('pollAnswers', statements.pollAnswersOf(trx, memberId)) : []
  const pages = await lists.read('pages', statements.pagesBy(trx, scope), mostDocuments)
  const views = await lists.read('views', statements.viewsBy(trx, scope))
  const revisions = await lists.read('revisions', statements.revisionsBy(trx, scope), mostDocuments)
  return {
    pages: pages.map(row => ({ ...messageFields(row), content: document(row.content), medias: medias(row.medias) })),
    revisions: revisions.map(row => ({ ...messageFields(row), content: document(row.content) })),
    comments: comments.map(messageFields),
    reactions: reactions.map(messageFields),
    commentLikes: commentLikes.map(messageFields),
    views: views.map(messageFields),
    pagePreferences: preferences.map(preferenceOf),
    acknowledgements: acknowledgements.map(row => ({
      ...messageFields(row),
      acknowledgedAt: timestamp(row.created_at),
    })),
    pollAnswers: answers.map(({ options, ...row }) => ({
      ...messageFields(row),
      label: labelOf(options, row.option_id),
    })),
    truncated: lists.truncated,
  }
}

function labelOf(options: string | null, id: string): string | undefined {
  const pollOptions = JSON.parse(options ?? '[]') as { id: string; label: string }[]
  return pollOptions.find(one => one.id === id)?.label
}
