import type { Page } from '../../../../gen/client/news.ts'
import { type MemberContext, useMemberContext } from '../platform/member-context.ts'

export type PageRights = {
  create: boolean
  edit: boolean
  publish: boolean
  remove: boolean
  analyse: boolean
  /** Whether the person may change this page: with create_content alone, their own drafts until they are scheduled. */
  mayChange: (page: Owned | undefined) => boolean
  mayRemove: (page: Owned | undefined) => boolean
}
type Owned = Pick<Page, 'createdBy' | 'status' | 'scheduledAt'>

const rightsOf = ({ may, memberId }: MemberContext): PageRights => {
  const create = may('create_content')
  const edit = may('edit_content')
  const remove = may('delete_content')
  const isOwnDraft = (page: Owned | undefined) =>
    create && (!page || (page.status === 'draft' && page.createdBy?.id === memberId))
  const publish = may('publish_content')
  return {
    create,
    edit,
    remove,
    publish,
    analyse: may('view_analytics'),
    mayChange: page => (edit && page !== undefined) || (isOwnDraft(page) && (publish || !page?.scheduledAt)),
    mayRemove: page => page !== undefined && (remove || isOwnDraft(page)),
  }
}

/** What the signed-in person may do with content in the shown workspace. */
export const useRights = (): PageRights => rightsOf(useMemberContext())
