import type { Client } from '@connectrpc/connect'
import { type DigestPage, DigestService } from '../../../gen/platform/news/v1/digest_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { MemberAudience } from '../audience.ts'
import { emailBit } from '../channels.ts'

/** A member, and when the pages that their digest lists were published. */
export type NewsPeriod = { memberId: string; since: Date; until: Date }

/** The pages that a digest lists, and the number of all unread ones of its period. */
export type UnreadNews = { pages: readonly DigestPage[]; total: number }

/** Reads the unread pages of members who have some; undefined while the news service doesn't answer. */
export type NewsReader = (periods: readonly NewsPeriod[]) => Promise<ReadonlyMap<string, UnreadNews> | undefined>

type Parts = {
  news: Client<typeof DigestService>
  audience: Pick<MemberAudience, 'workspacesOf' | 'workspace'>
  /** The channels that a hotel allows, as bits. */
  hotels: { channels(ecosystemId: string): Promise<number> }
  log: Log
}

const timeoutMs = 5_000

/** Reads pages of the members' present workspaces, without hotels that have switched e-mails off. */
export function newsReader({ news, audience, hotels, log }: Parts): NewsReader {
  const isMailed = async (workspaceId: string): Promise<boolean> => {
    const workspace = await audience.workspace(workspaceId)
    return workspace !== undefined && ((await hotels.channels(workspace.ecosystemId)) & emailBit) !== 0
  }
  return async periods => {
    if (periods.length === 0) return new Map()
    const workspacesByMember = await audience.workspacesOf(periods.map(({ memberId }) => memberId))
    const allWorkspaceIds = [...new Set([...workspacesByMember.values()].flatMap(ids => [...ids]))]
    const areMailed = await Promise.all(allWorkspaceIds.map(isMailed))
    const mailedIds = new Set(allWorkspaceIds.filter((_, i) => areMailed[i]))
    const request = periods.map(({ memberId, since, until }) => ({
      memberId,
      workspaceIds: [...(workspacesByMember.get(memberId) ?? [])].filter(id => mailedIds.has(id)),
      since: timestamp(since),
      until: timestamp(until),
    }))
    try {
      const { data } = await news.listDigestPages({ periods: request }, { timeoutMs })
      return new Map(data.map(({ memberId, pages, total }) => [memberId, { pages, total }]))
    } catch (err) {
      log.warn({ err }, 'unread pages not read; retrying')
      return undefined
    }
  }
}
