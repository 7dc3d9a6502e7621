import { exempt } from '../../kernel/database/database.ts'
import type { NotificationDb } from '../tables.ts'

/** Whose rows, and of which workspaces; of all when undefined. */
export type ReceivedScope = { memberId: string; workspaceIds: readonly string[] | undefined }

const allTenants = (db: NotificationDb): NotificationDb =>
  exempt(db, 'the member is named; workspaces are too, unless everything about the member is exported')

/** The inbox with dismissed entries, newest first. */
export const receivedBy = (db: NotificationDb, { memberId, workspaceIds }: ReceivedScope) =>
  allTenants(db)
    .selectFrom('receivers as r')
    .innerJoin('notifications as n', 'n.id', 'r.notification_id')
    .select(['n.id', 'n.workspace_id', 'n.type', 'n.category', 'n.title', 'n.body', 'n.title_en', 'n.body_en'])
    .select(['n.data', 'n.actor_id', 'n.created_at', 'r.channels', 'r.read_at', 'r.clicked_at', 'r.dismissed_at'])
    .where('r.member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('r.workspace_id', 'in', workspaceIds ?? []))
    .orderBy('r.notification_id', 'desc')

/** Devices without their tokens, most recently used first. */
export const devicesOf = (db: NotificationDb, { memberId, workspaceIds }: ReceivedScope) =>
  allTenants(db)
    .selectFrom('subscriptions')
    .select(['workspace_id', 'device_type', 'platform', 'app_version', 'device_model', 'os_version'])
    .select(['is_active', 'last_used_at', 'created_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')

/** Pushes and mails, newest first. */
export const deliveriesTo = (db: NotificationDb, { memberId, workspaceIds }: ReceivedScope) =>
  allTenants(db)
    .selectFrom('deliveries')
    .select(['id', 'notification_id', 'workspace_id', 'lane', 'status', 'attempts', 'created_at'])
    .where('member_id', '=', memberId)
    .$if(workspaceIds !== undefined, query => query.where('workspace_id', 'in', workspaceIds ?? []))
    .orderBy('id', 'desc')
