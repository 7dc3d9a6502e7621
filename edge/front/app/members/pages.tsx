import type { Routes } from '../platform/router.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberList } from './list.tsx'
import { Profile } from './profile.tsx'

/** Pages about people. */
export const memberPages: Routes = {
  '/members': () => <MemberList />,
  '/members/invite': () => <Invite />,
  '/members/invitations': () => <Invitations />,
  '/members/:id': ({ id }) => <Profile key={id} id={id ?? ''} />,
}
