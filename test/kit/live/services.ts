import { create } from '@bufbuild/protobuf'
import { AccessService, GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { personOf, tenantOfRecord } from '../../../services/kernel/access/access.ts'
import { NotFoundError, ServiceUnavailableError } from '../../../services/kernel/base/errors.ts'
import type { ServiceModule } from '../../../services/kernel/rpc/host.ts'

/** A person of a test, whose data at the member service can be changed while it runs. */
export type LivePerson = {
  userId: string
  memberId: string
  workspaces: { workspaceId: string; ecosystemId: string; permissions?: string[] }[]
  isSuperAdmin?: boolean
  isGone?: boolean
  isInvisible?: boolean
  /** Called when the member service is asked for rights; the answer waits for it. */
  beforeAnswer?: () => Promise<void>
}

/** A page of a test. While `isAway`, the news service can't say who may read it. */
export type Page = {
  id: string
  workspaceId: string
  draftOf?: string
  isAway?: boolean
  /** Called when the news service is asked who may read it; the answer waits for it. */
  beforeAnswer?: () => Promise<void>
}

const service = (
  name: ServiceModule['name'],
  rpcs: Awaited<ReturnType<ServiceModule['start']>>['rpcs'],
): ServiceModule => ({
  name,
  start: async () => ({ rpcs, ready: async () => {}, stop: async () => {} }),
})

/** The member service's answers about people. */
export function members(people: LivePerson[]): ServiceModule {
  const byId = new Map(people.flatMap(person => [person.userId, person.memberId].map(id => [id, person] as const)))
  const getAccess = async ({ userId, memberId }: { userId: string; memberId: string }) => {
    const person = byId.get(userId) ?? byId.get(memberId)
    if (!person || person.isGone) throw new NotFoundError('Member not found')
    const { beforeAnswer, ...fields } = person
    await beforeAnswer?.()
    return create(GetAccessResponseSchema, { isSuperAdmin: false, ...fields, name: 'Ana Roca' })
  }
  const getWorkspaceTenant = async ({ workspaceId }: { workspaceId: string }) => {
    const workspace = people.flatMap(({ workspaces }) => workspaces).find(one => one.workspaceId === workspaceId)
    if (!workspace) throw new NotFoundError('Workspace not found')
    return { workspaceId, workspaceName: 'Hotel', ecosystemId: workspace.ecosystemId }
  }
  return service('member', [{ service: AccessService, implementation: { getAccess, getWorkspaceTenant } as object }])
}

/** The news service's answers about pages. */
export function news(pages: Page[]): ServiceModule {
  const checkPageAccess = async ({ id }: { id: string }, context: Parameters<typeof personOf>[0]) => {
    const page = pages.find(one => one.id === id)
    await page?.beforeAnswer?.()
    if (page?.isAway) throw new ServiceUnavailableError()
    const { workspaceId } = await tenantOfRecord(context, page?.workspaceId, 'Page')
    if (page?.draftOf && page.draftOf !== personOf(context).memberId) throw new NotFoundError('Page not found')
    return { workspaceId }
  }
  return service('news', [{ service: PageService, implementation: { checkPageAccess } as object }])
}
