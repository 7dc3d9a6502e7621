import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { WebhookService } from '../../../gen/platform/notification/v1/webhooks_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { notificationSuite, pageCreated } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { deleteExpired } from '../../kernel/database/retention.ts'
import { webhookTypes } from './intake.ts'
import { keptWebhookDeliveries } from './retention.ts'

const { test, host, db, person, workspace, join, publish } = await notificationSuite('endpoints of webhooks', {
  WEBHOOKS_TO_LOOPBACK: 'false',
})

const url = 'https://hooks.invalid/events'

async function administrator(permissions = ['manage_settings', 'view_members']) {
  const ada = await person()
  const workspaceId = await workspace()
  await join(workspaceId, ada, permissions)
  return { ada, workspaceId, webhooks: host.as(WebhookService, ada.userId) }
}

test('the secret is shown at the creation and the rotation only, and stored encrypted', async () => {
  const { workspaceId, webhooks } = await administrator()
  const { webhook } = await webhooks.createWebhook({ url, workspaceId, description: 'PMS' })
  const { id = '', secret = '' } = webhook ?? {}
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  const list = await webhooks.listWebhooks({ workspaceId })
  assert.equal(
    list.data.map(one => [one.id, one.url, one.eventTypes, one.description, one.isEnabled, one.secret]),
    [[id, url, [], 'PMS', true, undefined]],
  )
  assert.equal(list.availableEventTypes, [...webhookTypes])
  assert.is((await webhooks.getWebhook({ id })).webhook?.secret, undefined)
  const loadSecrets = () =>
    db
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret'])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
  const keys = cipher('webhook-secret', [String(host.env['PASSWORD_ENCRYPTION_KEY'])])
  assert.is(keys.open((await loadSecrets()).secret), secret)
  const rotated = (await webhooks.rotateWebhookSecret({ id })).webhook
  const { secret: current, previous_secret: previous } = await loadSecrets()
  assert.equal([keys.open(current), keys.open(previous ?? '')], [rotated?.secret, secret])
})

test('types, limits and addresses are checked, and refusals change nothing', async () => {
  const { workspaceId, webhooks } = await administrator()
  const infoOf = async (call: Promise<unknown>) => (await refusal(call)).info
  const create = (fields: object) => infoOf(webhooks.createWebhook({ url, workspaceId, ...fields }))
  for (const type of ['page.reminded', 'message.direct', 'comment.created', 'page.unknown'])
    assert.is((await create({ eventTypes: ['page.created', type] })).violations?.[0]?.path, 'eventTypes[1]', type)
  for (const bad of ['https://127.0.0.1/', 'https://a:b@hooks.invalid/', 'https://hooks.invalid:25/', 'nothing'])
    assert.is((await create({ url: bad })).violations?.[0]?.path, 'url', bad)
  const createdIds = await Promise.all(
    Array.from({ length: 12 }, () =>
      webhooks.createWebhook({ url, workspaceId }).then(
        ({ webhook }) => webhook?.id,
        () => undefined,
      ),
    ),
  )
  assert.is(createdIds.filter(Boolean).length, 10)
  assert.is((await create({})).status, 409)
  const id = createdIds.find(Boolean) ?? ''
  const update = (values: object, ...paths: string[]) =>
    webhooks.updateWebhook({ id, ...values, updateMask: { paths } })
  assert.is((await infoOf(update({ url: 'https://[::1]/' }, 'url'))).status, 400)
  assert.is((await infoOf(update({ eventTypes: ['socket.x'] }, 'event_types'))).status, 400)
  assert.is((await infoOf(update({}, 'url'))).status, 400)
  assert.is((await infoOf(update({}, 'is_enabled'))).status, 400)
  await update({ isEnabled: false }, 'is_enabled')
  assert.is((await infoOf(webhooks.testWebhook({ id }))).status, 409)
  assert.equal((await webhooks.getWebhook({ id })).webhook?.url, url)
  await webhooks.deleteWebhook({ id })
  assert.is((await infoOf(webhooks.getWebhook({ id }))).status, 404)
})

test('who may not see members gets no webhooks, whose deliveries tell of them', async () => {
  const { workspaceId, webhooks } = await administrator(['manage_settings'])
  const calls = [webhooks.createWebhook({ url, workspaceId }), webhooks.listWebhooks({ workspaceId })]
  for (const call of calls) assert.is((await refusal(call)).info.permission, 'view_members')
})

test('without manage_settings every call is refused, and a stranger finds nothing', async () => {
  const { workspaceId, webhooks } = await administrator()
  const { webhook } = await webhooks.createWebhook({ url, workspaceId })
  const { delivery } = await webhooks.testWebhook({ id: webhook?.id ?? '' })
  const [id, deliveryId] = [webhook?.id ?? '', delivery?.id ?? '']
  const ben = await person()
  await join(workspaceId, ben, ['view_members'])
  for (const [userId, status] of [
    [ben.userId, 403],
    [(await administrator()).ada.userId, 404],
  ] as const) {
    const calls = host.as(WebhookService, userId)
    for (const call of [
      () => calls.getWebhook({ id }),
      () => calls.updateWebhook({ id, url, updateMask: { paths: ['url'] } }),
      () => calls.deleteWebhook({ id }),
      () => calls.rotateWebhookSecret({ id }),
      () => calls.testWebhook({ id }),
      () => calls.listWebhookDeliveries({ id }),
      () => calls.resendWebhookDelivery({ id, deliveryId }),
    ])
      assert.is((await refusal(call())).info.status, status)
    for (const call of [() => calls.createWebhook({ url, workspaceId }), () => calls.listWebhooks({ workspaceId })])
      assert.is((await refusal(call())).info.status, 403)
  }
  const other = await webhooks.createWebhook({ url, workspaceId })
  const resent = webhooks.resendWebhookDelivery({ id: other.webhook?.id ?? '', deliveryId })
  assert.is((await refusal(resent)).info.status, 404)
})

test('deliveries are listed newest first, by status and page', async () => {
  const { workspaceId, webhooks } = await administrator()
  const id = (await webhooks.createWebhook({ url, workspaceId })).webhook?.id ?? ''
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.unshift((await webhooks.testWebhook({ id })).delivery?.id ?? '')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  const page = await webhooks.listWebhookDeliveries({ id, limit: 2, page: 2 })
  assert.equal([page.data.map(one => one.id), page.meta?.total], [ids.slice(2), 3])
  const first = await webhooks.listWebhookDeliveries({ id, limit: 2 })
  await webhooks.testWebhook({ id })
  const rest = await webhooks.listWebhookDeliveries({ id, limit: 2, cursor: first.meta?.nextCursor ?? '' })
  assert.equal([rest.data.map(one => one.id), rest.meta?.nextCursor], [ids.slice(2), undefined])
  assert.equal(
    (await webhooks.listWebhookDeliveries({ id, status: 'pending' })).data.slice(1).map(one => one.id),
    ids,
  )
  assert.equal((await webhooks.listWebhookDeliveries({ id, status: 'delivered' })).data, [])
  await db.updateTable('webhook_deliveries').set({ due_at: null }).where('webhook_id', '=', id).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ id: newId(Date.now() - 31 * 86_400_000) })
    .where('webhook_id', '=', id)
    .where('id', '=', ids[0] ?? '')
    .execute()
  await deleteExpired(db, [keptWebhookDeliveries(db, 30)])
  assert.is((await webhooks.listWebhookDeliveries({ id })).meta?.total, 3)
  await webhooks.deleteWebhook({ id })
  const rows = await db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id).execute()
  assert.equal(rows, [])
})

test('changes are recorded in the outbox for the audit log, without secrets or queries', async () => {
  const { workspaceId, webhooks } = await administrator()
  const { webhook } = await webhooks.createWebhook({ url: `${url}?token=abc`, workspaceId })
  const { id = '', secret = '' } = webhook ?? {}
  await webhooks.updateWebhook({ id, description: 'HR', updateMask: { paths: ['description'] } })
  await webhooks.rotateWebhookSecret({ id })
  await webhooks.deleteWebhook({ id })
  const rows = await outbox(workspaceId)
  assert.equal(rows.map(({ payload }) => payload['action']).toSorted(), [
    'webhook.created',
    'webhook.deleted',
    'webhook.secret_rotated',
    'webhook.updated',
  ])
  const text = JSON.stringify(rows)
  assert.not.match(text, secret)
  assert.not.match(text, 'token=abc')
})

type Recorded = { workspaceId: string; payload: Record<string, unknown> }
async function outbox(workspaceId: string): Promise<Recorded[]> {
  const { rows } = await sql<{ body: string }>`select body from outbox`.execute(db)
  return rows.map(({ body }) => JSON.parse(body) as Recorded).filter(one => one.workspaceId === workspaceId)
}

test('a name that resolves into the internal network is never called', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls++
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { ada, workspaceId, webhooks } = await administrator()
  const creation = await webhooks.createWebhook({ url: `http://localhost:${port}/`, workspaceId })
  await publish('page.created', pageCreated(workspaceId, ada, []))
  const delivery = await eventually(async () => {
    const [one] = (await webhooks.listWebhookDeliveries({ id: creation.webhook?.id ?? '' })).data
    return one?.error ? one : undefined
  })
  assert.equal([delivery.errorCode, delivery.status, calls], ['address_not_public', 'pending', 0])
  await new Promise(resolve => server.close(resolve))
})

test.run()
