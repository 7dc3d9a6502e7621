import { setTimeout as sleep } from 'node:timers/promises'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest } from '../../../test/kit/notification/notification.ts'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { silentLog } from '../../kernel/process/log.ts'
import type { MemberAudience } from '../audience.ts'
import { sealMail } from '../mails/queued.ts'
import { failure, success } from '../providers/outcome.ts'
import { type Deliveries, type DeliveryParts, startDeliveries } from './deliveries.ts'
import { insertDeliveries } from './sql.ts'

const test = suite('leases of deliveries')
const { db, end } = await notificationsForTest({}, [], false)
test.after(() => end())

const nobody = { people: async () => new Map(), workspacesOf: async () => new Map() }
const mails = cipher('queued-mail', [newId().repeat(3)])
const mail = { to: 'ada@hotel.example', toName: '', slug: 'verify_email', variables: {} }

/** A worker's parts with this sender of mails. */
const parts = (email: DeliveryParts['senders']['email']): DeliveryParts => ({
  db,
  audience: nobody as unknown as MemberAudience,
  clock: { now: () => new Date() },
  mails,
  rights: { ofMember: async () => undefined },
  readNews: async () => new Map(),
  pendingReaders: async (_, memberIds) => new Set(memberIds),
  log: silentLog,
  mailLimit: { countJobs: async () => new Map<never, never>() },
  senders: { onesignal: async () => [], fcm: async () => [], webpush: async () => [], email },
  retryDelays: [20],
  pollMs: 1_000,
})

async function enqueue(): Promise<string> {
  const id = newId()
  const row = { id, notification_id: null, workspace_id: '', member_id: null, subscription_id: null }
  const delivery = { ...row, lane: 'email' as const, sealed_mail: sealMail(mails, mail), idempotency_key: null }
  await inTransaction(db, trx => insertDeliveries(trx, [delivery]))
  return id
}

const deliveryOf = (id: string) =>
  db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const succeeded = (id: string) => eventually(async () => (await deliveryOf(id)).status === 'success')
const attemptsOf = (id: string) =>
  db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', id).orderBy('attempt_number').execute()

test('a batch that lasts longer than its lease is not sent by another process', async () => {
  const senders: string[] = []
  const slow = (name: string) =>
    parts(async jobs => {
      senders.push(name)
      await sleep(4_500)
      return jobs.map(() => success(name, null))
    })
  const id = await enqueue()
  const workers = ['one', 'other'].map(name => startDeliveries(slow(name), 3_000))
  await succeeded(id)
  await Promise.all(workers.map(each => each.stop()))
  assert.equal([senders.length, (await attemptsOf(id)).length], [1, 1])
})

test('a process that was paused beyond its lease changes nothing of a delivery that another has settled', async () => {
  const senders: string[] = []
  const id = await enqueue()
  let other: Deliveries | undefined
  const paused = startDeliveries(
    parts(async jobs => {
      senders.push('paused')
      // As after a pause: the lease has run out, and another process claims the delivery.
      await db
        .updateTable('deliveries')
        .set({ due_at: new Date(0) })
        .where('id', '=', id)
        .execute()
      other = startDeliveries(
        parts(async otherJobs => {
          senders.push('other')
          return otherJobs.map(() => success('other', null))
        }),
      )
      await succeeded(id)
      // Longer than a renewal of the lease takes to come.
      await sleep(1_500)
      return jobs.map(() => failure('email', 'Timeout'))
    }),
    3_000,
  )
  await eventually(() => senders.includes('other'))
  await paused.stop()
  await other?.stop()
  const { status, due_at } = await deliveryOf(id)
  assert.equal([senders, status, due_at], [['paused', 'other'], 'success', null])
  assert.equal(
    (await attemptsOf(id)).map(each => [each.attempt_number, each.status]),
    [
      [1, 'failed'],
      [2, 'success'],
    ],
  )
})

test('an outage of what a mail needs uses up none of its attempts', async () => {
  let lookups = 0
  const people = async () => {
    if (++lookups <= 6) throw new ServiceUnavailableError()
    return new Map()
  }
  const working = parts(async jobs => jobs.map(() => success('email', null)))
  const id = await enqueue()
  const worker = startDeliveries({
    ...working,
    audience: { ...nobody, people } as unknown as MemberAudience,
    pollMs: 20,
  })
  await succeeded(id)
  await worker.stop()
  assert.equal(
    (await attemptsOf(id)).map(({ attempt_number, status }) => [attempt_number, status]),
    [[1, 'success']],
  )
})

test.run()
