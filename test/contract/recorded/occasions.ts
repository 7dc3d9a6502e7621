import { openSocket, type Socket } from '../../../cli/tour/socket.ts'
import { password } from '../../../cli/tour/world.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { eventually } from '../../kit/kit.ts'
import type { Platform } from '../../kit/platform/platform.ts'
import type { ExampleWorld } from '../../kit/requests/example-world.ts'

/*
 * Causes the events and frames that the examples don't. The sockets are the administrator's, one of each service, in
 * their rooms.
 */
type Sockets = Partial<Record<RestService, Socket>>

/** Frames that every service sends. @returns further sockets, with their frames */
export async function causeConnectionFrames(
  { urls }: Pick<Platform, 'urls'>,
  world: ExampleWorld,
  sockets: Sockets,
): Promise<[RestService, Socket][]> {
  const { workspaceId } = world
  const visitor = await world.person()
  for (const socket of Object.values(sockets)) {
    await socket.ask('joinPresence', workspaceId)
    await socket.ask('joinPresence', 'nowhere').catch(() => undefined)
  }
  const visits: [RestService, Socket][] = []
  for (const service of Object.keys(sockets) as RestService[]) {
    const first = await openSocket(urls[service], visitor.token, '?offset=')
    const { data } = await first.next('ready')
    first.close()
    const visit = await openSocket(urls[service], visitor.token, `?offset=${String(data['offset'])}`)
    await visit.next('ready')
    await visit.ask('joinPresence', workspaceId)
    visits.push([service, visit])
  }
  await visits.find(([service]) => service === 'member')?.[1].ask('joinMember', visitor.memberId)
  const mustRead = `/api/v1/must-read/${await world.page()}`
  await world.ask('news', 'PUT', mustRead, { body: {} }, 200)
  await world.ask('news', 'POST', `${mustRead}/remind`, {}, 200)
  const inbox = visits.find(([service]) => service === 'notification')?.[1]
  await eventually(() => inbox?.frames.some(({ data }) => data['category'] === 'reminded'))
  const path = (act: string): string => `/workspaces/${workspaceId}/${act}/${visitor.memberId}`
  await world.ask('member', 'PATCH', path('update-member'), { body: { workspaceRole: 'viewer' } }, 200)
  await visits.find(([service]) => service === 'member')?.[1].next('role:updated')
  await world.ask('member', 'POST', path('suspend-member'), {}, 200)
  for (const [, visit] of visits) await visit.next('room:left')
  for (const [, visit] of visits) visit.close()
  for (const socket of Object.values(sockets)) await socket.next('presence:left')
  return visits
}

/** Events about pages, and frames of a page's room. */
export async function causeNewsFrames(world: ExampleWorld, news: Socket | undefined): Promise<void> {
  const { memberId } = await world.colleague()
  const text = `<span data-member="${memberId}">@x</span>`
  const id = await world.page('published', 'article', { content: { blocks: [{ type: 'paragraph', data: { text } }] } })
  await news?.ask('joinPage', id)
  await world.add('news', '/api/v1/likes', { pageId: id })
  await world.ask('news', 'DELETE', `/api/v1/likes/${id}`, {}, 200)
  await world.ask('news', 'DELETE', `/api/v1/comments/${await world.comment(world.token, id)}`, {}, 200)
  await news?.next('like.deleted')
  await news?.next('comment.deleted')
}

/** The hotel's subscription changes. */
export async function causeSubscriptionFrame(world: ExampleWorld, hotel: Socket | undefined): Promise<void> {
  const customer_id = (await world.shownHotel())['payment_customer_id']
  const body = { customer_id, product_id: 'prod_basic' }
  await world.ask('payment', 'POST', '/sub/assign-subscription', { token: undefined, key: world.apiKey, body })
  await hotel?.next('subscription:status')
}

/** Members rest, lose the platform's administration, and leave; the accounts of a hotel are deleted. */
export async function causeMemberEvents(world: ExampleWorld): Promise<void> {
  const { root: token, apiKey: key } = world
  const { memberId } = await world.person()
  const changes = [{ isActive: false }, { isActive: true }, { isSuperAdmin: true }, { isSuperAdmin: false }]
  for (const body of changes) await world.ask('member', 'PATCH', `/members/update/${memberId}`, { token, body }, 200)
  await world.ask('member', 'DELETE', `/members/delete/${memberId}`, { token }, 200)

  const { id: ecosystemId, workspace } = await world.hotel()
  const email = world.address()
  const names = { firstName: 'Bo', lastName: 'Bell', workspaceId: workspace }
  const guest = await world.add('member', '/members', { email, ...names }, token)
  const account = { email, password, memberId: guest }
  await world.ask('legacyauth', 'POST', '/auth/invitation', { token: undefined, key, body: account })
  await world.ask('legacyauth', 'DELETE', '/user/ecosystem/delete', { token, body: { ecosystemId } }, 200)
}
