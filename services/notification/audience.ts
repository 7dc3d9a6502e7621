import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { maxAccessAgeMs } from '../kernel/access/rights.ts'
import type { Language } from '../kernel/base/language.ts'
import { normalizeEmail } from '../kernel/base/text.ts'
import { findTimeZone, knownTimeZone } from '../kernel/base/time-zone.ts'
import { toChunks } from '../kernel/database/parts.ts'

/** The views that the member service publishes [D2]. */
export type AudienceViews = {
  member_directory: {
    member_id: string
    user_id: string | null
    first_name: string
    last_name: string
    email: string
    /** The normalised address of a live member, unique. */
    live_email: string | null
    photo_url: string | null
    language: string
    /** The time zone that the member has chosen. */
    timezone: string | null
    /** 1 while the member may be notified. */
    is_active: number
    /** When the member last called the platform; null for never. */
    seen_at: Date | null
  }
  member_audience: { workspace_id: string; member_id: string; workspace_role: string; is_admin: number }
  workspace_directory: { workspace_id: string; name: string; ecosystem_id: string; timezone: string }
}

export type Recipient = {
  id: string
  firstName: string
  lastName: string
  email: string
  photoUrl: string | null
  language: Language
  /** IANA time zone, if the member has chosen one. */
  timezone: string | undefined
  /** False for deactivated and deleted members. */
  isActive: boolean
  /** When they last opened a client; null for never. */
  seenAt: Date | null
}

/** Members who may be notified, read from the member database. */
export type MemberAudience = {
  /**
   * Those of the members who are active in the workspace; without a workspace, all active ones.
   * @param since ms since 1970 by this machine's clock: members who joined earlier are found
   */
  among(workspaceId: string, memberIds: readonly string[], since: number): Promise<ReadonlyMap<string, Language>>
  /** All active members of a workspace. */
  activeMembers(workspaceId: string): Promise<ReadonlyMap<string, Language>>
  /** Ids of the active administrators of a workspace, by role or by `isAdmin`. */
  administratorsOf(workspaceId: string): Promise<string[]>
  /** Active members in the order of their ids, at most `limit`. */
  activePeople(afterId: string, limit: number): Promise<Recipient[]>
  /** Members by id, without erased ones. */
  people(memberIds: Iterable<string>): Promise<ReadonlyMap<string, Recipient>>
  /** The live member with one of these addresses. */
  withAddress(emails: readonly string[]): Promise<Recipient | undefined>
  /** Ids of the hotels in which a member is active now. */
  hotelsOf(memberId: string): Promise<string[]>
  /** The workspaces in which each member is active now. */
  workspacesOf(memberIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  workspace(workspaceId: string): Promise<Workspace | undefined>
  /** Drops cached members; called when rights changed. */
  evict(): void
}

type Workspace = { name: string; ecosystemId: string; timeZone: string }

type Members = { loadedAt: number; ids: ReadonlyMap<string, Language> }

/** Opens the audience on the read-only account of the member database. */
export function memberAudience(db: Kysely<AudienceViews>): MemberAudience {
  const workspaces = new LRUCache<string, Workspace>({ max: 1_000, ttl: 60_000 })
  const members = new LRUCache<string, Promise<Members>>({ max: 200, ttl: maxAccessAgeMs })

  const load = (workspaceId: string): Promise<Members> => {
    const startedAt = Date.now()
    const loading = activeMembers(db, workspaceId).then(ids => ({ loadedAt: startedAt, ids }))
    members.set(workspaceId, loading)
    loading.catch(() => members.delete(workspaceId))
    return loading
  }

  const people = async (memberIds: Iterable<string>): Promise<ReadonlyMap<string, Recipient>> => {
    const rows = await allMembers(db)
      .where('member_id', 'in', [...new Set(memberIds)])
      .execute()
    return new Map(rows.map(row => [row.member_id, personOf(row)]))
  }

  return {
    async among(workspaceId, memberIds, since) {
      if (memberIds.length === 0) return new Map()
      if (workspaceId === '') {
        const peopleById = await people(memberIds)
        return new Map([...peopleById].flatMap(([id, { isActive, language }]) => (isActive ? [[id, language]] : [])))
      }
      // A member who joined after the cached read is missing from it, but must still be notified.
      const isStale = ({ loadedAt, ids }: Members) => loadedAt <= since && memberIds.some(id => !ids.has(id))
      let cachedMembers = await (members.get(workspaceId) ?? load(workspaceId))
      // A concurrent call may have reloaded it meanwhile.
      if (isStale(cachedMembers)) cachedMembers = await (members.get(workspaceId) ?? load(workspaceId))
      if (isStale(cachedMembers)) cachedMembers = await load(workspaceId)
      const languages = new Map<string, Language>()
      for (const id of memberIds) {
        const language = cachedMembers.ids.get(id)
        if (language) languages.set(id, language)
      }
      return languages
    },
    activeMembers: async workspaceId => (await load(workspaceId)).ids,
    people,
    async administratorsOf(workspaceId) {
      const administrators = db
        .selectFrom('member_audience')
        .select('member_id')
        .where('workspace_id', '=', workspaceId)
      const rows = await administrators
        .where(eb => eb.or([eb('workspace_role', '=', 'admin'), eb('is_admin', '=', 1)]))
        .execute()
      return rows.map(row => row.member_id)
    },
    async activePeople(afterId, limit) {
      const activeMembers = allMembers(db).where('is_active', '=', 1).where('member_id', '>', afterId)
      return (await activeMembers.orderBy('member_id').limit(limit).execute()).map(personOf)
    },
    async withAddress(emails) {
      const addresses = emails.map(normalizeEmail).filter(Boolean)
      const row = await allMembers(db).where('live_email', 'in', addresses).limit(1).executeTakeFirst()
      return row && personOf(row)
    },
    async hotelsOf(memberId) {
      const rows = await db
        .selectFrom('member_audience as a')
        .innerJoin('workspace_directory as w', 'w.workspace_id', 'a.workspace_id')
        .select('w.ecosystem_id')
        .distinct()
        .where('a.member_id', '=', memberId)
        .execute()
      return rows.map(row => row.ecosystem_id)
    },
    workspacesOf: memberIds => workspacesOf(db, memberIds),
    async workspace(workspaceId) {
      const cachedWorkspace = workspaces.get(workspaceId)
      if (cachedWorkspace) return cachedWorkspace
      const row = await db
        .selectFrom('workspace_directory')
        .select(['name', 'ecosystem_id', 'timezone'])
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      if (!row) return undefined
      const workspace = { name: row.name, ecosystemId: row.ecosystem_id, timeZone: knownTimeZone(row.timezone) }
      workspaces.set(workspaceId, workspace)
      return workspace
    },
    evict() {
      members.clear()
      workspaces.clear()
    },
  }
}

async function activeMembers(db: Kysely<AudienceViews>, workspaceId: string): Promise<ReadonlyMap<string, Language>> {
  const rows = await db
    .selectFrom('member_audience as a')
    .innerJoin('member_directory as d', 'd.member_id', 'a.member_id')
    .select(['a.member_id', 'd.language'])
    .where('a.workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(row => [row.member_id, languageOf(row.language)]))
}

async function workspacesOf(db: Kysely<AudienceViews>, memberIds: readonly string[]) {
  const workspacesByMember = new Map<string, Set<string>>()
  for (const ids of toChunks(memberIds)) {
    const rows = await db
      .selectFrom('member_audience')
      .select(['member_id', 'workspace_id'])
      .where('member_id', 'in', ids)
      .execute()
    for (const { member_id, workspace_id } of rows) {
      const workspaceIds = workspacesByMember.get(member_id)
      if (workspaceIds) workspaceIds.add(workspace_id)
      else workspacesByMember.set(member_id, new Set([workspace_id]))
    }
  }
  return workspacesByMember
}

const allMembers = (db: Kysely<AudienceViews>) =>
  db
    .selectFrom('member_directory')
    .select(['member_id', 'first_name', 'last_name', 'email', 'photo_url', 'language', 'timezone', 'is_active'])
    .select('seen_at')

const personOf = (row: Omit<AudienceViews['member_directory'], 'user_id' | 'live_email'>): Recipient => ({
  id: row.member_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  photoUrl: row.photo_url,
  language: languageOf(row.language),
  timezone: findTimeZone(row.timezone ?? ''),
  isActive: row.is_active === 1,
  seenAt: row.seen_at,
})

/** Texts exist in French and English; French unless the language is English. */
export const languageOf = (name: string | null | undefined): Language => (/^en\b/i.test(name ?? '') ? 'en' : 'fr')
