import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { newBrowser, sessionsOf } from '../../../test/kit/notification/browser.ts'
import { author, notificationsForTest, pageCreated } from '../../../test/kit/notification/notification.ts'
import { service as auth } from '../../auth/service.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { PushLane } from '../tables.ts'

const test = suite('failing providers of pushes and mails')
const quick = { DELIVERY_TIMEOUT_MS: '2000', PROVIDER_FAILURES: '3', PROVIDER_REST_MS: '300' }
const world = await notificationsForTest({ ...quick, EMAIL_PROVIDER: 'sendgrid' }, [auth])
const sessions = sessionsOf(world.host)
const smtp = await notificationsForTest({ ...quick, EMAIL_PROVIDER: 'smtp' })
test.after(async () => {
  await sessions.close()
  await world.end()
  await smtp.end()
})

type World = typeof world
type Tries = { status: string; error_code: string | null }[]

const triesOf = (instance: World, column: 'delivery_id' | 'member_id', id: string): Promise<Tries> =>
  eventually(async () => {
    // Deliveries are read before attempts: a finished delivery then has all its attempts, whatever is written
    // meanwhile.
    const deliveries = await instance.db
      .selectFrom('deliveries')
      .select('status')
      .where(column === 'delivery_id' ? 'id' : 'member_id', '=', id)
      .execute()
    if (!deliveries.length || deliveries.some(each => each.status === 'pending')) return undefined
    const rows = await instance.db.selectFrom('delivery_attempts').selectAll().where(column, '=', id).execute()
    return rows.toSorted((a, b) => a.attempt_number - b.attempt_number)
  }, 60_000)

async function mail(instance: World): Promise<Tries> {
  const to = `${newId()}@hotel.example`
  const { id } = await instance.host.client(MailService).sendMail({ to, slug: 'verify_email', variables: {} })
  return triesOf(instance, 'delivery_id', id)
}
async function push(platform: PushLane): Promise<Tries> {
  const ada = await world.person()
  const workspaceId = await world.workspace(ada)
  const device = { deviceToken: `${platform}-${newId()}`, platform, deviceType: 'ios', workspaceId }
  const client = world.host.as(SubscriptionService, ada.userId, { sessionId: await sessions.begin() })
  if (platform === 'webpush') await client.subscribeBrowser(newBrowser(world.sandbox.url).subscription)
  else await client.registerDevice(device)
  await world.publish('page.created', pageCreated(workspaceId, author(ada.name), [ada], { channels: ['push'] }))
  return triesOf(world, 'member_id', ada.id)
}

const providers = [
  { name: 'email', send: () => mail(world), instance: world, where: { path: 'mail' } },
  { name: 'email', send: () => mail(smtp), instance: smtp, where: {}, smtp: true },
  { name: 'fcm', send: () => push('fcm'), instance: world, where: { path: 'messages' } },
  { name: 'onesignal', send: () => push('onesignal'), instance: world, where: {} },
  { name: 'webpush', send: () => push('webpush'), instance: world, where: {} },
]
/** A fault that is injected once, and the codes of the attempts that follow; null is a success. */
const faults = [
  { title: 'does not answer', play: { mode: 'delay', delayMs: 30_000 }, codes: ['TIMEOUT', null] },
  { title: 'answers 500', play: { mode: '500' }, codes: ['500', null], smtp: ['451', null] },
  { title: 'answers 429', play: { mode: '429', retryAfter: 1 }, codes: ['429', null], smtp: ['451', null] },
  { title: 'cuts the connection', play: { mode: 'reset' }, codes: ['UNREACHABLE', null] },
  { title: 'answers garbage', play: { mode: 'garbage' }, codes: ['UNREADABLE', null], smtp: ['UNREACHABLE', null] },
  { title: 'is slow', play: { mode: 'delay', delayMs: 200 }, codes: [null] },
]

/** Injects a fault at every provider. @returns the codes of the attempts that follow */
async function play(fault: object): Promise<(string | null)[][]> {
  await Promise.all(
    providers.map(({ name, instance, where }) => instance.sandbox.control({ provider: name, ...where, ...fault })),
  )
  const triesByProvider = await Promise.all(providers.map(({ send }) => send()))
  return triesByProvider.map(tries => tries.map(({ status, error_code }) => (status === 'success' ? null : error_code)))
}
const countTimeouts = (codes: (string | null)[][]): number => codes.flat().filter(code => code === 'TIMEOUT').length

for (const fault of faults) {
  test(`a provider that ${fault.title} leaves a row per attempt, and the next attempt delivers`, async () => {
    const expectedCodes = providers.map(({ smtp: isSmtp }) => (isSmtp && fault.smtp) || fault.codes)
    // If the process stalls for two seconds, an attempt rightly times out; such a run doesn't count.
    let codes = await play(fault.play)
    for (let round = 1; round < 5 && countTimeouts(codes) > countTimeouts(expectedCodes); round++)
      codes = await play(fault.play)
    for (const [i, { name, smtp: isSmtp }] of providers.entries())
      assert.equal(codes[i], expectedCodes[i], `${name}${isSmtp ? ' over SMTP' : ''}`)
  })
}

test('calls to a failing provider are paused; queued messages are delivered afterwards, and other lanes meanwhile', async () => {
  await world.sandbox.control({ provider: 'fcm', mode: '500', path: 'messages', times: 3 })
  const failing = Promise.all([push('fcm'), push('fcm'), push('fcm'), push('fcm')])
  assert.equal(
    (await push('onesignal')).map(each => each.status),
    ['success'],
  )
  assert.equal(
    (await mail(world)).map(each => each.status),
    ['success'],
  )
  const tries = (await failing).flat()
  assert.is(tries.filter(each => each.status === 'success').length, 4)
  assert.is(tries.filter(each => each.error_code === '500').length, 3)
})

test('a call that a failing provider is spared counts as a try, and the fourth try is the last', async () => {
  await world.sandbox.control({ provider: 'fcm', mode: '500', path: 'messages', times: 500 })
  const triesByPush = await Promise.all(Array.from({ length: 4 }, () => push('fcm')))
  assert.equal(
    triesByPush.map(tries => tries.map(each => each.status)),
    Array(4).fill(Array(4).fill('failed')),
  )
  assert.ok(triesByPush.flat().some(each => each.error_code === 'RESTING'))
})

test.run()
