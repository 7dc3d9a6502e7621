import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { author, notificationSuite, pageCreated } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { insertDeliveries } from '../delivery/sql.ts'
import { sealMail } from '../mails/queued.ts'

const { test, host, db, sandbox, person, workspace, publish } = await notificationSuite(
  'notification mails over SMTP',
  { EMAIL_PROVIDER: 'smtp' },
)

const attemptsFor = (deliveryId: string) =>
  eventually(async () => {
    const delivery = await db.selectFrom('deliveries').select('status').where('id', '=', deliveryId).executeTakeFirst()
    if (delivery?.status === 'pending') return undefined
    const rows = await db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', deliveryId).execute()
    return rows.length > 0 ? rows : undefined
  })

test('a mail is sent with HTML and text, and a receiver’s name adds no header', async () => {
  const ada = await person({ firstName: 'Ada\r\nBcc: all@hotel.example' })
  const workspaceId = await workspace(ada)
  await publish('page.created', pageCreated(workspaceId, author(ada.name), [ada], { channels: ['email'] }))
  const { json } = await sandbox.call('GET', `/_inbox?to=${ada.email}&wait=25000`)
  const [mail] = json.data
  assert.is(mail.via, 'smtp')
  assert.equal(mail.to, [ada.email])
  assert.match(mail.subject, /^Ada Bcc: all@hotel\.example Martin a publié «\u00a0Menu of the day\u00a0»$/)
  assert.match(mail.html, '<h1')
  assert.match(mail.text, 'Une nouvelle page')
  assert.match(
    mail.headers['list-unsubscribe'],
    /^<http:\/\/127\.0\.0\.1:3005\/api\/v1\/preferences\/unsubscribe\/[\w.-]+>$/,
  )
  assert.is(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
})

test('a permanently refused receiver is tried once, and a temporary failure is retried', async () => {
  const client = host.client(MailService)
  const refusedMail = await client.sendMail({
    to: `refused-${newId()}@hotel.example`,
    slug: 'verify_email',
    variables: {},
  })
  const [only, ...otherAttempts] = await attemptsFor(refusedMail.id)
  assert.equal([only?.status, only?.error_code, only?.provider, otherAttempts.length], ['failed', '550', 'smtp', 0])
  // An erasure couldn't find the address of somebody who is no member.
  assert.is(only?.error, '550 5.1.1 <the receiver>: no such user')
  await sandbox.control({ provider: 'email', mode: '500', times: 1 })
  const to = `${newId()}@hotel.example`
  const { id } = await client.sendMail({ to, slug: 'verify_email', variables: {} })
  await eventually(async () => (await sandbox.call('GET', `/_inbox?to=${to}`)).json.data.length === 1)
  assert.equal((await attemptsFor(id)).map(row => row.status).toSorted(), ['failed', 'success'])
})

test('of several mails due together, one that cannot be composed fails alone and the others are sent once', async () => {
  const [ada, bob] = [await person(), await person()]
  const [brokenWorkspace, fineWorkspace] = [await workspace(ada), await workspace(bob)]
  const [one, other] = [[brokenWorkspace, ada] as const, [fineWorkspace, bob] as const]
  for (const [workspaceId, to] of [one, other])
    await publish('page.created', pageCreated(workspaceId, author(to.name), [to], { channels: ['email'] }))
  const ids = await eventually(async () => {
    const rows = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', 'in', [brokenWorkspace, fineWorkspace])
      .execute()
    return rows.length === 2 && rows.every(row => row.status === 'success') ? rows.map(row => row.id) : undefined
  })
  await db.updateTable('notifications').set({ data: '{' }).where('workspace_id', '=', brokenWorkspace).execute()
  const pendingFields = { status: 'pending' as const, attempts: 0, due_at: new Date(0) }
  await db.updateTable('deliveries').set(pendingFields).where('id', 'in', ids).execute()
  const triesOf = async (memberId: string) => {
    const rows = await db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', memberId).execute()
    return rows.map(row => row.status).toSorted()
  }
  await eventually(async () => (await triesOf(ada.id)).length === 5)
  assert.equal(await triesOf(ada.id), [...Array(4).fill('failed'), 'success'])
  assert.equal(await triesOf(bob.id), ['success', 'success'])
  assert.is((await sandbox.call('GET', `/_inbox?to=${bob.email}`)).json.data.length, 2)
})

test('a queued mail of an unknown shape fails without delaying the others', async () => {
  const box = cipher('queued-mail', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const sealedMail = sealMail(box, { to: 'ada@hotel.example', subject: 'Essai' } as never)
  const queued = {
    notification_id: null,
    workspace_id: '',
    member_id: null,
    lane: 'email' as const,
    subscription_id: null,
  }
  const id = newId()
  await inTransaction(db, trx =>
    insertDeliveries(trx, [{ ...queued, id, sealed_mail: sealedMail, idempotency_key: null }]),
  )
  const to = `${newId()}@hotel.example`
  const next = await host.client(MailService).sendMail({ to, slug: 'verify_email', variables: {} })
  assert.equal(
    (await attemptsFor(next.id)).map(row => row.status),
    ['success'],
  )
  assert.equal(
    (await attemptsFor(id)).map(row => row.status),
    ['failed'],
  )
})

test.run()
