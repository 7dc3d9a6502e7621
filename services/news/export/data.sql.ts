import { exempt } from '../../kernel/database/database.ts'
import type { NewsDb } from '../tables.ts'

/** Whose rows, and of which workspaces; of all when undefined. */
export type AuthoredScope = { memberId: string; workspaceIds: readonly string[] | undefined }

const allTenants = (db: NewsDb): NewsDb =>
  exempt(db, 'the member is named; workspaces are too, unless everything about the member is exported')

/** Pages of an author. Of named workspaces: those that readers see. */
export const pagesBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('pages as p')
    .innerJoin('page_bodies as b', 'b.page_id', 'p.id')
    .select(['p.id', 'p.workspace_id', 'p.title', 'p.excerpt', 'b.content', 'p.medias', 'p.page_type', 'p.status'])
    .select(['p.event_location', 'p.published_at', 'p.created_at', 'p.updated_at', 'p.deleted_at'])
    .where('p.created_by_id', '=', memberId)
    .$if(workspaceIds !== undefined, query =>
      query
        .where('p.workspace_id', 'in', workspaceIds ?? [])
        .where('p.status', '=', 'published')
        .where('p.deleted_at', 'is', null),
    )
    .orderBy('p.id', 'desc')

/** Revisions by an author. Of named workspaces: those of pages that readers see. */
export const revisionsBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('page_revisions as r')
    .innerJoin('pages as p', 'p.id', 'r.page_id')
    .select(['r.id', 'r.page_id', 'r.workspace_id', 'r.version', 'r.title', 'r.excerpt', 'r.content', 'r.created_at'])
    .where('r.created_by_id', '=', memberId)
    .$if(workspaceIds !== undefined, query =>
      query
        .where('r.workspace_id', 'in', workspaceIds ?? [])
        .where('p.status', '=', 'published')
        .where('p.deleted_at', 'is', null),
    )
    .orderBy('r.id', 'desc')

/** Comments. Of named workspaces: those that readers see. */
export const commentsBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('comments as c')
    .select(['c.id', 'c.page_id', 'c.workspace_id', 'c.parent_id', 'c.content', 'c.created_at', 'c.edited_at'])
    .select('c.deleted_at')
    .where('c.member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query =>
      query
        .innerJoin('pages as p', 'p.id', 'c.page_id')
        .where('c.workspace_id', 'in', workspaceIds ?? [])
        .where('c.deleted_at', 'is', null)
        .where('p.status', '=', 'published')
        .where('p.deleted_at', 'is', null),
    )
    .orderBy('c.id', 'desc')

export const reactionsBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('likes')
    .select(['page_id', 'workspace_id', 'reaction_type', 'created_at', 'updated_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('id', 'desc')

export const commentLikesBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('comment_likes')
    .select(['comment_id', 'page_id', 'workspace_id', 'created_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('created_at', 'desc')
    .orderBy('comment_id', 'desc')

export const viewsBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('page_views')
    .select(['page_id', 'workspace_id', 'duration', 'device_type', 'user_agent', 'created_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('id', 'desc')

export const acknowledgementsBy = (db: NewsDb, { memberId, workspaceIds }: AuthoredScope) =>
  allTenants(db)
    .selectFrom('acknowledgements')
    .select(['page_id', 'workspace_id', 'created_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('created_at', 'desc')
    .orderBy('page_id', 'desc')

/** Preferences for pages, of all workspaces, newest page first. */
export const pagePreferencesOf = (db: NewsDb, memberId: string) =>
  allTenants(db).selectFrom('page_preferences').selectAll().where('member_id', '=', memberId).orderBy('page_id', 'desc')

/** Answers to polls, of all workspaces. */
export const pollAnswersOf = (db: NewsDb, memberId: string) =>
  allTenants(db)
    .selectFrom('poll_votes as v')
    .leftJoin('polls as p', 'p.page_id', 'v.page_id')
    .select(['v.page_id', 'v.workspace_id', 'v.option_id', 'v.created_at', 'p.options'])
    .where('v.member_id', '=', memberId)
    .orderBy('v.created_at', 'desc')
    .orderBy('v.page_id', 'desc')
    .orderBy('v.option_id', 'desc')
