import { sql } from 'kysely'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { during, notificationsForTest, pageCreated } from '../../../test/kit/notification/notification.ts'
import { startNotifications } from '../../../test/kit/notification/process.ts'
import { startReceiver, verify } from '../../../test/kit/notification/receiver.ts'
import type { Process } from '../../../test/kit/process.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'

const test = suite('webhooks and processes that die')
const { host, db, sandbox, members, person, workspace, join, publish, end } = await notificationsForTest({}, [], false)
const receiver = await startReceiver()
const processes: Process[] = []
test.after(async () => {
  await Promise.all(processes.map(one => one.stop()))
  await receiver.close()
  await end()
})

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const ada = await person({ language: 'en' })
const workspaceId = await workspace()
await join(workspaceId, ada)
await sql`update workspace_members set workspace_role = 'admin' where member_id = ${ada.id}`.execute(members)
const webhookId = newId()
await db
  .insertInto('webhooks')
  .values({
    id: webhookId,
    workspace_id: workspaceId,
    url: receiver.url,
    event_types: '[]',
    secret: cipher('webhook-secret', [String(host.env['PASSWORD_ENCRYPTION_KEY'])]).seal(secret),
    created_at: new Date(),
  })
  .execute()

const start = async (failpoint?: string) => {
  const one = await startNotifications(host.env, failpoint ? { failpoint } : {})
  processes.push(one)
  return one
}
const emit = () => publish('page.created', during(newId(), pageCreated(workspaceId, ada, [])))
const rows = () => db.selectFrom('webhook_deliveries').selectAll().execute()
const endLeases = () =>
  sql`update webhook_deliveries set due_at = utc_timestamp(3) where status = 'pending'`.execute(db)
const delivered = (count: number) =>
  eventually(async () => {
    const all = await rows()
    return all.length === count && all.every(({ status }) => status === 'delivered')
  }, 60_000)

test('kill -9 at each step leaves one delivery of each event, which is sent, and sent again under its id at most', async () => {
  const failpoints = ['webhook-queueing', 'webhook-queued', 'webhook-claimed', 'webhook-called', 'webhook-settled']
  for (const failpoint of failpoints) {
    await emit()
    const dying = await start(failpoint)
    assert.is(await dying.exitStatus, 'SIGKILL', failpoint)
    await endLeases()
  }
  await start()
  await delivered(failpoints.length)
  const ids = new Set(receiver.ids())
  assert.equal([...ids].toSorted(), (await rows()).map(({ id }) => id).toSorted())
  for (const message of receiver.messages) assert.is(verify(secret, message).type, 'page.created')
})

test('two processes send each delivery once', async () => {
  await start()
  const before = receiver.messages.length
  for (let i = 0; i < 60; i++) await emit()
  await delivered(65)
  assert.equal([receiver.messages.length - before, new Set(receiver.ids()).size], [60, 65])
})

test('an endpoint that is disabled has its mail enqueued, or is disabled again after a kill -9', async () => {
  await Promise.all(processes.splice(0).map(one => one.stop()))
  receiver.answer = (_, response) => void response.writeHead(410).end()
  await emit()
  const dying = await start('webhook-disabling')
  assert.is(await dying.exitStatus, 'SIGKILL')
  const isEnabled = async () =>
    (await db.selectFrom('webhooks').select('is_enabled').executeTakeFirstOrThrow()).is_enabled
  assert.is(await isEnabled(), 1)
  await endLeases()
  await start()
  await eventually(async () => (await isEnabled()) === 0, 60_000)
  const mails = async () => (await sandbox.call('GET', `/_inbox?to=${ada.email}`)).json.data
  await eventually(async () => (await mails()).length > 0, 60_000)
  assert.is((await mails()).length, 1)
})

test.run()
