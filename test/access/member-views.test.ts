import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { NotificationService } from '../../gen/platform/notification/v1/notifications_pb.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { assert, eventually, startTestHost, suite } from '../kit/kit.ts'
import { addPerson, openWorld, type TestPerson } from '../kit/member.ts'

const test = suite('members as the news and notification services see them')
const host = await startTestHost([member, news, notification])
test.after(() => host.end())

const world = await openWorld(host)
const { admin, workspaceId } = world
const pages = host.as(PageService, admin.userId)
const publish = async (title: string): Promise<string> => {
  const { page } = await pages.createPage({ workspaceId, title, content: {}, status: 'published' })
  return page?.id ?? ''
}
const inboxOf = async ({ userId }: TestPerson): Promise<string[]> => {
  const { data } = await host.as(NotificationService, userId).listNotifications({})
  return data.map(one => one.body + one.title)
}

test('a renamed member has the new name, also in a page that was read before', async () => {
  const id = await publish('Who wrote this')
  const nameOf = async () => (await pages.getPage({ id })).page?.createdBy?.firstName
  assert.is(await nameOf(), 'Ada')
  await host
    .as(MemberService, admin.userId)
    .updateMember({ id: admin.memberId, updateMask: { paths: ['first_name'] }, firstName: 'Adele' })
  await eventually(async () => (await nameOf()) === 'Adele')
})

test('a new member is notified of the next page, and a former one is not', async () => {
  const [stays, leaves] = [await addPerson(host, world, 'member'), await addPerson(host, world, 'member')]
  await publish('Both are here')
  for (const one of [stays, leaves])
    await eventually(async () => (await inboxOf(one)).some(text => text.includes('Both are here')))
  const before = (await inboxOf(leaves)).length
  await host.as(WorkspaceMemberService, admin.userId).removeWorkspaceMember({ workspaceId, memberId: leaves.memberId })
  await publish('One is gone')
  const came = await addPerson(host, world, 'member')
  await publish('A new one is here')
  for (const one of [stays, came])
    await eventually(async () => (await inboxOf(one)).some(text => text.includes('A new one is here')))
  assert.ok((await inboxOf(stays)).some(text => text.includes('One is gone')))
  // Once added again, they see their old inbox; nothing was added while they were away.
  await host
    .as(WorkspaceMemberService, admin.userId)
    .addWorkspaceMember({ id: workspaceId, memberId: leaves.memberId, workspaceRole: 'member' })
  assert.is((await inboxOf(leaves)).length, before)
})

test.run()
