import type { Routes } from '../platform/router.tsx'
import { Departments } from './departments.tsx'
import { Roles } from './roles.tsx'
import { Teams } from './teams.tsx'

/** Pages about groups of people and their rights. */
export const groupPages: Routes = {
  '/members/teams': () => <Teams />,
  '/members/departments': () => <Departments />,
  '/members/roles': () => <Roles />,
}
