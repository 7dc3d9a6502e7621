import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Code, type ConnectError } from '@connectrpc/connect'
import type { RowDataPacket } from 'mysql2/promise'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { GroupService } from '../../../gen/platform/hotel/v1/groups_pb.ts'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { SettingService } from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { SetupService } from '../../../gen/platform/hotel/v1/setups_pb.ts'
import { TypeService } from '../../../gen/platform/hotel/v1/types_pb.ts'
import { InvitationService } from '../../../gen/platform/member/v1/invitations_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { service as auth } from '../../../services/auth/service.ts'
import { service as hotel } from '../../../services/hotel/service.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { service as media } from '../../../services/media/service.ts'
import { service as member } from '../../../services/member/service.ts'
import { service as payment } from '../../../services/payment/service.ts'
import { eventually, startTestHost, suite } from '../kit.ts'
import { quickProviders, sandboxForTest } from '../sandbox.ts'
import { testPool } from '../sql.ts'

type CreatedHotel = { workspace?: string | undefined; administrator?: { email: string } | undefined }
type Event = { subject: string; body: { payload: Record<string, unknown>; [field: string]: unknown } }

/** A suite with its own hotel service, which ends with it. */
export async function hotelSuite(name: string, extra?: Environment) {
  const test = suite(name)
  const world = await hotelForTest(extra)
  test.after(() => world.end())
  return { ...world, test, world }
}

/**
 * The hotel service with everything it sets up, for one test file: real services, sandbox providers.
 * @param files where the media service stores them: in a folder, or in a bucket of the sandbox
 */
export async function hotelForTest(extra: Environment = {}, files: 'folder' | 'bucket' = 'folder') {
  const sandbox = await sandboxForTest()
  const folder = await mkdtemp(join(tmpdir(), 'hotel-'))
  const bucket = {
    MEDIA_STORAGE: 's3',
    S3_ENDPOINT: `${sandbox.url}/storage`,
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const host = await startTestHost([auth, member, media, payment, hotel], {
    CHAT_BASE_URL: `${sandbox.url}/chat`,
    CHAT_ORGANIZATION_TOKEN: 'organisation-token-of-the-tests',
    WEATHER_BASE_URL: `${sandbox.url}/weather`,
    WEATHER_API_KEY: 'weather-key-of-the-tests',
    STRIPE_BASE_URL: sandbox.url,
    PAYMENT_SECRET_KEY: 'sk_test_of_the_hotel_tests',
    PAYMENT_WEBHOOK_SECRET: 'whsec_of_the_hotel_tests',
    FRONT_BASE_URL: 'https://front.example',
    ...quickProviders,
    ...(files === 'bucket' ? bucket : { MEDIA_DIR: folder }),
    HOTEL_SETUP_RETRY_MS: '20',
    // The test ends the lease of a process that dies here; on a busy machine, other runs must not look abandoned.
    HOTEL_SETUP_LEASE_SECONDS: '60',
    HOTEL_SETUP_LOOK_AGAIN_MS: '300',
    HOTEL_END_LOOK_MS: '300',
    ...extra,
  })
  const events: Event[] = []
  await new Promise<void>(resolve => {
    const recordEvent = ({ subject, body }: { subject: string; body: unknown }) =>
      void events.push({ subject, body: body as Event['body'] })
    host.bus.tail('>', recordEvent, { onOpen: () => resolve() })
  })
  const pools = new Map(
    ['auth', 'hotel', 'member', 'media', 'payment'].map(name => [name, testPool(host.databaseUrl(name))]),
  )
  // A real account: services in separate processes accept no other.
  const root = { email: `root${newId()}@platform.example`, password: 'a long and unlikely pass phrase' }
  const { userId: rootId } = await host.client(AccountService).ensureAdministrator(root)

  let people = 0
  const address = () => `person${++people}@hotel.example`
  const asRoot = {
    hotels: host.as(HotelService, rootId),
    groups: host.as(GroupService, rootId),
    settings: host.as(SettingService, rootId),
    types: host.as(TypeService, rootId),
    setups: host.as(SetupService, rootId),
  }
  /** The token of a further invitation: that of the first one is only in the mail. */
  const invitationOf = async ({ workspace = '', administrator }: CreatedHotel) => {
    const request = { email: administrator?.email ?? '', workspaceId: workspace, workspaceRole: 'admin' }
    const invite = () =>
      host
        .as(OnboardingService, rootId)
        .invite(request)
        // The hotel may be inviting them at the same time.
        .catch((error: ConnectError) => {
          if (error.code !== Code.AlreadyExists) throw error
          return undefined
        })
    const { invitation } = await eventually(invite)
    return invitation?.token ?? ''
  }
  const rows = async (name: string, statement: string, values: unknown[] = []) =>
    (await pools.get(name)?.query<RowDataPacket[]>(statement, values))?.[0] ?? []

  return {
    host,
    sandbox,
    events,
    rootId,
    asRoot,
    address,
    /** Rows of a service's database. */
    rows,
    wish: (fields: object = {}) => ({
      name: `Le Phare ${newId().slice(-6)}`,
      administrator: { email: address(), firstName: 'Ada', lastName: 'Chef' },
      subscription: { plan: 'premium' },
      ...fields,
    }),
    /** Waits for events about a hotel. */
    waitForEvent: (key: string, hotelId: string) =>
      eventually(() => events.find(({ subject, body }) => subject === key && JSON.stringify(body).includes(hotelId))),
    /** The user of the hotel's administrator, who has accepted the invitation. */
    async administratorOf(createdHotel: CreatedHotel) {
      const userId = newId()
      const email = createdHotel.administrator?.email ?? ''
      const token = await invitationOf(createdHotel)
      await host.client(InvitationService).acceptInvitationForUser({ token, userId, email })
      return userId
    },
    /** Like `administratorOf`, with an account at the authentication service. */
    async signedUp(createdHotel: CreatedHotel) {
      const token = await invitationOf(createdHotel)
      const { user } = await host.as(UserService).signUp({ token, password: 'a long and unlikely pass phrase' })
      return user?.id ?? ''
    },
    accounts: host.client(AccountService),
    /** Remaining chat applications with a name, alone or with the id of a hotel. */
    async chatApps(name: string): Promise<{ app_id: string; is_active: boolean }[]> {
      const { json } = await sandbox.call('GET', '/_state/chat')
      return json.data.filter(
        (app: { app_name: string }) => app.app_name === name || app.app_name.startsWith(`${name} (`),
      )
    },
    async customers(name: string): Promise<{ id: string; email: string; metadata: object }[]> {
      const { json } = await sandbox.call('GET', '/_state/payment')
      return json.customers.filter((customer: { name: string }) => customer.name === name)
    },
    /** Names of the files in the media service's storage, complete or in progress. */
    async stored(): Promise<string[]> {
      if (files === 'bucket') {
        const { data, uploads } = (await sandbox.call('GET', '/_state/storage')).json
        return [...data, ...uploads].map(({ path }: { path: string }) => path.slice(path.lastIndexOf('/') + 1))
      }
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter(entry => entry.isFile()).map(({ name }) => name)
    },
    /**
     * Makes another process seem to take over a set-up at the moment it begins a step.
     * @returns a function that lets that process die
     */
    async overtaken(hotelName: string, step: string) {
      const foreignLease = `lease_owner = '${'f'.repeat(24)}', lease_until = now(3) + interval 1 hour`
      await rows(
        'hotel',
        `create trigger overtaken after update on hotel_setup_steps for each row
         begin if new.name = '${step}' and old.status = 'pending' and new.status = 'started' then
           update hotel_setups set ${foreignLease} where id = new.setup_id and hotel_name = '${hotelName}'; end if; end`,
      )
      return async () => {
        await rows('hotel', 'drop trigger overtaken')
        await rows('hotel', 'update hotel_setups set lease_until = now(3) where hotel_name = ?', [hotelName])
      }
    },
    /** Moves a hotel's deletion back by some days. */
    deletedEarlier: (hotelId: string, days: number) =>
      rows('hotel', `update hotels set deleted_at = deleted_at - interval ${days} day where id = ?`, [hotelId]),
    /** Active subscriptions at the payment provider for a hotel. */
    async subscriptionsOf(hotelId: string): Promise<unknown[]> {
      const { json } = await sandbox.call('GET', '/_state/payment')
      return json.subscriptions.filter(
        (subscription: { metadata: { hotelId?: string } }) => subscription.metadata.hotelId === hotelId,
      )
    },
    async end() {
      await Promise.all([...pools.values()].map(pool => pool.end()))
      await host.end()
      await sandbox.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type HotelTest = Awaited<ReturnType<typeof hotelForTest>>

/** Everything that a set-up could leave anywhere, by the name and id of its hotel: all zero when there is no trace. */
export async function traces(world: HotelTest, hotelId: string, name: string, email: string) {
  const count = async (database: string, statement: string, value: string) =>
    (await world.rows(database, `select count(*) as n from ${statement}`, [value]))[0]?.['n'] as number
  return {
    hotel: await count('hotel', 'hotels where id = ?', hotelId),
    files: await count('media', 'media_files where deleted_at is null and ecosystem_id = ?', hotelId),
    strays: (await strays(world)).length,
    uploads: await count('media', 'media_uploads where ecosystem_id = ?', hotelId),
    chat: (await world.chatApps(name)).length,
    workspaces: await count('member', 'workspaces where ecosystem_id = ?', hotelId),
    memberships: await count('member', 'ecosystem_memberships where ecosystem_id = ?', hotelId),
    member: await count('member', 'members where email = ?', email),
    invitations: await count('member', 'onboardings where email = ?', email),
    quota: await count('media', 'media_storage where max_bytes is not null and ecosystem_id = ?', hotelId),
    customers: (await world.customers(name)).length,
    subscriptions: (await world.subscriptionsOf(hotelId)).length,
    ledger: await count('payment', 'payment_customers where live_hotel_id = ?', hotelId),
    events: await count('hotel', 'outbox where body like ?', `%${hotelId}%`),
  }
}

/** Names in the media service's folder without an upload or a stored file, once pending deletions are done. */
async function strays(world: HotelTest): Promise<string[]> {
  let strayNames: string[] = []
  const hasNoStrays = async () => {
    const names = await world.stored()
    // In the order of a file's life: an upload first, a stored file then.
    const uploads = await world.rows('media', 'select id from media_uploads')
    const files = await world.rows('media', 'select id from media_files where deleted_at is null')
    const liveIds = new Set([...uploads, ...files].map(row => String(row['id'])))
    strayNames = names.filter(name => !liveIds.has(name.slice(0, 24)))
    return strayNames.length === 0
  }
  return eventually(hasNoStrays, 20_000).then(
    () => [],
    () => strayNames,
  )
}

export const noTrace = {
  hotel: 0,
  files: 0,
  strays: 0,
  uploads: 0,
  chat: 0,
  workspaces: 0,
  memberships: 0,
  member: 0,
  invitations: 0,
  quota: 0,
  customers: 0,
  subscriptions: 0,
  ledger: 0,
  events: 0,
}
