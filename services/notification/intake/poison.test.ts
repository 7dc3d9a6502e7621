import { sql } from 'kysely'
import { DeadLetterService } from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { listDeadLetters } from '../../kernel/bus/dead-letters.ts'

const { test, host, db, person, workspace } = await notificationSuite('poison events')

const key = 'platform.notification.page.created'
type Body = ReturnType<typeof pageCreated> & { type: string }

/** An occurrence that the database refuses. */
const refusedOccurrence = 'refused'

/** Messages that no handler can process, and the reason for which each is dead-lettered. */
const kinds: { reason: RegExp; make: (body: Body) => string | Uint8Array; key?: string }[] = [
  {
    reason: /^Template not found: page_vanished$/,
    make: body => JSON.stringify({ ...body, type: 'page.vanished' }),
    key: 'platform.notification.page.vanished',
  },
  { reason: /^the body is not JSON$/, make: body => JSON.stringify(body).slice(1) },
  { reason: /^the body is not JSON$/, make: () => Uint8Array.of(0x22, 0xff, 0xfe, 0x22) },
  { reason: /^Not an event: the body is not an object$/, make: body => JSON.stringify([body]) },
  { reason: /^Not an event: .*channels/, make: body => JSON.stringify({ ...body, channels: ['pigeon'] }) },
  { reason: /^Not an event: .*payload/, make: ({ payload: _none, ...rest }) => JSON.stringify(rest) },
  { reason: /^Not an event: workspaceId must be/, make: body => JSON.stringify({ ...body, workspaceId: 'x' }) },
  {
    reason: /^Not an event: payload.id must have at most 255/,
    make: body => JSON.stringify({ ...body, payload: { id: 'x'.repeat(256) } }),
  },
  { reason: /^Not an event: .*type/, make: body => JSON.stringify({ ...body, type: `page.${'x'.repeat(900_000)}` }) },
  // A database refusal may be temporary, so the message is tried four times.
  { reason: /^Error: ER_SIGNAL_EXCEPTION \(1644\)$/, make: body => JSON.stringify(during(refusedOccurrence, body)) },
]

test('of 1,000 events with 100 poison ones all others are stored once, and each poison one is a dead letter with its reason', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => person()))
  await sql`
    create trigger refusing before insert on notifications for each row
      if new.occurrence_id = ${sql.lit(refusedOccurrence)} then
        signal sqlstate '45000' set message_text = 'the database is out of order';
      end if`.execute(db)
  const [ada] = people
  if (!ada) throw new Error('nobody')
  const workspaceId = await workspace(...people)
  const bodyOf = (actor: Someone): Body => ({ type: 'page.created', ...pageCreated(workspaceId, actor, people) })
  const poisons = new Map<string, RegExp>()
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, i) => {
      const id = newId()
      const kind = i % 10 === 0 ? kinds[(i / 10) % kinds.length] : undefined
      if (kind) poisons.set(id, kind.reason)
      await host.bus.publish(kind?.key ?? key, kind?.make(bodyOf(ada)) ?? JSON.stringify(bodyOf(ada)), { id })
    }),
  )
  const notificationQuery = db.selectFrom('notifications').where('workspace_id', '=', workspaceId)
  const count = async () => {
    const row = await notificationQuery.select(({ fn }) => fn.countAll().as('rows')).executeTakeFirstOrThrow()
    return Number(row.rows)
  }
  // Polls cheaply, because it shares the machine with the system under test.
  await eventually(async () => (await count()) >= 900 && (await host.bus.backlog()).dead >= 100, 120_000)

  const rows = await notificationQuery.selectAll().execute()
  assert.equal([rows.length, rows.every(row => row.receiver_count === 5 && row.socket_count === 5)], [900, true])
  const letters = await listDeadLetters(host.bus, { limit: 1_000 })
  assert.equal(letters.map(letter => letter.origin.id).toSorted(), [...poisons.keys()].toSorted())
  for (const { origin, reason, attempts, storedAt: deadLetteredAt } of letters) {
    assert.match(reason, poisons.get(origin.id) ?? /^$/)
    const isRetried = /SIGNAL/.test(reason)
    assert.is(attempts, isRetried ? 4 : 1, reason)
    if (!isRetried) continue
    const message = await host.bus.read(origin.stream, origin.sequence)
    const waited = deadLetteredAt.getTime() - (message?.storedAt.getTime() ?? 0)
    assert.ok(waited >= 7_000, `after 1, 2 and 4 s, not ${waited} ms`)
  }
  const counters = await db
    .selectFrom('member_counters')
    .select(({ fn }) => ['member_id', fn.sum('unread').as('unread')])
    .where(
      'member_id',
      'in',
      people.map(one => one.id),
    )
    .groupBy('member_id')
    .execute()
  assert.equal(
    counters.map(row => Number(row.unread)).toSorted((a, b) => a - b),
    // The author has read what they published.
    people.map((_, index) => (index === 0 ? 0 : 900)),
  )
})

test('all dead letters of one type are redriven at once when their cause is fixed, and the others stay', async () => {
  const text = { title: 'V', body: 'B', email_subject: null, email_body: null, variables: '[]', default_data: null }
  const slug = { slug: 'page_vanished', language: 'fr' as const, type: 'page', category: 'vanished' }
  await db
    .insertInto('templates')
    .values({ id: newId(), ...slug, ...text })
    .execute()
  const client = host.as(DeadLetterService, newId(), { kind: 'administrator' })
  assert.is((await client.redriveDeadLetters({ type: 'page.vanished' })).redriven, 10)
  await eventually(async () => {
    const rows = await db.selectFrom('notifications').select('id').where('category', '=', 'vanished').execute()
    return rows.length === 10
  }, 30_000)
  assert.is((await listDeadLetters(host.bus, { limit: 1_000 })).length, 90)
})

test.run()
