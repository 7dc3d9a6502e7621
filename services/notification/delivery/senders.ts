import type { Rights } from '../../kernel/access/rights.ts'
import { patientKinds } from '../settings/preference-rules.ts'
import type { NotificationRow } from '../tables.ts'

/** The permission to send reminders and messages. */
const permission = 'send_notifications'

/** Without reminders and messages whose senders may no longer send them. Throws while the rights can't be read. */
export async function withRightfulSenders<T extends NotificationRow>(
  rights: Pick<Rights, 'ofMember'>,
  rows: readonly T[],
): Promise<T[]> {
  const isRightful = await Promise.all(rows.map(row => maySend(rights, row)))
  return rows.filter((_, i) => isRightful[i])
}

async function maySend(rights: Pick<Rights, 'ofMember'>, row: NotificationRow): Promise<boolean> {
  const { type, category, actor_id, actor_type, workspace_id } = row
  if (!patientKinds.has(`${type}.${category}`) || actor_type !== 'member' || actor_id === null) return true
  const sender = await rights.ofMember(actor_id)
  if (!sender) return false
  const membership = sender.workspaces.find(({ workspaceId }) => workspaceId === workspace_id)
  return sender.isSuperAdmin || membership?.permissions.includes(permission) === true
}
