import { sql } from 'kysely'
import { DeliveryService } from '../../../gen/platform/notification/v1/deliveries_pb.ts'
import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { defaultSchedule, nextDigest } from '../digests/schedule.ts'

const { test, world, host, db, sandbox, person, workspace, publish } = await notificationSuite('mail limits', {
  MAIL_LIMIT_PER_HOUR: '5',
})

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
  const failures = await db
    .selectFrom('delivery_attempts')
    .select('error_code')
    .where('status', '=', 'failed')
    .execute()
  assert.equal(failures, Array(4).fill({ error_code: 'MAIL_LIMIT' }))
  assert.equal(await countsOf('email'), { success: 7, failed: 4 })
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
      await world.waitUntilHandled(
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

/** Waits until every digest that was due is settled. */
const digestsSettled = () =>
  eventually(async () => {
    const dueDigests = db.selectFrom('digests').select('member_id').where('due_at', '<=', sql<Date>`utc_timestamp(3)`)
    const [digests, items] = [
      await dueDigests.execute(),
      await db.selectFrom('digest_items').select('delivery_id').execute(),
    ]
    return digests.length === 0 && items.every(({ delivery_id }) => delivery_id === null)
  })

test('a person gets 60 mails of notifications an hour, of any kind, and one with all others within it', async () => {
  const [ada, bob, cleo] = [await person(), await person(), await person()]
  const workspaceId = await workspace(bob, cleo)
  await world.join(workspaceId, ada, ['send_notifications'])
  const urgent = 3
  const tell = (receiver: Someone, times: number, type = 'page.created', priority = 1) =>
    Promise.all(
      Array.from({ length: times }, async () => {
        const options = { channels: ['app', 'email'], priority }
        await world.waitUntilHandled(await publish(type, pageCreated(workspaceId, ada, [receiver], options)))
      }),
    )
  await tell(bob, 40)
  await tell(bob, 30, 'page.reminded', urgent)
  await tell(cleo, 1)
  assert.equal([(await mailsTo(bob.email)).length, (await mailsTo(cleo.email)).length], [60, 1])
  await tell(bob, 2)
  assert.is((await mailsTo(bob.email)).length, 60)
  const items = await db.selectFrom('digest_items').select('member_id').execute()
  assert.equal(items, Array(12).fill({ member_id: bob.id }))
  const [digest, ...otherDigests] = await db.selectFrom('digests').selectAll().execute()
  assert.equal([digest?.member_id, otherDigests], [bob.id, []])
  const wait = Number(digest?.due_at) - Date.now()
  assert.ok(wait > 3_500_000 && wait <= 3_600_000, `${wait} ms`)

  await sandbox.control({ provider: 'email', mode: '500', times: 4 })
  await db.updateTable('digests').set({ due_at: new Date() }).execute()
  await digestsSettled()
  const { due_at } = await db.selectFrom('digests').select('due_at').executeTakeFirstOrThrow()
  const next = nextDigest(defaultSchedule, 'Europe/Paris', new Date())
  assert.equal(due_at, next, 'one that could not be sent comes with the next one')
  await db.updateTable('digests').set({ due_at: new Date() }).execute()
  await digestsSettled()
  const [last, ...earlier] = (await mailsTo(bob.email)).toReversed()
  assert.equal([last?.subject, earlier.length], ['Platform\u00a0: 12 nouveautés', 60])
  const rows = await db.selectFrom('receivers').select('status').where('member_id', '=', bob.id).execute()
  assert.equal(
    rows.map(({ status }) => status),
    Array(72).fill('delivered'),
  )
  const after = await db.selectFrom('digests').select('frequency').executeTakeFirstOrThrow()
  assert.is(after.frequency, 'automatic', 'the person has chosen nothing')
  const statuses = await db.selectFrom('delivery_attempts').select('status').distinct().execute()
  assert.equal(statuses.map(({ status }) => status).toSorted(), ['failed', 'success'])
})

test('the mails of the next hour are single again, and those beyond the limit join a daily digest', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(bob)
  await world.join(workspaceId, ada, ['send_notifications'])
  await host
    .as(PreferenceService, bob.userId)
    .updatePreferences({ emailDigest: 'daily', updateMask: { paths: ['email_digest'] } })
  const tell = (times: number, type: string) =>
    Promise.all(
      Array.from({ length: times }, async () => {
        const body = pageCreated(workspaceId, ada, [bob], { channels: ['email'] })
        await world.waitUntilHandled(await publish(type, body))
      }),
    )
  await tell(2, 'page.created')
  await tell(61, 'page.reminded')
  assert.is((await mailsTo(bob.email)).length, 60)
  await db.updateTable('mail_counters').set({ ends_at: new Date() }).execute()
  await tell(1, 'page.reminded')
  assert.is((await mailsTo(bob.email)).length, 61)
  await db.updateTable('digests').set({ due_at: new Date() }).where('member_id', '=', bob.id).execute()
  await digestsSettled()
  assert.is((await mailsTo(bob.email)).at(-1)?.subject, 'Platform\u00a0: 3 nouveautés')
  const { due_at } = await db
    .selectFrom('digests')
    .select('due_at')
    .where('member_id', '=', bob.id)
    .executeTakeFirstOrThrow()
  assert.ok(due_at && due_at > new Date(), 'the regular one comes next')
})

test('a mail whose first attempt failed is counted once', async () => {
  const to = `${newId()}@hotel.example`
  await sandbox.call('POST', '/_control', { provider: 'email', mode: '500', times: 3 })
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await send(to)).id))
  assert.is((await mailsTo(to)).length, 5)
  const attempts = await db.selectFrom('delivery_attempts').select('id').where('delivery_id', 'in', ids).execute()
  assert.is(attempts.length, 8)
})

test.run()
