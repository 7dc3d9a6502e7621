import { DeliveryService } from '../../../gen/platform/notification/v1/deliveries_pb.ts'
import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { author, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'

const { test, world, host, db, sandbox, frames, person, workspace, publish } =
  await notificationSuite('notification deliveries')

const register = (one: Someone, deviceToken: string, platform: 'fcm' | 'onesignal', workspaceId: string) =>
  host.as(SubscriptionService, one.userId).registerDevice({ deviceToken, platform, deviceType: 'ios', workspaceId })
const attempts = (memberId: string) =>
  db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', memberId).orderBy('attempt_number').execute()
const waitUntilSettled = (memberId: string, count = 1) =>
  eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', memberId).execute()
    return rows.length === count && rows.every(row => row.status !== 'pending') && rows
  })
const counts = async (workspaceId: string) => {
  const row = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { sent: row.sent_count, delivered: row.delivered_count, failed: row.failed_count }
}
const status = async (memberId: string) =>
  (await db.selectFrom('receivers').select('status').where('member_id', '=', memberId).executeTakeFirst())?.status
const pushesTo = async (token: string) => (await sandbox.call('GET', `/_pushes?to=${token}`)).json.data
const mailTo = async (email: string) => (await sandbox.call('GET', `/_inbox?to=${email}&wait=25000`)).json.data
const event = (workspaceId: string, to: Someone[], channels: string[]) =>
  publish('page.created', pageCreated(workspaceId, author(to[0]?.name), to, { channels }))

test('a push goes to the active devices of the workspace through their providers, with each attempt recorded', async () => {
  const [ada, bob] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, bob)
  const otherWorkspace = await workspace(ada)
  const [mobile, player, other] = [`fcm-${newId()}`, `player-${newId()}`, `fcm-${newId()}`]
  await register(ada, mobile, 'fcm', workspaceId)
  await register(bob, player, 'onesignal', workspaceId)
  await register(ada, other, 'fcm', otherWorkspace)
  await event(workspaceId, [ada, bob], ['push'])
  await waitUntilSettled(ada.id)
  await waitUntilSettled(bob.id)
  const [push] = await pushesTo(mobile)
  assert.equal(
    [push.provider, push.title, push.data.type],
    ['fcm', 'Ada Martin a publié «\u00a0Menu of the day\u00a0»', 'page'],
  )
  assert.is((await pushesTo(player))[0].provider, 'onesignal')
  assert.is((await pushesTo(other)).length, 0)
  const [attempt] = await attempts(ada.id)
  assert.equal(
    [attempt?.channel, attempt?.provider, attempt?.status, attempt?.attempt_number, attempt?.error],
    ['push', 'fcm', 'success', 1, null],
  )
  assert.is((await attempts(bob.id))[0]?.provider, 'onesignal')
  assert.equal(await counts(workspaceId), { sent: 2, delivered: 2, failed: 0 })
  assert.equal([await status(ada.id), await status(bob.id)], ['delivered', 'delivered'])
})

test('the result of each channel is counted by hour', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await register(ada, `fcm-${newId()}`, 'fcm', workspaceId)
  const root = host.as(DeliveryService, newId(), { kind: 'administrator' })
  const now = async () => {
    const { data } = await root.getDeliveryStatistics({ hours: 2 })
    const sum = (channel: string, status: string) =>
      data.filter(one => one.channel === channel && one.status === status).reduce((all, one) => all + one.count, 0)
    return [sum('push', 'success'), sum('push', 'retry'), sum('socket', 'success')] as const
  }
  const before = await now()
  await sandbox.control({ provider: 'fcm', mode: '500', times: 1, path: 'messages' })
  await event(workspaceId, [ada], ['push', 'socket'])
  await waitUntilSettled(ada.id)
  // Frames are counted every five seconds.
  const addedCounts = await eventually(async () => {
    const counts = (await now()).map((count, index) => count - (before[index] ?? 0))
    return (counts[2] ?? 0) > 0 && counts
  })
  assert.equal(addedCounts, [1, 1, 1])
})

test('a failed push is retried three times with growing delays, and only the last attempt is recorded as failed', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await register(ada, `fcm-${newId()}`, 'fcm', workspaceId)
  await sandbox.control({ provider: 'fcm', mode: '500', times: 4, path: 'messages' })
  await event(workspaceId, [ada], ['push'])
  await waitUntilSettled(ada.id)
  const rows = await attempts(ada.id)
  assert.equal(
    rows.map(row => [row.attempt_number, row.status]),
    [1, 2, 3, 4].map(n => [n, 'failed']),
  )
  assert.ok(rows.every(row => row.error_code !== null && row.error !== null))
  assert.equal(await counts(workspaceId), { sent: 1, delivered: 0, failed: 1 })
  assert.is(await status(ada.id), 'failed')
})

test('a push that succeeds on the third attempt is delivered once', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const token = `player-${newId()}`
  await register(ada, token, 'onesignal', workspaceId)
  await sandbox.control({ provider: 'onesignal', mode: 'reset', times: 2, after: true })
  await event(workspaceId, [ada], ['push'])
  await waitUntilSettled(ada.id)
  assert.equal(
    (await attempts(ada.id)).map(row => row.status),
    ['failed', 'failed', 'success'],
  )
  assert.is((await pushesTo(token)).length, 1)
  assert.equal(await counts(workspaceId), { sent: 1, delivered: 1, failed: 0 })
})

test('a mail and a push awaiting a retry are dropped for members who left meanwhile', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const token = `fcm-${newId()}`
  await register(ada, token, 'fcm', workspaceId)
  // The next retry lies beyond the time that leaving takes.
  for (const fault of [{ provider: 'email' }, { provider: 'fcm', path: 'messages' }] as const)
    await sandbox.control({ ...fault, mode: '429', times: 1, retryAfter: 4 })
  await event(workspaceId, [ada], ['email', 'push'])
  await eventually(async () => (await attempts(ada.id)).length === 2)
  await world.leave(workspaceId, ada)
  await waitUntilSettled(ada.id, 2)
  const mails = (await sandbox.call('GET', `/_inbox?to=${ada.email}`)).json.data
  assert.equal([mails, await pushesTo(token)], [[], []])
})

test('a token unknown to the provider is tried once and retired', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  await register(ada, `stale-${newId()}`, 'fcm', workspaceId)
  await register(bob, `stale-${newId()}`, 'onesignal', workspaceId)
  await event(workspaceId, [ada, bob], ['push', 'socket'])
  for (const one of [ada, bob]) {
    await waitUntilSettled(one.id)
    const { data } = await host.as(SubscriptionService, one.userId).listDevices({})
    assert.equal(
      data.map(device => device.isActive),
      [false],
    )
    assert.is((await attempts(one.id)).length, 1)
  }
  // The socket got them too, but confirms nothing.
  assert.equal(await counts(workspaceId), { sent: 2, delivered: 0, failed: 0 })
})

test('a mail carries the title as subject, escaped HTML, a text part and one-click unsubscribe', async () => {
  const ada = await person({ firstName: '<b>Ada</b>' })
  const workspaceId = await workspace(ada)
  await event(workspaceId, [ada], ['email'])
  const [mail] = await mailTo(ada.email)
  assert.is(mail.subject, '<b>Ada</b> Martin a publié «\u00a0Menu of the day\u00a0»')
  assert.match(mail.html, '&lt;b&gt;Ada&lt;/b&gt; Martin')
  assert.not.match(mail.html, '<b>Ada</b>')
  assert.match(mail.text, 'Une nouvelle page')
  assert.match(
    mail.headers['list-unsubscribe'],
    /^<http:\/\/127\.0\.0\.1:3005\/api\/v1\/preferences\/unsubscribe\/[\w.-]+>$/,
  )
  await waitUntilSettled(ada.id)
  const [attempt] = await attempts(ada.id)
  assert.equal([attempt?.channel, attempt?.provider, attempt?.status], ['email', 'sendgrid', 'success'])
})

test('an invitation is mailed once to its address with the encrypted link of the event', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const email = `${newId()}@guest.example`
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const link = 'https://front.example/invitation?token=secret-token'
  const payload = { id: newId(), email, firstName: 'Zoé', language: 'fr', workspaceId, sealedLink: links.seal(link) }
  const body = { ...pageCreated(workspaceId, ada, []), payload, channels: ['email'] }
  const id = newId()
  await publish('member.onboarding', body, id)
  await host.bus.publish('member.onboarding', JSON.stringify({ type: 'member.onboarding', ...body }), { id: newId() })
  const mails = await mailTo(email)
  assert.equal([mails.length, mails[0].subject], [1, 'Invitation à rejoindre Hotel Azur'])
  assert.match(mails[0].html, `href="${link}"`)
  assert.match(mails[0].text, link)
  const row = await db
    .selectFrom('notifications')
    .select(['data', 'receiver_count'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  assert.equal([row.receiver_count, row.data?.includes('sealed')], [0, false])
  await eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('workspace_id', '=', workspaceId).execute()
    return rows.length === 1 && rows[0]?.sealed_mail === null
  })
})

test('an invitation whose link cannot be decrypted is a dead letter', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const payload = { id: newId(), email: 'x@guest.example', sealedLink: 'a.b.c' }
  await publish('member.onboarding', { ...pageCreated(workspaceId, ada, []), payload })
  await world.waitForDeadLetter('The link of the invitation cannot be decrypted')
})

test('a mail requested by a service is sent once per idempotency key, and stored encrypted', async () => {
  const to = `${newId()}@hotel.example`
  const client = host.client(MailService)
  const mail = {
    to,
    slug: 'password_reset',
    variables: { link: 'https://front.example/r?token=1', email: to, expiresIn: '1 h' },
  }
  const first = await client.sendMail({ ...mail, idempotencyKey: to })
  const secondAnswer = await client.sendMail({ ...mail, idempotencyKey: to })
  assert.equal([first.queued, secondAnswer.queued, secondAnswer.id], [true, false, first.id])
  const mails = await mailTo(to)
  assert.is(mails.length, 1)
  assert.is(mails[0].subject, 'Réinitialisation de votre mot de passe')
  assert.match(mails[0].text, 'https://front.example/r?token=1')
  assert.is((await refusal(client.sendMail({ ...mail, slug: 'nothing' }))).info.status, 404)
})

test('a delivery whose process died is taken over when its claim expires', async () => {
  const to = `${newId()}@hotel.example`
  const { id } = await host.client(MailService).sendMail({ to, slug: 'verify_email', variables: { email: to } })
  await mailTo(to)
  await eventually(async () => {
    const row = await db.selectFrom('deliveries').select('status').where('id', '=', id).executeTakeFirst()
    return row?.status === 'success'
  })
  const ada = await person()
  const workspaceId = await workspace(ada)
  await event(workspaceId, [ada], ['email'])
  await waitUntilSettled(ada.id)
  const dead = { status: 'pending' as const, due_at: new Date(Date.now() - 60_000), attempts: 2 }
  await db.updateTable('deliveries').set(dead).where('member_id', '=', ada.id).execute()
  await waitUntilSettled(ada.id)
  assert.equal(
    (await attempts(ada.id)).map(row => [row.attempt_number, row.status]),
    [
      [1, 'success'],
      [2, 'failed'],
      [3, 'success'],
    ],
  )
})

test('an access token that the provider rejects is renewed within the same attempt', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const token = `fcm-${newId()}`
  await register(ada, token, 'fcm', workspaceId)
  await event(workspaceId, [ada], ['push'])
  await waitUntilSettled(ada.id)
  await world.restartSandbox()
  await event(workspaceId, [ada], ['push'])
  await waitUntilSettled(ada.id, 2)
  assert.equal(
    (await attempts(ada.id)).map(row => [row.attempt_number, row.status]),
    [
      [1, 'success'],
      [1, 'success'],
    ],
  )
  assert.is((await pushesTo(token)).length, 1)
})

test('a provider that does not answer delays no other channel', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await register(ada, `fcm-${newId()}`, 'fcm', workspaceId)
  // The first attempt alone takes longer than the wait for the mail.
  await sandbox.control({ provider: 'fcm', mode: 'delay', delayMs: 30_000, times: 10, path: 'messages' })
  await event(workspaceId, [ada], ['push', 'email', 'socket'])
  await eventually(async () => (await mailTo(ada.email)).length === 1)
  await eventually(() =>
    frames.some(each => each.event === 'notification:new' && each.rooms.includes(`member:${ada.id}`)),
  )
  const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id).execute()
  assert.is.not(rows.find(row => row.lane === 'fcm')?.status, 'success')
  await sandbox.control({ provider: 'fcm', mode: 'ok' })
})

test.run()
