import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { WebhookService } from '../../../gen/platform/notification/v1/webhooks_pb.ts'
import { assert, eventually, isRefused } from '../../../test/kit/kit.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { startReceiver, verify } from '../../../test/kit/notification/receiver.ts'
import { freePorts } from '../../../test/kit/platform/ports.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, host, db, sandbox, members, person, workspace, join, change, publish } =
  await notificationSuite('deliveries to webhooks')

const receivers: { close(): Promise<void> }[] = []
test.after(async () => {
  for (const one of receivers) await one.close()
})
const receive = async (...[answer]: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(answer)
  receivers.push(receiver)
  return receiver
}

/** An administrator of a new workspace with a receiver and an endpoint for it. */
async function setUp(...[answer]: Parameters<typeof startReceiver>) {
  const receiver = await receive(answer)
  const ada = await person({ language: 'en' })
  const workspaceId = await workspace()
  await join(workspaceId, ada, ['manage_settings', 'view_members'])
  const webhooks = host.as(WebhookService, ada.userId)
  const { webhook } = await webhooks.createWebhook({ url: receiver.url, workspaceId })
  const { id = '', secret = '' } = webhook ?? {}
  const deliveries = async () => (await webhooks.listWebhookDeliveries({ id })).data
  return { receiver, ada, workspaceId, webhooks, id, secret, deliveries }
}
type Scene = Awaited<ReturnType<typeof setUp>>

const emit = (workspaceId: string, ada: Someone, overrides: Record<string, unknown> = {}) =>
  publish('page.created', pageCreated(workspaceId, ada, [], overrides))
/** The only delivery once this attempt has its result. */
const attempted = ({ deliveries }: Pick<Scene, 'deliveries'>, attempts: number) =>
  eventually(async () => {
    const [delivery] = await deliveries()
    const isPending = delivery?.status === 'pending' && delivery.error === undefined
    return delivery?.attempts === attempts && !isPending ? delivery : undefined
  })
const makeDue = (id: string) =>
  sql`update webhook_deliveries set due_at = utc_timestamp(3) where webhook_id = ${id} and due_at is not null`.execute(
    db,
  )

test('an event is sent once, signed, with the payload and where and by whom it happened', async () => {
  const scene = await setUp()
  const { receiver, ada, workspaceId, secret, deliveries } = scene
  const body = during(newId(), pageCreated(workspaceId, ada, []))
  // Two messages of one occurrence, as for sockets and for pushes.
  await publish('page.created', body)
  await publish('page.created', body)
  const other = await setUp()
  await emit(other.workspaceId, ada)
  await attempted(scene, 1)
  await attempted(other, 1)
  const [message, ...otherMessages] = receiver.messages
  if (!message) throw new Error('nothing received')
  assert.equal(otherMessages, [])
  const { type, timestamp, data } = verify(secret, message)
  assert.equal(
    [type, timestamp, data],
    [
      'page.created',
      body.metadata.timestamp,
      { ...body.payload, workspaceId, ecosystemId: null, actor: { id: ada.id, name: ada.name, type: 'member' } },
    ],
  )
  const [delivery] = await deliveries()
  assert.equal(
    [delivery?.id, delivery?.status, delivery?.responseStatus, delivery?.body],
    [message.headers['webhook-id'], 'delivered', 204, message.body],
  )
  assert.throws(() => verify(other.secret, message))
})

test('endpoints get the types that they take, and never what only editors or single members may see', async () => {
  const { receiver, ada, workspaceId, webhooks, id } = await setUp()
  await webhooks.updateWebhook({ id, eventTypes: ['page.updated'], updateMask: { paths: ['event_types'] } })
  const all = await receive()
  await webhooks.createWebhook({ url: all.url, workspaceId })
  const publishUpdate = (editorsOnly: boolean) => {
    const body = pageCreated(workspaceId, ada, [])
    return publish('page.updated', { ...body, payload: { ...body.payload, changes: {}, editorsOnly } })
  }
  for (const type of ['page.reminded', 'page.mentioned', 'comment.created', 'member.onboarding'])
    await publish(type, pageCreated(workspaceId, ada, []))
  await publishUpdate(true)
  await emit(workspaceId, ada)
  await publishUpdate(false)
  await eventually(() => receiver.messages.length > 0 && all.messages.length > 1)
  const typesAt = (target: typeof receiver) => target.messages.map(({ body }) => JSON.parse(body).type).toSorted()
  assert.equal([typesAt(receiver), typesAt(all)], [['page.updated'], ['page.created', 'page.updated']])
})

test('failures are retried on schedule under one id, redirects fail, and Retry-After is honoured', async () => {
  const answers: [number, Record<string, string>][] = [
    [500, {}],
    [302, { location: 'http://127.0.0.1:1/' }],
    [429, { 'retry-after': '7200' }],
    [503, { 'retry-after': '999999' }],
    [200, {}],
  ]
  const scene = await setUp((_, response) => {
    const [status, headers] = answers.shift() ?? [200, {}]
    response.writeHead(status, headers).end('Not\nnow')
  })
  const { receiver, ada, workspaceId, id } = scene
  await emit(workspaceId, ada)
  const waits = []
  for (const attempt of [1, 2, 3, 4]) {
    const delivery = await attempted(scene, attempt)
    const wait = Number(delivery.nextAttemptAt?.seconds ?? 0) - Number(delivery.attemptedAt?.seconds ?? 0)
    waits.push([delivery.status, delivery.responseStatus, delivery.responseBody, Math.round(wait / 5) * 5])
    await makeDue(id)
  }
  assert.equal(waits, [
    ['pending', 500, 'Not now', 5],
    ['pending', 302, 'Not now', 300],
    ['pending', 429, 'Not now', 7_200],
    ['pending', 503, 'Not now', 36_000],
  ])
  assert.is((await attempted(scene, 5)).status, 'delivered')
  assert.equal([receiver.messages.length, new Set(receiver.ids()).size], [5, 1])
})

test('after eight attempts a delivery has failed, and can be sent again', async () => {
  let status = 500
  const scene = await setUp((_, response) => void response.writeHead(status).end())
  const { ada, workspaceId, webhooks, id, receiver } = scene
  await emit(workspaceId, ada)
  for (let attempt = 1; attempt < 8; attempt++) {
    await attempted(scene, attempt)
    await makeDue(id)
  }
  const failedDelivery = await attempted(scene, 8)
  const { status: state, error, errorCode, nextAttemptAt } = failedDelivery
  assert.equal([state, error, errorCode, nextAttemptAt], ['failed', 'Answered 500', 'status', undefined])
  status = 200
  const { delivery } = await webhooks.resendWebhookDelivery({ id, deliveryId: failedDelivery.id })
  assert.is(delivery?.status, 'pending')
  const delivered = await attempted(scene, 1)
  assert.equal([delivered.status, delivered.error, delivered.errorCode], ['delivered', undefined, undefined])
  assert.is(new Set(receiver.ids()).size, 1)
})

test('while a secret is rotated both sign and no other rotation begins, and after a day only the new one signs', async () => {
  const { receiver, webhooks, id, secret } = await setUp()
  const { webhook } = await webhooks.rotateWebhookSecret({ id })
  const newSecret = webhook?.secret ?? ''
  assert.not.equal(newSecret, secret)
  assert.ok(webhook?.previousSecretUntil)
  await webhooks.testWebhook({ id })
  const [message] = await eventually(() => (receiver.messages.length === 1 ? receiver.messages : undefined))
  if (!message) throw new Error('nothing received')
  for (const each of [secret, newSecret]) assert.is(verify(each, message).type, 'webhook.test')
  await isRefused(webhooks.rotateWebhookSecret({ id }), 409)
  await sql`update webhooks set previous_secret_until = utc_timestamp(3) where id = ${id}`.execute(db)
  await webhooks.testWebhook({ id })
  const [, later] = await eventually(() => (receiver.messages.length === 2 ? receiver.messages : undefined))
  if (!later) throw new Error('nothing received')
  verify(newSecret, later)
  assert.throws(() => verify(secret, later))
  await webhooks.rotateWebhookSecret({ id })
})

test('an endpoint that is gone, or has failed for five days, is disabled with a mail to the administrators', async () => {
  for (const reason of ['gone', 'failing'] as const) {
    const scene = await setUp((_, response) => void response.writeHead(reason === 'gone' ? 410 : 500).end())
    const { ada, workspaceId, webhooks, id } = scene
    const claire = await person({ language: 'fr' })
    await join(workspaceId, claire)
    await change(workspaceId, ada, "workspace_role = 'admin'")
    await change(workspaceId, claire, 'is_admin = 1')
    if (reason === 'failing') {
      await emit(workspaceId, ada)
      await attempted(scene, 1)
      assert.ok((await webhooks.getWebhook({ id })).webhook?.isEnabled)
      await sql`
        update webhooks set failing_since = failing_since - interval 5 day where id = ${id}`.execute(db)
      await makeDue(id)
      await attempted(scene, 2)
      assert.ok((await webhooks.getWebhook({ id })).webhook?.isEnabled, 'another attempt follows')
      await sql`update webhook_deliveries set attempts = 7 where webhook_id = ${id}`.execute(db)
      await makeDue(id)
    } else await emit(workspaceId, ada)
    const webhook = await eventually(async () => {
      const { webhook } = await webhooks.getWebhook({ id })
      return webhook?.isEnabled === false ? webhook : undefined
    })
    assert.equal([webhook.disabledReason, !webhook.disabledAt], [reason, false])
    const mailTo = ({ email }: Someone) =>
      eventually(async () => (await sandbox.call('GET', `/_inbox?to=${email}`)).json.data[0])
    const { text } = await mailTo(ada)
    assert.match(text, reason === 'gone' ? 'no longer exists (410)' : 'failed for five days')
    assert.match(text, '/hotel/webhooks')
    assert.match((await mailTo(claire)).subject, 'a été désactivé')
    await emit(workspaceId, ada)
    await eventually(async () => (await scene.deliveries()).every(({ status }) => status === 'failed'))
    const reactivation = await webhooks.updateWebhook({ id, isEnabled: true, updateMask: { paths: ['is_enabled'] } })
    const { isEnabled, disabledReason, disabledAt, failingSince } = reactivation.webhook ?? {}
    assert.equal([isEnabled, disabledReason, disabledAt, failingSince], [true, undefined, undefined, undefined])
  }
})

test('a late 410 of a former address leaves the endpoint with its new address enabled', async () => {
  let answerLate = () => {}
  const scene = await setUp((_, response) => void (answerLate = () => response.writeHead(410).end()))
  const { receiver, ada, workspaceId, webhooks, id } = scene
  await emit(workspaceId, ada)
  await eventually(() => receiver.messages.length === 1)
  const { url } = await receive()
  await webhooks.updateWebhook({ id, url, updateMask: { paths: ['url'] } })
  answerLate()
  await attempted(scene, 1)
  const { webhook } = await webhooks.getWebhook({ id })
  assert.equal([webhook?.url, webhook?.isEnabled, webhook?.failingSince], [url, true, undefined])
})

test('a slow endpoint delays no other', async () => {
  const slow = await setUp(() => undefined)
  for (let i = 0; i < 12; i++) await slow.webhooks.testWebhook({ id: slow.id })
  await eventually(() => slow.receiver.messages.length === 4)
  const quick = await setUp()
  const startedAt = Date.now()
  await emit(quick.workspaceId, quick.ada)
  await attempted(quick, 1)
  assert.ok(Date.now() - startedAt < 10_000, 'the quick one waited for the slow one')
  assert.is(slow.receiver.messages.length, 4)
})

test('an endless answer counts by its status, and is read to its limit only', async () => {
  const scene = await setUp((_, response) => {
    response.writeHead(200)
    const part = `${'é'.repeat(30_000)}\n`
    const write = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', write).on('error', () => undefined)
    write()
  })
  await emit(scene.workspaceId, scene.ada)
  const { status, responseBody } = await attempted(scene, 1)
  assert.equal([status, responseBody], ['delivered', 'é'.repeat(1_000)])
})

test('an endpoint that answers with another protocol has failed', async () => {
  const upgrader = createServer(socket => {
    socket.on('error', () => undefined)
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>(resolve => upgrader.listen(0, '127.0.0.1', resolve))
  const scene = await setUp()
  const { ada, workspaceId, webhooks, id } = scene
  const url = `http://127.0.0.1:${(upgrader.address() as AddressInfo).port}/`
  await webhooks.updateWebhook({ id, url, updateMask: { paths: ['url'] } })
  await emit(workspaceId, ada)
  const { status, errorCode, error } = await attempted(scene, 1)
  assert.equal([status, errorCode, error], ['pending', 'connection_failed', 'No connection: interrupted'])
  upgrader.close()
})

test('a closed hotel gets nothing', async () => {
  const scene = await setUp((_, response) => void response.writeHead(500).end())
  const { workspaceId, ada, id, receiver } = scene
  await emit(workspaceId, ada)
  await attempted(scene, 1)
  await sql`update workspaces set closed_at = now(3) where id = ${workspaceId}`.execute(members)
  host.bus.publishCore('internal.rights-changed', '{}')
  await new Promise(resolve => setTimeout(resolve, 1_000))
  await makeDue(id)
  const row = await eventually(() =>
    db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', id)
      .where('status', '=', 'failed')
      .executeTakeFirst(),
  )
  assert.equal([row.error, row.error_code], ['The hotel is closed', 'hotel_closed'])
  await eventually(async () => {
    const webhook = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
    return webhook?.failing_since === null
  })
  await emit(workspaceId, ada)
  const last = await setUp()
  await emit(last.workspaceId, last.ada)
  await attempted(last, 1)
  assert.is(receiver.messages.length, 1)
})

test('the receiver of the guide verifies what it gets', async () => {
  const [port = 0] = await freePorts(1)
  const { ada, workspaceId, webhooks } = await setUp()
  const { webhook } = await webhooks.createWebhook({ url: `http://127.0.0.1:${port}/`, workspaceId })
  const guide = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const [, sample = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  const env = { ...process.env, WEBHOOK_SECRET: webhook?.secret }
  const program = sample.replace(/listen\(\d+/, `listen(${port}`)
  const guided = spawn(process.execPath, ['--input-type=module', '-e', program], { env })
  let output = ''
  guided.stdout.on('data', text => (output += text))
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status === 400,
      () => false,
    ),
  )
  const body = pageCreated(workspaceId, ada, [])
  await publish('page.created', body)
  await eventually(() => output.endsWith(`page.created ${body.payload.id}\n`))
  guided.kill()
})

test('an erased person is in no stored delivery', async () => {
  const { workspaceId, deliveries } = await setUp()
  const ben = await person()
  await emit(workspaceId, ben)
  await attempted({ deliveries }, 1)
  const erased = { type: 'member.erased', workspaceId: '', payload: { id: ben.id, memberId: ben.id, userIds: [] } }
  await host.bus.publish('platform.member.erased', JSON.stringify(erased), { id: newId() })
  await eventually(async () => (await deliveries()).length === 0)
})

test.run()
