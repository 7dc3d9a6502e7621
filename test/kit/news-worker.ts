import { createClient } from '@connectrpc/connect'
import { CommentService } from '../../gen/platform/news/v1/comments_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { startHost } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'

/** The parent's instructions to a worker, as JSON in WORK. */
export type Work = {
  env: Environment
  /** Bearer token of the person who reads and comments. */
  token: string
  /** Page that is read and commented as fast as possible; without one only the scheduler works. */
  pageId?: string
}

const callers = 16

/** Another process of the news service, to be killed by a test. It prints each answer that it received. */
async function main({ env, token, pageId }: Work): Promise<void> {
  const host = await startHost([member, news], env, silentLog, { accounts: 'unchecked' })
  if (!pageId) return
  const headers = { authorization: `Bearer ${token}` }
  const pages = createClient(PageService, host.transport(PageService))
  const comments = createClient(CommentService, host.transport(CommentService))
  const call = async (index: number) => {
    for (;;) {
      if (index % 2 === 0) {
        await pages.getPage({ id: pageId }, { headers })
        process.stdout.write('view\n')
      } else {
        const { comment } = await comments.createComment({ pageId, content: 'Hello' }, { headers })
        process.stdout.write(`${comment?.id}\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => call(index)))
}

if (import.meta.main) await main(JSON.parse(process.env['WORK'] ?? '{}') as Work)
