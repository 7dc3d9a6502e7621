import type { Role } from '../../../../gen/client/member.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { type MemberContext, useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'

/** The roles of the workspace that is shown. */
export function useRoles(): Load<Role[]> {
  const { workspace } = useMemberContext()
  return useLoad(`roles/${workspace.id}`, async signal => {
    const { data } = await platform.member.listRoles({ workspaceId: workspace.id }, { signal })
    return data
  })
}

/** Whether the person administers the workspace. */
export const isAdministrator = ({ workspace }: MemberContext): boolean =>
  workspace.isAdmin || workspace.workspaceRole === 'admin'

/** Whether the person may give a role: they hold its permissions; administrators alone appoint administrators. */
export const mayGive = (context: MemberContext, role: Role): boolean =>
  role.slug === 'member' ||
  (role.permissions.every(({ slug }) => context.may(slug)) && (role.slug !== 'admin' || isAdministrator(context)))
