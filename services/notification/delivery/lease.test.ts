import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { silentLog } from '../../kernel/process/log.ts'
import type { Audience } from '../audience.ts'
import { sealMail } from '../mails/queued.ts'
import { success } from '../providers/outcome.ts'
import { startDeliveries } from './deliveries.ts'
import { insertDeliveries } from './sql.ts'

const test = suite('leases of deliveries')
const { db, end } = await notificationsForTest({}, [], false)
test.after(() => end())

test('a batch that lasts longer than its lease is not sent by another process', async () => {
  const mails = cipher('queued-mail', [newId().repeat(3)])
  const nobody = { people: async () => new Map(), workspacesOf: async () => new Map() }
  const sent: string[] = []
  const parts = (name: string) => ({
    db,
    audience: nobody as unknown as Audience,
    clock: { now: () => new Date() },
    mails,
    log: silentLog,
    mailLimit: { excess: async () => new Set<never>() },
    senders: {
      onesignal: async () => [],
      fcm: async () => [],
      async email(jobs: readonly unknown[]) {
        sent.push(name)
        await new Promise(resolve => setTimeout(resolve, 4_500))
        return jobs.map(() => success(name, null))
      },
    },
    retryDelays: [],
  })
  const mail = { to: 'ada@hotel.example', toName: '', slug: 'verify_email', variables: {} }
  const row = { id: newId(), notification_id: null, workspace_id: '', member_id: null, subscription_id: null }
  const delivery = { ...row, lane: 'email' as const, sealed_mail: sealMail(mails, mail), idempotency_key: null }
  await inTransaction(db, trx => insertDeliveries(trx, [delivery]))
  const workers = ['one', 'other'].map(name => startDeliveries(parts(name), 3_000))
  await eventually(async () => {
    const found = await db.selectFrom('deliveries').select('status').where('id', '=', row.id).executeTakeFirst()
    return found?.status === 'success'
  })
  await Promise.all(workers.map(each => each.stop()))
  const attempts = await db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', row.id).execute()
  assert.equal([sent.length, attempts.length], [1, 1])
})

test.run()
