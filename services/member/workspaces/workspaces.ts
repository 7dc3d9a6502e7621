import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { WorkspaceService } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import {
  actingMember,
  ecosystemOf,
  eventActorOf,
  isPlatformCaller,
  openTenantsOf,
  personOf,
  tenantOf,
} from '../../kernel/access/access.ts'
import type { OpenTenants } from '../../kernel/access/rights.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { likePattern, pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, workspaceValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { restingIn } from '../hotel-memberships/rests.sql.ts'
import { findById } from '../people/sql.ts'
import { publishAccessChange } from '../rights/announce.ts'
import { requireOpenEcosystem } from '../rights/grants.ts'
import { administers } from '../rights/rules.ts'
import { settablePaths } from '../rights/unchanged.ts'
import { createSystemRoles } from '../roles/seed.ts'
import type { Trx, WorkspacesTable } from '../tables.ts'
import { cancelInvitationsTo } from '../workspace-memberships/invitations.sql.ts'
import { publishCancelledInvitations } from '../workspace-memberships/invitations.ts'
import { grantOf } from '../workspace-memberships/join.sql.ts'
import { joinWorkspace } from '../workspace-memberships/join.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { withPresentRights } from '../workspace-memberships/message.ts'
import { reviewRests } from '../workspace-memberships/rests.ts'
import {
  findHotelWorkspace,
  findWorkspace,
  lockWorkspace,
  requireOpenHotel,
} from '../workspace-memberships/workspace.sql.ts'
import { loadWorkspaceDetail } from './detail.ts'
import { publishWorkspace, toWorkspace } from './message.ts'
import { settingsText } from './settings.ts'
import {
  clearDefault,
  countWorkspaces,
  deleteWorkspace,
  insertWorkspace,
  listWorkspaces,
  lockEcosystem,
  updateWorkspace,
} from './sql.ts'

/** Ecosystems of the caller, through ecosystem or workspace memberships. */
const ecosystemsOf = (caller: OpenTenants): string[] => [
  ...new Set([...caller.ecosystems, ...caller.workspaces].map(one => one.ecosystemId)),
]

/** Workspaces, the tenants inside an ecosystem (`/workspaces`). */
export const workspaceService = ({ db, bus }: Context): Rpc =>
  implement(WorkspaceService, {
    async createWorkspace(request, context) {
      const { ecosystemId } = ecosystemOf(context)
      const maker = actingMember(context)
      const workspace = await inTransaction(db, async trx => {
        requireOpenEcosystem(await lockEcosystem(trx, ecosystemId))
        if (request.isDefault) await clearDefault(trx, ecosystemId)
        const createdWorkspace = await insertWorkspace(trx, { ecosystemId }, request)
        await createSystemRoles(trx, createdWorkspace.id)
        await publishWorkspace(trx, createdWorkspace, maker ? [maker.memberId] : [], eventActorOf(context))
        await auditWorkspace(trx, context, 'workspace.created', undefined, createdWorkspace)
        const creator = maker && (await findById(trx, maker.memberId))
        if (creator) {
          const openedTenant = systemTenant(createdWorkspace.id, ecosystemId, 'the caller just created it')
          await joinWorkspace(
            trx,
            bus,
            { ...openedTenant, workspaceName: createdWorkspace.name },
            creator,
            grantOf('admin'),
          )
        }
        return findWorkspace(trx, { workspaceId: createdWorkspace.id })
      })
      return { workspace: workspace && toWorkspace(workspace) }
    },

    async listWorkspaces(request, context) {
      const page = wholeOrPage(request)
      const isPlatform = isPlatformCaller(context)
      const ecosystemIds = isPlatform ? [] : ecosystemsOf(openTenantsOf(context))
      const { ecosystemId } = request
      if (ecosystemId && !isPlatform && !ecosystemIds.includes(ecosystemId))
        throw new ForbiddenError('Ecosystem access denied')
      const ecosystems = ecosystemId ? [ecosystemId] : isPlatform ? undefined : ecosystemIds
      const { isActive, search } = request
      const filter = { isActive, pattern: search ? likePattern(search) : undefined }
      const rows = await listWorkspaces(db, ecosystems, filter, page)
      const total = await totalOf(rows, page, () => countWorkspaces(db, ecosystems, filter))
      return { data: rows.map(toWorkspace), meta: pageMeta(total, page) }
    },

    async getWorkspace(_request, context) {
      return { workspace: await loadWorkspaceDetail(db, tenantOf(context)) }
    },

    async listMyWorkspaces(_request, context) {
      const memberships = await liveMemberships(db, [personOf(context).memberId])
      // Workspaces of a closed hotel are left out.
      const rows = await withPresentRights(
        db,
        memberships.filter(one => one.closed_at === null),
      )
      const data = rows.map(row => ({
        ...messageFields(row),
        id: row.workspace_id,
        name: row.workspace_name,
        isActive: row.workspace_active === 1,
      }))
      return { data }
    },

    async updateWorkspace(request, context) {
      const { updateMask, name, description, logoUrl, settings, isActive } = request
      const tenant = tenantOf(context)
      const currentRow = await findWorkspace(db, tenant)
      if (!currentRow) throw new NotFoundError('Workspace not found')
      const paths = await settablePaths(new Set(updateMask?.paths), request, toWorkspace(currentRow), async fields => {
        if (fields.has('is_active') && !administers(tenant)) throw new ForbiddenError('Permission denied')
      })
      if (paths.has('name') && !name) throw invalid('name', 'cannot be cleared', 'required')
      if (paths.has('is_active') && isActive === undefined) throw invalid('isActive', 'cannot be cleared', 'required')
      const changesActivity = paths.has('is_active') && isActive !== toWorkspace(currentRow).isActive
      const set = {
        ...(paths.has('name') && name ? { name } : {}),
        ...(paths.has('description') ? { description: description ?? null } : {}),
        ...(paths.has('logo_url') ? { logo_url: logoUrl ?? null } : {}),
        ...(paths.has('settings') ? { settings: settingsText(settings, currentRow.settings) } : {}),
        ...(changesActivity ? { is_active: isActive ? 1 : 0 } : {}),
      }
      const workspace = await inTransaction(db, async trx => {
        const before = await lockWorkspace(trx, tenant)
        if (changesActivity) requireOpenHotel(before)
        if (Object.keys(set).length === 0) return before
        await updateWorkspace(trx, tenant, set)
        // Cached rights contain the workspace's name and activity.
        await publishAccessChange(trx, bus, { ...tenant, memberIds: [] })
        const after = await findWorkspace(trx, tenant)
        await auditWorkspace(trx, context, 'workspace.updated', before, after)
        return after
      })
      if (!workspace) throw new NotFoundError('Workspace not found')
      return { workspace: toWorkspace(workspace) }
    },

    async deleteWorkspace({ id }, context) {
      const tenant = tenantOf(context)
      if (!administers(tenant)) throw new ForbiddenError('Permission denied')
      await inTransaction(db, async trx => {
        const workspace = await lockWorkspace(trx, tenant)
        if (workspace.is_default === 1)
          throw new ConflictError('The default workspace cannot be deleted before its ecosystem')
        if ((await findHotelWorkspace(trx, tenant))?.id === workspace.id)
          throw new ConflictError('The workspace of a hotel cannot be deleted before the hotel')
        // While it has members, who are named.
        await publishAccessChange(trx, bus, { ...tenant, memberIds: [] })
        const restingMembers = await restingIn(trx, tenant)
        await publishCancelledInvitations(trx, tenant, await cancelInvitationsTo(trx, tenant), {
          actor: eventActorOf(context),
        })
        await deleteWorkspace(trx, tenant)
        await reviewRests(trx, tenant, restingMembers, eventActorOf(context))
        await auditWorkspace(trx, context, 'workspace.deleted', workspace, undefined)
      })
      return { message: 'Workspace deleted', id }
    },
  })

/** Records a change of a workspace. */
async function auditWorkspace(
  trx: Trx,
  context: HandlerContext,
  action: AuditChange['action'],
  before: Selectable<WorkspacesTable> | undefined,
  after: Selectable<WorkspacesTable> | undefined,
): Promise<void> {
  const workspaceId = before?.id ?? after?.id ?? ''
  await audit(
    trx,
    { workspaceId },
    {
      actor: eventActorOf(context),
      action,
      entityId: workspaceId,
      before: before && workspaceValues(before),
      after: after && workspaceValues(after),
    },
  )
}
