import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type DigestPeriod, DigestService } from '../../../gen/platform/news/v1/digest_pb.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { medias } from '../pages/read.ts'
import { unreadPages } from './digest.sql.ts'

/** What members have not read, for the mails of the notification service. */
export const digestService = ({ db }: Pick<Context, 'db'>): Rpc =>
  implement(DigestService, {
    async listDigestPages({ periods }) {
      const digests = await Promise.all(periods.map(period => pagesOf(db, period)))
      return { data: digests.filter(({ total }) => total > 0) }
    },
  })

async function pagesOf(db: Context['db'], { memberId, workspaceIds, since, until }: DigestPeriod) {
  if (workspaceIds.length === 0 || !since || !until) return { memberId, pages: [], total: 0 }
  const scope = { memberId, workspaceIds, since: timestampDate(since), until: timestampDate(until) }
  const rows = await unreadPages(db, scope)
  const pages = rows.map(row => ({
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    excerpt: optional(row.excerpt),
    pictureUrl: pictureIn(row.medias),
    isMustRead: row.is_must_read === 1,
    dueAt: timestamp(row.due_at),
  }))
  return { memberId, pages, total: Number(rows[0]?.total ?? 0) }
}

/** The first picture among the files of a page, if possible its thumbnail. */
function pictureIn(text: string): string | undefined {
  const picture = medias(text).find(({ type }) => /^(image|picture|photo)/i.test(type))
  return picture?.thumbnailUrl ?? picture?.fileUrl
}
