/** How teams are called and stored. The leader of a team who is added to it again without a role stays leader. */
export const team = {
  entity: 'team',
  title: 'Team',
  table: 'teams',
  memberTable: 'team_members',
  idColumn: 'team_id',
  headColumn: 'leader_id',
  headField: 'leaderId',
  headRole: 'leader',
  keepsHead: true,
} as const

/** How departments are called and stored. */
export const department = {
  entity: 'department',
  title: 'Department',
  table: 'departments',
  memberTable: 'department_members',
  idColumn: 'department_id',
  headColumn: 'manager_id',
  headField: 'managerId',
  headRole: 'manager',
  keepsHead: false,
} as const

/** Teams and departments are groups: members of a workspace with at most one head, a leader or a manager. */
export type GroupKind = typeof team | typeof department
