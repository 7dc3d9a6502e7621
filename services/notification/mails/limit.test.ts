import { AnalyticsService } from '../../../gen/platform/notification/v1/analytics_pb.ts'
import { DeliveryService } from '../../../gen/platform/notification/v1/deliveries_pb.ts'
import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest, pageCreated } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'

const test = suite('mail limits')
const world = await notificationsForTest({ MAIL_LIMIT_PER_HOUR: '5' })
const { host, db, sandbox, person, workspace, publish } = world
test.after(() => world.end())

/** The mails to an address once none is pending. */
async function mailsTo(email: string): Promise<{ subject: string }[]> {
  await eventually(async () => {
    const waiting = await db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute()
    return waiting.length === 0
  })
  return (await sandbox.call('GET', `/_inbox?to=${email.toLowerCase()}`)).json.data
}
const send = (to: string, slug = 'password_reset') =>
  host.client(MailService).sendMail({ to, slug, variables: { link: 'https://front.example/r', email: to, code: '1' } })

/** The statistics of a channel over the last hours, by status. */
async function countsOf(channel: string): Promise<Record<string, number>> {
  const { data } = await host.as(DeliveryService, newId(), { kind: 'administrator' }).getDeliveryStatistics({})
  const counts: Record<string, number> = {}
  for (const one of data) if (one.channel === channel) counts[one.status] = (counts[one.status] ?? 0) + one.count
  return counts
}

test('five mails of a kind are sent to an address per hour, and further requests get the same answer', async () => {
  const [to, other] = [`${newId()}@hotel.example`, `${newId()}@hotel.example`]
  const answers = []
  for (let n = 0; n < 9; n++) answers.push(await send(n % 2 ? to : to.toUpperCase()))
  await send(to, 'password_reset_code')
  await send(other)
  assert.equal(
    answers.map(({ queued }) => queued),
    Array<boolean>(9).fill(true),
  )
  assert.is((await mailsTo(to)).length, 6)
  assert.is((await mailsTo(other)).length, 1)
  const held = await db.selectFrom('delivery_attempts').select('error_code').where('status', '=', 'limited').execute()
  assert.equal(held, Array(4).fill({ error_code: 'MAIL_LIMIT' }))
  assert.equal(await countsOf('email'), { success: 7, limited: 4 })
})

test('simultaneous requests are counted exactly, and the count restarts with the next hour', async () => {
  const to = `${newId()}@hotel.example`
  await Promise.all(Array.from({ length: 12 }, () => send(to, 'verify_email')))
  assert.is((await mailsTo(to)).length, 5)
  await db.updateTable('mail_counters').set({ ends_at: new Date() }).execute()
  await send(to, 'verify_email')
  assert.is((await mailsTo(to)).length, 6)
})

test('an invitation resent forty times is mailed five times, those of other hotels beside it, and 30 in all', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const email = `${newId()}@guest.example`
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const sealedLink = links.seal('https://front.example/invitation?token=1')
  const invite = async (ecosystemId: string, times: number) => {
    const one = async () => {
      const payload = { id: newId(), email, firstName: 'Zoé', language: 'fr', workspaceId, sealedLink }
      await world.done(
        await publish('member.onboarding', { ...pageCreated(workspaceId, ada, []), ecosystemId, payload }),
      )
    }
    await Promise.all(Array.from({ length: times }, one))
    return (await mailsTo(email)).length
  }
  assert.is(await invite(newId(), 41), 5)
  assert.is(await invite(newId(), 1), 6)
  for (let mails = 11; mails < 30; mails += 5) assert.is(await invite(newId(), 6), mails)
  assert.equal([await invite(newId(), 6), await invite(newId(), 1)], [30, 30])
  await send(email)
  assert.is((await mailsTo(email)).length, 30)
  const other = `${newId()}@guest.example`
  await send(other)
  assert.is((await mailsTo(other)).length, 1)
})

test('a member gets five mails of a kind, and further ones only in the inbox', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  for (let n = 0; n < 7; n++)
    await world.done(
      await publish('page.created', pageCreated(workspaceId, ada, [bob], { channels: ['app', 'email'] })),
    )
  assert.is((await mailsTo(bob.email)).length, 5)
  const kept = await db.selectFrom('receivers').select('status').where('member_id', '=', bob.id).execute()
  assert.equal(
    kept.map(({ status }) => status).toSorted(),
    [...Array<string>(5).fill('delivered'), ...Array<string>(2).fill('pending')],
    'a mail that was held back is neither sent nor failed',
  )
  const cleo = await person()
  await world.join(workspaceId, cleo, ['view_analytics'])
  const { byChannel } = await host.as(AnalyticsService, cleo.userId).getNotificationAnalytics({ workspaceId })
  assert.equal([byChannel?.email?.sent, byChannel?.email?.delivered], [5, 5])
})

test('a mail whose first attempt failed is counted once', async () => {
  const to = `${newId()}@hotel.example`
  await sandbox.call('POST', '/_control', { provider: 'email', mode: '500', times: 3 })
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await send(to)).id))
  assert.is((await mailsTo(to)).length, 5)
  const again = await db.selectFrom('delivery_attempts').select('id').where('delivery_id', 'in', ids).execute()
  assert.is(again.length, 8)
})

test.run()
