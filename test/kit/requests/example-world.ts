import Stripe from 'stripe'
import { type Call, invitationToken, type LooseJson, mailsTo, type RouteAnswer } from '../../../cli/tour/client.ts'
import { addressOf, createHotel, expect, password, takeUpInvitation } from '../../../cli/tour/world.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { eventually } from '../kit.ts'
import type { HotelAccess, TwoHotels } from '../platform/two-hotels.ts'

/** A person of the first hotel with an account. */
export type ExamplePerson = {
  email: string
  token: string
  refreshToken: string
  memberId: string
  userId: string
}

export type ExampleWorld = ReturnType<typeof exampleWorld>

// Counts for all hotels of a platform, whose people's addresses must differ.
let uniqueCount = 0

/**
 * Creates the records of a hotel, the first one by default; each is new, so that requests are independent.
 * @param mark ends the names, titles and texts of its records
 */
export function exampleWorld(hotels: TwoHotels, hotel: HotelAccess = hotels.ownHotel, mark = '') {
  const { world, root, apiKey, platform } = hotels
  const unique = (): string => `${world.run}${(uniqueCount++).toString(36)}`
  const { workspace: workspaceId, ecosystem: ecosystemId, token } = hotel

  const ask = (
    service: RestService,
    method: string,
    path: string,
    options: Call = {},
    status = 201,
  ): Promise<LooseJson> => expect(world, status, service, method, path, { token, ...options })
  const idOf = async (answer: Promise<RouteAnswer['body']>): Promise<string> => String((await answer)['id'])
  const add = (service: RestService, path: string, body: object, by = token): Promise<string> =>
    idOf(ask(service, 'POST', path, { token: by, body }))
  const address = (): string => addressOf(world, `x${unique()}`)

  const page = async (status = 'published', pageType = 'article', fields: object = {}): Promise<string> =>
    add('news', '/api/v1/pages', {
      title: `Page${mark}`,
      content: { blocks: [] },
      workspaceId,
      status,
      pageType,
      ...fields,
    })
  const invite = (email: string) => {
    const rights = { workspaceId, ecosystemId, workspaceRole: 'member', permissions: [] }
    return add('member', '/onboarding/invite', { email, firstName: 'Bo', lastName: `Bell${mark}`, ...rights })
  }
  /** A member without an account. */
  const member = (email = address()): Promise<string> =>
    add('member', '/members', { email, firstName: 'Bo', lastName: `Bell${mark}`, workspaceId, dashboardAccess: true })
  const signIn = async (email: string): Promise<ExamplePerson> => {
    const body = { email, password }
    const pair = await expect(world, 200, 'auth', 'POST', '/auth/login', { body })
    const by = String(pair['accessToken'])
    const me = await expect(world, 200, 'auth', 'GET', '/users/me', { token: by })
    const [memberId, userId] = [String(me['memberId']), String(me['id'])]
    return { email, token: by, refreshToken: String(pair['refreshToken']), memberId, userId }
  }

  /** Invited, signed up, accepted and signed in. */
  const person = async (): Promise<ExamplePerson> => {
    const email = address()
    await invite(email)
    await takeUpInvitation(world, email)
    return signIn(email)
  }
  /** A team or department with a member. */
  const groupOfOne = async (kind: 'team' | 'department'): Promise<{ id: string; memberId: string }> => {
    const [id, memberId] = [
      await add('member', `/${kind}s`, { name: `G ${unique()}${mark}`, workspaceId }),
      await member(),
    ]
    await ask('member', 'POST', `/${kind}s/${id}/add-member`, { body: { memberId } })
    return { id, memberId }
  }
  let colleague: Promise<ExamplePerson> | undefined
  let administrator: Promise<LooseJson> | undefined
  const me = () => (administrator ??= ask('auth', 'GET', '/users/me', {}, 200))

  return {
    workspaceId,
    ecosystemId,
    token,
    root,
    apiKey,
    unique,
    ask,
    add,
    address,
    page,
    invite,
    signIn,
    invitation: () => invite(address()),
    async invitationToken(): Promise<{ email: string; token: string }> {
      const email = address()
      await invite(email)
      return { email, token: await invitationToken(platform.sandboxUrl, email) }
    },
    person,
    /** The same person every time. */
    colleague: (): Promise<ExamplePerson> => (colleague ??= person()),
    member,
    /** The hotel's administrator. */
    async me(): Promise<Pick<ExamplePerson, 'email' | 'memberId' | 'token'>> {
      const { email, memberId } = await me()
      return { email: String(email), memberId: String(memberId), token }
    },
    /** A person invited to the legacy version, signed in with the examples' password. */
    async ghost(): Promise<ExamplePerson> {
      const email = address()
      const memberId = await member(email)
      const body = { email, password, memberId }
      const { user } = await ask('legacyauth', 'POST', '/auth/invitation', { token: undefined, key: apiKey, body })
      const call = { token: undefined, body: { email, password }, headers: { 'user-agent': 'HotelApp/2.4.0' } }
      const pair = await ask('legacyauth', 'POST', '/auth/login/mobile', call, 200)
      const [by, refreshToken] = [String(pair['accessToken']), String(pair['refreshToken'])]
      return { email, memberId, userId: String(user?.['id']), token: by, refreshToken }
    },
    /** Sends a notification to a person and returns its id. */
    async notify(
      { memberId, token: by }: Pick<ExamplePerson, 'memberId' | 'token'>,
      channels = ['socket'],
    ): Promise<string> {
      const body = { title: `T${mark}`, body: 'B', workspaceId, receiverIds: [memberId], channels }
      const id = await add('notification', '/api/v1/notifications', body)
      await eventually(async () => {
        const { data } = await ask('notification', 'GET', '/api/v1/notifications', { token: by }, 200)
        return (data as unknown as { id: string }[]).some(one => one.id === id)
      })
      return id
    },
    /** The headers with the payment provider's signature. */
    signatureHeaders: (payload: string): Record<string, string> => ({
      'stripe-signature': new Stripe('sk_test_signer').webhooks.generateTestHeaderString({
        payload,
        secret: String(platform.env['PAYMENT_WEBHOOK_SECRET']),
      }),
    }),
    bus: { url: String(platform.env['AMQP_GATEWAY_URL']), stream: String(platform.env['AMQP_EXCHANGE_NAME']) },
    administrator: platform.administrator,
    category: () => add('news', '/api/v1/categories', { name: `C ${unique()}${mark}`, workspaceId }),
    template: () => {
      const content = { blocks: [{ type: 'paragraph', data: { text: 'Today' } }] }
      return add('news', '/api/v1/templates', { name: `T ${unique()}${mark}`, content, workspaceId })
    },
    /** A change of a page, which keeps what it was before. */
    async revision(pageId: string): Promise<string> {
      await ask('news', 'PATCH', `/api/v1/pages/${pageId}`, { body: { title: 'Another' } }, 200)
      const { data } = await ask('news', 'GET', `/api/v1/pages/${pageId}/revisions`, {}, 200)
      return String(data?.[0]?.['id'])
    },
    /** An option of a page's new poll. */
    async option(pageId: string): Promise<string> {
      const body = { question: 'Where?', options: ['Here', 'There'] }
      const { options } = await ask('news', 'PUT', `/api/v1/polls/${pageId}`, { body }, 200)
      return String(options?.[0]?.['id'])
    },
    comment: async (by = token, pageId?: string) =>
      add('news', '/api/v1/comments', { pageId: pageId ?? (await page()), content: `Hm${mark}` }, by),
    groupOfOne,
    role: (permissions: string[] = []) =>
      add('member', '/roles', { name: `R ${unique()}${mark}`, workspaceId, permissions }),
    accountInvitation: () => add('auth', '/invitations/send', { email: address(), role: 'member', workspaceId }),
    /** Another session of the hotel's administrator. */
    async session(): Promise<string> {
      const { email } = await me()
      await signIn(String(email))
      const { data } = await ask('auth', 'GET', '/users/me/sessions', {}, 200)
      return String((data as unknown as { id: string; isCurrent: boolean }[]).find(one => !one.isCurrent)?.id)
    },
    sandboxUrl: platform.sandboxUrl,
    /** A device of the hotel's administrator, or of somebody else. */
    async device(by = token): Promise<string> {
      const deviceToken = `fcm-${unique()}`
      const body = { deviceToken, platform: 'fcm', deviceType: 'android', workspaceId }
      await ask('notification', 'POST', '/api/v1/subscriptions', { token: by, body })
      return deviceToken
    },
    /** An endpoint that receives nothing. The oldest one makes way, because a workspace has a limited number. */
    async webhook(): Promise<string> {
      const { data } = await ask('notification', 'GET', `/api/v1/webhooks?workspaceId=${workspaceId}`, {}, 200)
      const webhooks = (data ?? []) as unknown as { id: string }[]
      const [oldest] = webhooks
      if (oldest && webhooks.length > 8) await ask('notification', 'DELETE', `/api/v1/webhooks/${oldest.id}`, {}, 200)
      const body = { url: `https://${unique()}.invalid/`, description: `Hook${mark}`, workspaceId }
      return add('notification', '/api/v1/webhooks', body)
    },
    delivery: (webhookId: string) => add('notification', `/api/v1/webhooks/${webhookId}/test`, {}),
    shownHotel: () => ask('hotel', 'GET', `/hotel/get/${ecosystemId}`, {}, 200),
    workspace: () => add('member', '/workspaces', { name: `W ${unique()}`, ecosystemId }, root),
    credential: () => add('auth', '/ecosystem/credentials', { ecosystemId, permissions: [] }),
    group: () => add('hotel', '/group/add', { name: `G ${unique()}` }, root),
    type: () => add('hotel', '/type/add', { name: `T ${unique()}` }, root),
    setting: () => add('hotel', '/setting/add', {}, root),
    /** Another hotel with its workspace; its administrator is invited and has not accepted yet. */
    hotel: (): Promise<LooseJson> => createHotel(world, `H ${unique()}`, address()),
    async file(): Promise<string> {
      const form = new FormData()
      form.set('file', new Blob(['minutes']), 'minutes.txt')
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${world.urls.media}/media/upload`, { method: 'POST', headers, body: form })
      return String(((await answer.json()) as { id: string }).id)
    },
    /** Waits for a matching mail to an address, and returns the newest. */
    async mailTo(email: string, fits: RegExp): Promise<string> {
      for (let count = 1; count < 10; count++) {
        const mails = await mailsTo(platform.sandboxUrl, email, count)
        const mail = mails.map(one => JSON.stringify(one)).find(text => fits.test(text))
        if (mail) return mail
      }
      throw new Error(`no mail to ${email} fits ${fits}`)
    },
  }
}
