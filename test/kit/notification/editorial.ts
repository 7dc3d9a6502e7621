import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { sql } from 'kysely'
import { MustReadService } from '../../../gen/platform/news/v1/must_read_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { closeDatabase, openDatabase } from '../../../services/kernel/database/database.ts'
import type { notificationsForTest, Someone } from './notification.ts'

type Story = { title: string; excerpt?: string; isSilent?: boolean; medias?: object[]; hoursAgo?: number }

/** Workspaces whose editor publishes pages, in a world with the news service. */
export function editorial({ host, person, workspace, join }: Awaited<ReturnType<typeof notificationsForTest>>) {
  const pages = openDatabase<unknown>(host.databaseUrl('news'))
  const team = async (...readers: Someone[]) => {
    const editor = await person({ firstName: 'Edith' })
    const workspaceId = await workspace(...readers)
    await join(workspaceId, editor, ['create_content', 'edit_content', 'publish_content'])
    const asEditor = host.as(PageService, editor.userId)
    const publish = async ({ hoursAgo = 1, medias = [], isSilent = false, ...story }: Story): Promise<string> => {
      const { page } = await asEditor.createPage({
        workspaceId,
        content: { blocks: [] },
        medias: medias as never,
        status: 'published',
        ...story,
      })
      const id = page?.id ?? ''
      await sql`
        update pages set published_at = published_at - interval ${hoursAgo} hour, is_silent = ${isSilent ? 1 : 0} where id = ${id}
      `.execute(pages)
      return id
    }
    const mustRead = (pageId: string, dueAt?: Date) =>
      host.as(MustReadService, editor.userId).setMustRead({ pageId, ...(dueAt && { dueAt: timestampFromDate(dueAt) }) })
    return { workspaceId, editor, asEditor, publish, mustRead }
  }
  return { team, pages, close: () => closeDatabase(pages) }
}
