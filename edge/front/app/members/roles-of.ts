import type { Role } from '../../../../gen/client/member.ts'
import { type Here, useHere } from '../platform/here.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'

/** The roles of the workspace that is shown. */
export function useRoles(): Load<Role[]> {
  const { workspace } = useHere()
  return useLoad(`roles/${workspace.id}`, async signal => {
    const { data } = await platform.member.listRoles({ workspaceId: workspace.id }, { signal })
    return data
  })
}

/** Whether the person administers the workspace. */
export const administers = ({ workspace }: Here): boolean => workspace.isAdmin || workspace.workspaceRole === 'admin'

/** Whether the person may give a role: they hold its permissions; administrators alone appoint administrators. */
export const mayGive = (here: Here, role: Role): boolean =>
  role.slug === 'member' ||
  (role.permissions.every(({ slug }) => here.may(slug)) && (role.slug !== 'admin' || administers(here)))
