import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { maybeTenantOf } from '../../kernel/access/access.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { treeBelow } from '../hierarchy/hierarchy.ts'
import { membersBelow, visibleMember } from '../hierarchy/sql.ts'
import { isActiveIn, listEverybody } from '../people/list.sql.ts'
import { listMembers } from '../workspace-memberships/list.sql.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { reachMember, visibleHierarchy } from '../workspace-memberships/reach.ts'
import { viewerOf, viewMember } from '../workspace-memberships/view.ts'
import { loadPendingEmail } from './address.ts'
import { createMember } from './create.ts'
import { deleteMember } from './delete.ts'
import { eraseMember } from './erase.ts'
import { loadMemberDetail, toMemberWorkspace, toRef } from './message.ts'
import { updateMemberFields } from './update.ts'

/** Members (`/members`). */
export const memberService = (needs: Context): Rpc => {
  const { db } = needs
  return implement(MemberService, {
    async createMember(request, context) {
      const member = await createMember(needs, request, context)
      return { ...(member ? { member } : {}) }
    },

    async listMembers(request, context) {
      const tenant = maybeTenantOf(context)
      const page = paging(request)
      const filter = {
        role: request.workspaceRole,
        status: request.status,
        isActive: request.isActive,
        search: request.search,
      }
      const { rows, total } = await (tenant ? listMembers(db, tenant, filter, page) : listEverybody(db, filter, page))
      const viewer = { ...viewerOf(context), claimed: tenant?.workspaceId ?? null }
      const ids = rows.map(row => row.id)
      const workspaceIds = viewer.workspaces.map(one => one.workspaceId)
      // In the caller's own row these are all of their workspaces.
      const memberships = await liveMemberships(db, ids, viewer.isPlatform ? undefined : workspaceIds)
      const data = rows.flatMap(row => {
        const ofMember = memberships.filter(one => one.member_id === row.id)
        // They left after the rows were read.
        if (!viewer.isPlatform && viewer.memberId !== row.id && ofMember.length === 0) return []
        const view = viewMember(viewer, row, ofMember, 'view_members')
        const { id, firstName, lastName, email, photoUrl } = view
        return {
          id,
          firstName,
          lastName,
          email,
          photoUrl,
          workspaces: view.memberships.map(toMemberWorkspace),
          isActive: tenant ? view.isActive : isActiveIn(row, view.memberships),
        }
      })
      return { data, meta: pageMeta(total, page) }
    },

    async getMember({ id }, context) {
      const reach = await reachMember(db, context, id, 'view_members')
      const [member, pendingEmail] = await Promise.all([
        loadMemberDetail(db, reach),
        loadPendingEmail(needs, reach, context),
      ])
      return { member: { ...member, pendingEmail } }
    },

    async updateMember(request, context) {
      const member = await updateMemberFields(needs, request, context)
      return { ...(member ? { member } : {}) }
    },

    async deleteMember({ id }, context) {
      await deleteMember(needs, await reachMember(db, context, id, 'remove_members'), context)
      return { message: 'Member deleted', id }
    },

    async getMemberHierarchy({ id }, context) {
      const reach = await reachMember(db, context, id, 'view_members')
      const { view } = reach
      const place = visibleHierarchy(reach)
      const [manager, rows] = await Promise.all([
        view.superior ? visibleMember(db, view.superior, place) : undefined,
        membersBelow(db, id, place),
      ])
      return {
        member: { id, firstName: view.firstName, lastName: view.lastName },
        ...(manager ? { manager: toRef(manager) } : {}),
        subordinates: treeBelow(rows, id),
      }
    },

    async eraseMember(request, context) {
      await eraseMember(needs, request, context)
      return { message: 'Member erased', id: request.id }
    },
  })
}
