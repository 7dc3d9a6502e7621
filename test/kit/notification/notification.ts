import { generateKeyPairSync } from 'node:crypto'
import { getOption } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import { webPushKeys } from '../../../cli/stack/secrets.ts'
import { event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../../services/kernel/database/database.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import type { ServiceModule } from '../../../services/kernel/rpc/host.ts'
import { service as member } from '../../../services/member/service.ts'
import { service } from '../../../services/notification/service.ts'
import type { NotificationTables } from '../../../services/notification/tables.ts'
import { loadFiles, messagesOf } from '../../contract/descriptors.ts'
import { ownAddress } from '../bus.ts'
import { testDatabase } from '../database.ts'
import { eventually, startTestHost, suite } from '../kit.ts'
import { sandboxForTest } from '../sandbox.ts'

/** The events that notify people, by the descriptors of all payloads. */
export const notifyingEvents = async () =>
  messagesOf(await loadFiles())
    .map(desc => ({ desc, ...getOption(desc, eventOption) }))
    .filter(({ key }) => key.startsWith('platform.notification.') && key !== 'platform.notification.socket')

export type Frame = { rooms: string[]; event: string; data: Record<string, unknown>; id: string }
export type Someone = { id: string; userId: string; name: string; email: string }

/** A suite with its own notification service, which ends with it. */
export async function notificationSuite(name: string, extra?: Environment) {
  const test = suite(name)
  const world = await notificationsForTest(extra)
  test.after(() => world.end())
  return { ...world, test, world }
}

/**
 * A separate notification service for one test file, with members, a sandbox of providers and the frames for sockets.
 * @param isHosted if false, only its tables exist, for processes that the test starts (process.ts)
 */
export async function notificationsForTest(
  extra: Environment = {},
  extraServices: ServiceModule[] = [],
  isHosted = true,
) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const fcm = { FCM_PROJECT_ID: 'demo', FCM_CLIENT_EMAIL: 'push@demo.test', FCM_PRIVATE_KEY: key }
  const place = { env: fcm, host: ownAddress() }
  let sandbox = await sandboxForTest(place)
  const tables = isHosted
    ? undefined
    : await testDatabase(new URL('../../../services/notification/migrations/', import.meta.url))
  const host = await startTestHost([member, ...extraServices, ...(isHosted ? [service] : [])], {
    ...(tables ? { NOTIFICATION_DATABASE_URL: tables.url } : {}),
    ...fcm,
    FCM_BASE_URL: `${sandbox.url}/fcm`,
    FCM_TOKEN_URL: `${sandbox.url}/fcm/token`,
    ONESIGNAL_BASE_URL: `${sandbox.url}/onesignal`,
    ONESIGNAL_APP_ID: 'app',
    ONESIGNAL_REST_KEY: 'a-rest-key-of-the-tests',
    ...webPushKeys(),
    // The second one doesn't answer.
    WEB_PUSH_SERVICES: `${sandbox.url},http://localhost:9`,
    EMAIL_BASE_URL: `${sandbox.url}/email`,
    EMAIL_API_KEY: 'SG.a-key-of-the-tests',
    SMTP_URL: sandbox.smtpUrl,
    EMAIL_FROM: 'hotel@platform.example',
    DELIVERY_RETRY_DELAYS_MS: '20,40,80',
    DELIVERY_POLL_MS: '50',
    // Longer than a process may be starved of CPU: tries are counted.
    DELIVERY_TIMEOUT_MS: '30000',
    ...extra,
  })
  const db = openDatabase<NotificationTables>(tables?.url ?? host.databaseUrl('notification'))
  const members = openDatabase<unknown>(host.databaseUrl('member'))
  const frames: Frame[] = []
  host.bus.subscribeCore('live.frames', bytes => frames.push(JSON.parse(Buffer.from(bytes).toString())))

  const person = async (
    profile: { language?: string; timezone?: string; firstName?: string } = {},
  ): Promise<Someone> => {
    const one = {
      id: newId(),
      userId: newId(),
      name: `${profile.firstName ?? 'Ada'} Martin`,
      email: `${newId()}@hotel.example`,
    }
    await sql`
      insert into members (id, user_id, first_name, last_name, email, live_email)
      values (${one.id}, ${one.userId}, ${profile.firstName ?? 'Ada'}, 'Martin', ${one.email}, ${one.email})
    `.execute(members)
    const { language, timezone } = profile
    if (language || timezone)
      await sql`
        insert into member_settings (member_id, settings, preferences)
        values (${one.id}, ${JSON.stringify({ language, timezone })}, '{}')
      `.execute(members)
    return one
  }
  const join = async (workspaceId: string, someone: Someone, permissions: string[] = []) => {
    await sql`
      insert into workspace_members (workspace_id, member_id, permission_slugs)
      values (${workspaceId}, ${someone.id}, ${JSON.stringify(permissions)})
    `.execute(members)
  }
  const tellRights = (someone: Someone, workspaceId?: string) =>
    host.bus.publishCore('internal.rights-changed', JSON.stringify({ memberIds: [someone.id], workspaceId }))
  /** Sets columns of a membership. */
  const change = async (workspaceId: string, someone: Someone, set: string) => {
    await sql`
      update workspace_members set ${sql.raw(set)} where workspace_id = ${workspaceId} and member_id = ${someone.id}
    `.execute(members)
    tellRights(someone, workspaceId)
  }
  const leave = (workspaceId: string, someone: Someone) => change(workspaceId, someone, 'left_at = now(3)')
  const suspend = (workspaceId: string, someone: Someone) => change(workspaceId, someone, "status = 'suspended'")
  const erase = async (someone: Someone) => {
    await sql`update members set deleted_at = now(3) where id = ${someone.id}`.execute(members)
    tellRights(someone)
  }
  const workspace = async (...people: Someone[]): Promise<string> => {
    const id = newId()
    await sql`insert into workspaces (id, name, ecosystem_id) values (${id}, 'Hotel Azur', ${newId()})`.execute(members)
    for (const one of people) await join(id, one)
    return id
  }

  /** Publishes an envelope and returns its message id. */
  const publish = async (type: string, body: Record<string, unknown>, id = newId()): Promise<string> => {
    await host.bus.publish(`platform.notification.${type}`, JSON.stringify({ type, ...body }), { id })
    return id
  }
  const waitUntilHandled = (eventId: string) =>
    eventually(async () => {
      const { rows } = await sql`select 1 from inbox where event_id = ${eventId}`.execute(db)
      return rows.length > 0
    })
  const waitForDeadLetter = (reason: string) =>
    eventually(async () => {
      const { listDeadLetters } = await import('../../../services/kernel/bus/dead-letters.ts')
      return (await listDeadLetters(host.bus)).find(letter => letter.reason === reason)
    })

  return {
    host,
    sandbox,
    /** The providers lose their data and restart at the same address. */
    async restartSandbox() {
      const { port } = new URL(sandbox.url)
      await sandbox.close()
      sandbox = await sandboxForTest({ ...place, port: Number(port) })
    },
    db,
    members,
    frames,
    person,
    workspace,
    join,
    leave,
    suspend,
    change,
    erase,
    publish,
    waitUntilHandled,
    waitForDeadLetter,
    async end() {
      await closeDatabase(db)
      await closeDatabase(members)
      // Closed first, because a stopping service waits for its providers' answers.
      await sandbox.close()
      await host.end()
      await tables?.drop()
    },
  }
}

/** The body of a page.created event. */
/** An author outside the tests' people: the receivers of their own acts find them read. */
export const author = (name = 'Ada Martin'): Someone => ({ id: newId(), userId: newId(), name, email: '' })

export const pageCreated = (
  workspaceId: string,
  actor: Someone,
  receivers: Someone[],
  overrides: Record<string, unknown> = {},
) => ({
  workspaceId,
  workspaceName: 'Hotel Azur',
  payload: { id: newId(), title: 'Menu of the day', parent: null, medias: [], pageType: 'article' },
  channels: ['socket'],
  metadata: {
    timestamp: new Date().toISOString(),
    actor: { id: actor.id, name: actor.name, type: 'member' },
    receiverIds: receivers.map(one => one.id),
  },
  ...overrides,
})

/** Adds an occurrence to an event. */
export const during = <T extends { metadata: object }>(occurrenceId: string, body: T) => ({
  ...body,
  metadata: { ...body.metadata, occurrenceId },
})
