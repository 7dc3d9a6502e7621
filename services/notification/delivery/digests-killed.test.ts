import { sql } from 'kysely'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { startNotifications } from '../../../test/kit/notification/process.ts'
import { freePorts } from '../../../test/kit/platform/ports.ts'
import type { Process } from '../../../test/kit/process.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { service as news } from '../../news/service.ts'

const test = suite('digests and processes that die')
const [newsPort] = await freePorts(1)
const world = await notificationsForTest({ NEWS_RPC_PORT: String(newsPort) }, [news], false)
const { host, db, sandbox, person, workspace, join, publish, waitUntilHandled } = world
const processes: Process[] = []
test.after(async () => {
  await Promise.all(processes.map(one => one.stop()))
  await world.end()
})

const start = async (failpoint?: string) => {
  const one = await startNotifications(host.env, failpoint ? { failpoint } : {})
  processes.push(one)
  return one
}
/** The running processes may have enrolled them already, as who has chosen nothing. */
const collecting = (people: Someone[], dueDay: 'now' | 'tomorrow') =>
  sql`
    insert into digests (member_id, frequency, due_at)
    values ${sql.join(
      people.map(({ id }) => sql`(${id}, 'daily', utc_timestamp(3) + interval ${dueDay === 'now' ? 0 : 1} day)`),
    )} on duplicate key update frequency = values(frequency), due_at = values(due_at)
  `.execute(db)
const withPreferences = (people: Someone[]) =>
  sql`
    insert into preferences (member_id, category_prefs) values ${sql.join(people.map(({ id }) => sql`(${id}, '{}')`))}
  `.execute(db)
const mailsTo = async (one: Someone) => (await sandbox.call('GET', `/_inbox?to=${one.email}`)).json.data
const open = () => db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute()
const items = () => db.selectFrom('digest_items').selectAll().execute()

test('kill -9 at each step leaves every notification in exactly one digest, which is sent once', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  await withPreferences([bob])
  await collecting([bob], 'tomorrow')
  const tell = (title: string) => {
    const body = pageCreated(workspaceId, ada, [bob], { channels: ['email', 'socket'] })
    return publish('page.created', { ...body, payload: { ...body.payload, id: newId(), title } })
  }
  const ids: string[] = []
  for (const failpoint of ['notification-storing', 'notification-stored', 'consumer-handled']) {
    ids.push(await tell(`Told at ${failpoint}`))
    const dying = await start(failpoint)
    assert.is(await dying.exitStatus, 'SIGKILL', failpoint)
  }
  const first = await start()
  for (const id of ids) await waitUntilHandled(id)
  assert.is((await items()).length, ids.length)
  assert.equal(await open(), [])
  await first.stop()
  for (const failpoint of ['digests-queueing', 'digests-queued']) {
    await collecting([bob], 'now')
    const dying = await start(failpoint)
    assert.is(await dying.exitStatus, 'SIGKILL', failpoint)
    assert.is((await open()).length, failpoint === 'digests-queued' ? 1 : 0)
  }
  // Due again, by a clock that went back or a hand that changed it: nothing is left to send.
  await collecting([bob], 'now')
  const last = await start()
  await eventually(async () => (await items()).length === 0 && (await open()).length === 0, 60_000)
  await eventually(async () => {
    const row = await db.selectFrom('digests').select('due_at').where('member_id', '=', bob.id).executeTakeFirst()
    return (row?.due_at ?? new Date()) > new Date(Date.now() + 60_000)
  })
  const [mail, ...otherMails] = await mailsTo(bob)
  assert.equal([mail.subject, otherMails.length], [`Platform\u00a0: ${ids.length} nouveautés`, 0])
  for (const failpoint of ['notification-storing', 'notification-stored', 'consumer-handled'])
    assert.match(mail.text, `Told at ${failpoint}`)
  const { rows } = await sql<{ status: string }>`select status from receivers where member_id = ${bob.id}`.execute(db)
  assert.equal(
    rows.map(({ status }) => status),
    ids.map(() => 'delivered'),
  )
  await last.stop()
})

test('kill -9 at each step leaves a page in exactly one digest, also with two processes, and members are enrolled', async () => {
  const [author, reader, stranger] = [await person(), await person(), await person()]
  const workspaceId = await workspace(reader)
  await join(workspaceId, author, ['create_content', 'publish_content'])
  const story = { workspaceId, title: 'Pool', content: { blocks: [] }, status: 'published' }
  await host.as(PageService, author.userId).createPage(story)
  const pages = openDatabase<unknown>(host.databaseUrl('news'))
  await sql`update pages set published_at = published_at - interval 1 hour`.execute(pages)
  await closeDatabase(pages)
  await collecting([reader], 'tomorrow')
  await sql`update digests set news_since = utc_timestamp(3) - interval 1 day`.execute(db)
  const loadDigest = (one: Someone) =>
    db.selectFrom('digests').selectAll().where('member_id', '=', one.id).executeTakeFirst()
  for (const failpoint of ['digests-queueing', 'digests-queued']) {
    await collecting([reader], 'now')
    const dying = await start(failpoint)
    assert.is(await dying.exitStatus, 'SIGKILL', failpoint)
  }
  await collecting([reader], 'now')
  await Promise.all([start(), start()])
  await eventually(async () => (await open()).length === 0 && (await loadDigest(reader))?.due_at, 60_000)
  await eventually(async () => ((await loadDigest(reader))?.due_at ?? 0) > new Date(Date.now() + 60_000), 60_000)
  const [mail, ...otherMails] = await mailsTo(reader)
  assert.equal([mail.subject, mail.text.includes('Pool'), otherMails], ['Platform\u00a0: 1 nouveauté', true, []])
  const deliveries = await db.selectFrom('deliveries').select('id').where('member_id', '=', reader.id).execute()
  assert.is(deliveries.length, 1)
  await eventually(async () => (await loadDigest(stranger))?.frequency === 'automatic')
})

test('several processes send the digests of many members once each', async () => {
  const boss = await person()
  const people = await Promise.all(Array.from({ length: 120 }, () => person()))
  const workspaceId = await workspace(boss, ...people)
  await withPreferences(people)
  await collecting(people, 'tomorrow')
  await sql`insert into preference_changes (id, changes) values (1, 1) on duplicate key update changes = changes + 1`.execute(
    db,
  )
  const body = pageCreated(workspaceId, boss, people, { channels: ['email'] })
  await waitUntilHandled(await publish('page.created', body))
  assert.is((await items()).length, people.length)
  await start()
  await collecting(people, 'now')
  await eventually(async () => (await items()).length === 0 && (await open()).length === 0, 60_000)
  for (const one of people) assert.is((await mailsTo(one)).length, 1)
})

test.run()
