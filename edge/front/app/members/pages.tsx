import { Departments } from '../groups/departments.tsx'
import { Roles } from '../groups/roles.tsx'
import { Teams } from '../groups/teams.tsx'
import type { Routes } from '../platform/router.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberList } from './list.tsx'
import { Profile } from './profile.tsx'

/** Pages about people, their groups and their rights. */
export const memberPages: Routes = {
  '/members': () => <MemberList />,
  '/members/invite': () => <Invite />,
  '/members/invitations': () => <Invitations />,
  '/members/teams': () => <Teams />,
  '/members/departments': () => <Departments />,
  '/members/roles': () => <Roles />,
  '/members/:id': ({ id }) => <Profile key={id} id={id ?? ''} />,
}
