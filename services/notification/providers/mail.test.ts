import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest, pageCreated } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('notification mails over SMTP')
const world = await notificationsForTest({ EMAIL_PROVIDER: 'smtp' })
const { host, db, sandbox, person, workspace, publish } = world
test.after(() => world.end())

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
  await publish('page.created', pageCreated(workspaceId, ada, [ada], { channels: ['email'] }))
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
  const refused = await client.sendMail({ to: `refused-${newId()}@hotel.example`, slug: 'verify_email', variables: {} })
  const [only, ...more] = await attemptsFor(refused.id)
  assert.equal([only?.status, only?.error_code, only?.provider, more.length], ['failed', '550', 'smtp', 0])
  await sandbox.control({ provider: 'email', mode: '500', times: 1 })
  const to = `${newId()}@hotel.example`
  const { id } = await client.sendMail({ to, slug: 'verify_email', variables: {} })
  await eventually(async () => (await sandbox.call('GET', `/_inbox?to=${to}`)).json.data.length === 1)
  assert.equal((await attemptsFor(id)).map(row => row.status).toSorted(), ['failed', 'success'])
})

test.run()
