import type { ColumnType, Generated } from 'kysely'

/** Who changed what. */
export type AuditEntries = {
  position: Generated<number>
  id: string
  /** Null for a change beyond one workspace. */
  workspace_id: string | null
  actor_id: string
  actor_name: string
  actor_type: 'member' | 'system'
  /** Credential by which the actor made the change. */
  credential_id: string | null
  action: string
  entity:
    | 'member'
    | 'membership'
    | 'role'
    | 'permission'
    | 'invitation'
    | 'workspace'
    | 'team'
    | 'department'
    | 'settings'
    | 'ecosystem'
  entity_id: string
  member_id: string | null
  /** JSON, which the driver hands over as text. */
  old_values: string | null
  new_values: string | null
  created_at: ColumnType<Date, Date | undefined, never>
}
