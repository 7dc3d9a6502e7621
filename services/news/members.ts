import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Author as AuthorMessage } from '../../gen/platform/news/v1/pages_pb.ts'
import { SyncService } from '../../gen/platform/news/v1/sync_pb.ts'
import { tenantOf } from '../kernel/access/access.ts'
import { timestamp } from '../kernel/base/fields.ts'
import { answerCache } from '../kernel/base/share.ts'
import { defaultTimeZone, knownTimeZone } from '../kernel/base/time-zone.ts'
import type { Rpc } from '../kernel/rpc/implement.ts'
import { implement } from '../kernel/rpc/implement.ts'

/** The views that the member service publishes [D2]. */
export type DirectoryViews = {
  member_directory: { member_id: string; first_name: string; last_name: string; photo_url: string | null }
  member_audience: { workspace_id: string; member_id: string; workspace_role: string }
  member_teams: { workspace_id: string; member_id: string; name: string }
  workspace_directory: { workspace_id: string; name: string; ecosystem_id: string; timezone: string }
}

/** A member as an author; only a deleted comment has an author without an id. */
export type Author = AuthorMessage & { id: string }

export type Workspace = { workspaceId: string; name: string; ecosystemId: string; timezone: string }

/** Names, audiences and workspaces, read from the member database and cached. */
export type MemberDirectory = {
  /** An author for each id, nameless once erased; cached authors cost no statement. */
  authors(ids: Iterable<string>): Promise<ReadonlyMap<string, Author>>
  author(id: string): Promise<Author>
  /** Ids of the active members of a workspace, each once. */
  audience(workspaceId: string): Promise<string[]>
  /** A workspace; undefined while it is inactive or its hotel is deleted. */
  workspace(workspaceId: string): Promise<Workspace | undefined>
  /** Names of each member's teams in a workspace, in order. */
  teams(workspaceId: string): Promise<ReadonlyMap<string, string[]>>
  /** Time zone of a workspace; the default while `workspace` is undefined. */
  timeZone(workspaceId: string): Promise<string>
  /** Drops everything cached, including reads in progress. */
  evict(): void
}

/** How long authors and workspaces, and audiences, stay cached. */
const authorAgeMs = 60_000
const audienceAgeMs = 5_000

/** Opens the directory on the read-only account of the member database. */
export function memberDirectory(db: Kysely<DirectoryViews>): MemberDirectory {
  const authorCache = new LRUCache<string, Author>({ max: 20_000, ttl: authorAgeMs })
  const audiences = answerCache({ max: 500, ttl: audienceAgeMs })
  const workspaces = answerCache({ max: 1_000, ttl: authorAgeMs })
  // Counts calls of `evict`: a read that started before one isn't cached, since it may be outdated.
  let evictions = 0

  const loadAuthors = async (ids: string[], authorsById: Map<string, Author>): Promise<void> => {
    const before = evictions
    const rows = await db
      .selectFrom('member_directory')
      .select(['member_id', 'first_name', 'last_name', 'photo_url'])
      .where('member_id', 'in', ids)
      .execute()
    const foundAuthors = new Map(rows.map(row => [row.member_id, authorOf(row)]))
    for (const id of ids) {
      const author = foundAuthors.get(id) ?? namelessAuthor(id)
      if (before === evictions) authorCache.set(id, author)
      authorsById.set(id, author)
    }
  }

  const authors = async (ids: Iterable<string>): Promise<ReadonlyMap<string, Author>> => {
    const result = new Map<string, Author>()
    const missingIds: string[] = []
    for (const id of new Set(ids)) {
      const cachedAuthor = authorCache.get(id)
      if (cachedAuthor) result.set(id, cachedAuthor)
      else missingIds.push(id)
    }
    if (missingIds.length > 0) await loadAuthors(missingIds, result)
    return result
  }

  const workspace = (workspaceId: string): Promise<Workspace | undefined> =>
    workspaces.get(workspaceId, () => workspaceOf(db, workspaceId))

  return {
    authors,
    author: async id => (await authors([id])).get(id) ?? namelessAuthor(id),
    audience: workspaceId => audiences.get(workspaceId, () => audienceOf(db, workspaceId)),
    teams: workspaceId => teamsOf(db, workspaceId),
    workspace,
    timeZone: async workspaceId => (await workspace(workspaceId))?.timezone ?? defaultTimeZone,
    evict() {
      evictions++
      authorCache.clear()
      audiences.clear()
      workspaces.clear()
    },
  }
}

async function audienceOf(db: Kysely<DirectoryViews>, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member_audience')
    .select('member_id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.map(row => row.member_id)
}

async function teamsOf(db: Kysely<DirectoryViews>, workspaceId: string): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db
    .selectFrom('member_teams')
    .select(['member_id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .execute()
  const rowsByMember = Map.groupBy(rows, row => row.member_id)
  return new Map([...rowsByMember].map(([id, teams]) => [id, teams.map(({ name }) => name)]))
}

async function workspaceOf(db: Kysely<DirectoryViews>, workspaceId: string): Promise<Workspace | undefined> {
  const row = await db
    .selectFrom('workspace_directory')
    .select(['name', 'ecosystem_id', 'timezone'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row && { workspaceId, name: row.name, ecosystemId: row.ecosystem_id, timezone: knownTimeZone(row.timezone) }
}

const namelessAuthor = (id: string): Author => ({ $typeName: 'platform.news.v1.Author', id })

const authorOf = (row: DirectoryViews['member_directory']): Author => ({
  $typeName: 'platform.news.v1.Author',
  id: row.member_id,
  firstName: row.first_name,
  lastName: row.last_name,
  ...(row.photo_url === null ? {} : { photoUrl: row.photo_url }),
})

export const syncService = ({ members }: { members: MemberDirectory }): Rpc =>
  implement(SyncService, {
    async syncMembers(_request, context) {
      const { workspaceId } = tenantOf(context)
      members.evict()
      const ids = await members.audience(workspaceId)
      await members.authors(ids)
      return { workspaceId, membersCount: ids.length, syncedAt: timestamp(new Date()) }
    },
  })
