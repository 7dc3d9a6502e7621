import { password } from '../../../cli/tour/world.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { eventually } from '../kit.ts'
import { accountBindings } from './example-bindings.accounts.ts'
import { type Bind, withColleague, withNewPerson } from './example-input.ts'
import type { ExampleWorld } from './example-world.ts'
import { poison } from './poison.ts'

const asRoot: Bind = ({ root }) => ({ token: root })
/** Members of a team or department, who must join it before they can leave. */
const inGroup =
  (kind: 'team' | 'department'): Bind =>
  async world => ({ values: await world.groupOfOne(kind) })

const draft: Bind = async world => ({ values: { id: await world.page('draft') } })

/** A published page after some action. */
const after =
  (method: string, path: (id: string) => string, body?: object): Bind =>
  async world => {
    const id = await world.page()
    await world.ask('news', method, path(id), body ? { body } : {}, 200)
    return { values: { id, pageId: id } }
  }
const mustRead = (id: string): string => `/api/v1/must-read/${id}`

/** After making a record that the list shows. */
const listAfter =
  (make: (world: ExampleWorld) => Promise<unknown>): Bind =>
  async world => {
    await make(world)
    return {}
  }

/** A page with a comment, a reaction and a page below it. */
const pageDiscussion: Bind = async world => {
  const id = await world.page()
  await world.comment(undefined, id)
  await world.add('news', '/api/v1/likes', { pageId: id })
  await world.page('published', 'article', { parentId: id })
  return { values: { id, pageId: id } }
}

const pageRevision: Bind = async world => {
  const pageId = await world.page()
  return { values: { pageId, id: await world.revision(pageId) } }
}

const pollVote: Bind = async world => {
  const pageId = await world.page('published', 'poll')
  const optionIds = [await world.option(pageId)]
  await world.ask('news', 'POST', `/api/v1/polls/${pageId}/vote`, { body: { optionIds } }, 200)
  return { values: { pageId, optionIds } }
}

const notification: Bind = withColleague(async (somebody, world) => ({ values: { id: await world.notify(somebody) } }))
const deadLetter: Bind = async world => ({ token: world.root, values: { id: await poison(world) } })
/** A dead letter that was redriven. */
const redrivenLetter: Bind = async world => {
  const path = `/api/v1/dead-letters/${await poison(world)}/redrive`
  const { sequence } = await world.ask('notification', 'POST', path, { token: world.root }, 200)
  return { token: world.root, values: { sequences: [sequence] } }
}

const asService = ({ apiKey }: ExampleWorld) => ({ token: null, key: apiKey })
/** A customer of the payment provider, with a separate hotel. */
const createCustomer = async ({ ask, apiKey, address }: ExampleWorld): Promise<string> => {
  const body = { hotelId: newId(), email: address(), name: 'H' }
  return String((await ask('payment', 'POST', '/sub/customers', { token: undefined, key: apiKey, body }))['id'])
}
const createSubscriber = async (world: ExampleWorld): Promise<string> => {
  const customer_id = await createCustomer(world)
  const call = { token: undefined, key: world.apiKey, body: { customer_id, product_id: 'prod_premium' } }
  await world.ask('payment', 'POST', '/sub/assign-subscription', call)
  return customer_id
}

/** Operations that need more than the records named by their fields. */
export const bindings: Record<string, Bind> = {
  ...accountBindings,
  // Hotels.
  'hotel.CreateHotel': asRoot,
  'hotel.CreateGroup': asRoot,
  'hotel.CreateType': asRoot,
  'hotel.CreateSetting': asRoot,
  'hotel.DeleteGroup': async world => ({ token: world.root, values: { id: await world.group() } }),
  'hotel.DeleteType': async world => ({ token: world.root, values: { id: await world.type() } }),
  'hotel.GetGroup': asRoot,
  'hotel.UpdateGroup': asRoot,
  'hotel.UpdateType': async world => ({ token: world.root, values: { id: await world.type() } }),
  'hotel.GetSetting': asRoot,
  'hotel.UpdateSetting': asRoot,
  'hotel.ListSetups': asRoot,
  'hotel.GetSetup': async world => {
    const { data } = await world.ask('hotel', 'GET', '/hotel/setups', { token: world.root }, 200)
    return { token: world.root, values: { id: data?.[0]?.['id'] } }
  },
  'hotel.ResumeSetup': async world => {
    const { data } = await world.ask('hotel', 'GET', '/hotel/setups?status=completed', { token: world.root }, 200)
    return { token: world.root, values: { id: data?.[0]?.['id'] } }
  },
  'hotel.DeleteHotel': async world => ({ token: world.root, values: { id: (await world.hotel())['id'] } }),
  'hotel.RestoreHotel': async world => {
    const { id } = await world.hotel()
    await world.ask('hotel', 'DELETE', `/hotel/delete/${String(id)}`, { token: world.root }, 200)
    return { token: world.root, values: { id } }
  },
  // Members.
  'member.CreatePermission': world => ({ token: world.root, values: { slug: `view_${world.unique()}` } }),
  'member.AddDepartmentMember': async world => ({ values: { memberId: await world.member() } }),
  'member.AddTeamMember': async world => ({ values: { memberId: await world.member() } }),
  'member.RemoveTeamMember': inGroup('team'),
  'member.RemoveDepartmentMember': inGroup('department'),
  'member.MarkRegistered': async world => ({
    key: world.apiKey,
    token: null,
    values: { memberId: await world.member() },
  }),
  'member.AddHotelMember': ({ apiKey }) => ({ token: null, key: apiKey }),
  'member.ListHotelMembers': world => ({ values: { id: world.ecosystemId } }),
  'member.GetLightProfile': withColleague(({ email }, { apiKey }) => ({ token: null, key: apiKey, values: { email } })),
  'member.GetProfileByEmail': withColleague(({ email }, world) => ({ token: world.token, values: { email } })),
  'member.AcceptInvitation': async world => {
    const { email, token } = await world.invitationToken()
    await world.ask('auth', 'POST', '/users/signUp', { token: undefined, body: { token, password } })
    return { token: (await world.signIn(email)).token, values: { token } }
  },
  'member.CreateSession': withColleague(({ memberId }) => ({ values: { memberId } })),
  'member.LeaveWorkspace': withNewPerson(() => ({})),
  'member.AddWorkspaceMember': async world => ({
    token: world.root,
    values: { id: await world.workspace(), memberId: await world.member() },
  }),
  'member.DeleteWorkspace': async world => ({ token: world.root, values: { id: await world.workspace() } }),
  'member.SuspendWorkspaceMember': withNewPerson(({ memberId }, { token }) => ({ token, values: { memberId } })),
  'member.ReactivateWorkspaceMember': withNewPerson(async ({ memberId }, world) => {
    const path = `/workspaces/${world.workspaceId}/suspend-member/${memberId}`
    await world.ask('member', 'POST', path, {}, 200)
    return { token: world.token, values: { memberId } }
  }),
  'member.RemoveRolePermission': async world => ({ values: { id: await world.role(['view_members']) } }),
  'member.AddRolePermission': async world => ({ values: { id: await world.role() } }),
  'member.GetMemberHierarchy': async world => {
    const names = { firstName: 'Bo', lastName: 'Bell', workspaceId: world.workspaceId }
    const below = (superior: string) => world.add('member', '/members', { email: world.address(), ...names, superior })
    const id = await below(await world.member())
    await below(id)
    return { values: { id } }
  },
  // News.
  'news.ListCategories': listAfter(world => world.category()),
  'news.ListPins': listAfter(async world => world.add('news', '/api/v1/pins', { pageId: await world.page() })),
  'news.ListMustReads': after('PUT', mustRead, {}),
  'news.ListPagePreferences': after('PATCH', id => `/api/v1/page-preferences/${id}`, { isFavorite: true }),
  'news.ListTrashedPages': after('DELETE', id => `/api/v1/pages/${id}`),
  'news.ListComments': pageDiscussion,
  'news.ListLikes': pageDiscussion,
  'news.GetPage': pageDiscussion,
  'news.GetPageHierarchy': pageDiscussion,
  'news.GetPageAnalytics': pageDiscussion,
  'news.GetViews': after('GET', id => `/api/v1/pages/${id}`),
  'news.PublishPage': draft,
  'news.SchedulePage': draft,
  'news.UnschedulePage': async world => {
    const id = await world.page('draft')
    const body = { scheduledAt: '2099-01-01T08:00:00.000Z' }
    await world.ask('news', 'POST', `/api/v1/pages/${id}/schedule`, { body }, 200)
    return { values: { id } }
  },
  'news.UnarchivePage': after('POST', id => `/api/v1/pages/${id}/archive`),
  'news.RestorePage': after('DELETE', id => `/api/v1/pages/${id}`),
  'news.CreatePageFromTemplate': async world => ({ values: { templateId: await world.template() } }),
  'news.GetMustRead': after('PUT', mustRead, {}),
  'news.AcknowledgePage': after('PUT', mustRead, {}),
  'news.ListReaders': after('PUT', mustRead, {}),
  'news.ExportReaders': after('PUT', mustRead, {}),
  'news.RemindReaders': after('PUT', mustRead, {}),
  'news.UpdateView': after('GET', id => `/api/v1/pages/${id}`),
  'news.GetRevision': pageRevision,
  'news.RestoreRevision': pageRevision,
  'news.SetPoll': async world => ({ values: { pageId: await world.page('published', 'poll') } }),
  'news.GetPoll': pollVote,
  'news.Vote': pollVote,
  'news.RemoveVote': pollVote,
  // Notifications.
  'notification.ListDeadLetters': async world => {
    await poison(world)
    return { token: world.root }
  },
  'notification.ListDevices': listAfter(world => world.device()),
  'notification.ListWebhooks': listAfter(world => world.webhook()),
  'notification.ListWebhookDeliveries': async world => {
    const id = await world.webhook()
    await world.delivery(id)
    return { values: { id } }
  },
  'notification.RedriveDeadLetters': asRoot,
  'notification.GetDeadLetter': deadLetter,
  'notification.DiscardDeadLetter': deadLetter,
  'notification.RedriveDeadLetter': deadLetter,
  'notification.GetRedriveOutcomes': redrivenLetter,
  'notification.ClickNotification': notification,
  'notification.DismissNotification': notification,
  'notification.MarkRead': notification,
  'notification.MarkUnread': notification,
  'notification.UnarchiveNotification': withColleague(async (somebody, world) => {
    const id = await world.notify(somebody)
    await world.ask('notification', 'DELETE', `/api/v1/notifications/${id}`, { token: somebody.token }, 200)
    return { values: { id } }
  }),
  'notification.ListDeliveries': withColleague(async (somebody, world) => {
    const notificationId = await world.notify(somebody, ['email'])
    await eventually(async () => {
      const path = `/api/v1/notifications/${notificationId}/deliveries`
      return ((await world.ask('notification', 'GET', path, {}, 200))['meta']?.['total'] as unknown as number) > 0
    })
    return { token: world.token, values: { notificationId } }
  }),
  'notification.ResendWebhookDelivery': async world => {
    const id = await world.webhook()
    return { values: { id, deliveryId: await world.delivery(id) } }
  },
  'notification.SubscribeBrowser': withColleague(async (_somebody, { sandboxUrl }) => ({
    values: { endpoint: `${sandboxUrl}/webpush/example` },
  })),
  'notification.UnregisterDevice': withColleague(async ({ token }, world) => ({
    values: { deviceToken: await world.device(token) },
  })),
  'notification.Unsubscribe': withColleague(async (somebody, world) => {
    await world.notify(somebody, ['email'])
    const mail = await world.mailTo(somebody.email, /preferences\/unsubscribe\//)
    return { token: null, values: { token: /unsubscribe\/([\w.-]+)/.exec(mail)?.[1] } }
  }),
  // Payment.
  'payment.AssignSubscription': async world => ({
    ...asService(world),
    values: { customer_id: await createCustomer(world) },
  }),
  'payment.CancelSubscription': async world => ({
    ...asService(world),
    values: { customer_id: await createSubscriber(world) },
  }),
  'payment.CreateCustomer': world => ({ ...asService(world), values: { hotelId: newId() } }),
  'payment.GetCustomer': async world => ({ ...asService(world), values: { customer_id: await createCustomer(world) } }),
  'payment.DeleteCustomer': async world => ({
    ...asService(world),
    values: { customer_id: await createCustomer(world) },
  }),
  'payment.GetSubscription': async world => ({
    ...asService(world),
    values: { customer_id: await createSubscriber(world) },
  }),
  'payment.ReceiveStripeEvent': ({ signatureHeaders }) => ({ token: null, headersFor: signatureHeaders }),
}
