import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { CredentialService } from '../../gen/platform/auth/v1/credentials_pb.ts'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { startConsumer } from '../../services/kernel/bus/consume.ts'
import { listDeadLetters } from '../../services/kernel/bus/dead-letters.ts'
import { openDatabase } from '../../services/kernel/database/database.ts'
import { setErrorSink } from '../../services/kernel/process/error-reports.ts'
import { errorTracker } from '../../services/kernel/process/error-tracker.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { assert, eventually, refusal, startTestHost, suite } from '../kit/kit.ts'
import { openWorld, someAddress } from '../kit/member.ts'
import { sandboxForTest } from '../kit/sandbox.ts'
import { testPool } from '../kit/sql.ts'

/** Failing statements in running services, and what error logs and events contain of them. */
const test = suite('failing statements')
let logged = ''
const stream = new Writable({
  write(part: Buffer, _encoding, callback) {
    logged += part.toString()
    callback()
  },
})
const log = createLog('test', 'trace', stream)
const sandbox = await sandboxForTest()
const host = await startTestHost([auth, member, news], {}, { log })
const world = await openWorld(host)
const tracker = errorTracker(
  sandbox.url.replace('://', '://abc@').concat('/errors/7'),
  { service: 'test', environment: 'test', release: '1' },
  log,
)
setErrorSink(tracker.take)
test.after(async () => {
  setErrorSink(undefined)
  await host.end()
  await sandbox.close()
})

const canary = 'Canary7f3a'

async function tracked(): Promise<string> {
  await tracker.flush(10_000)
  return JSON.stringify((await sandbox.call('GET', '/_requests?provider=errors')).json.data)
}

/** Makes a column too short for its values. */
async function shorten(service: string, table: string, column: string): Promise<void> {
  const pool = testPool(host.databaseUrl(service))
  await pool.query(`alter table ${table} modify ${column} varchar(2) null`)
  await pool.end()
}

/** A platform administrator with an account. */
async function accountHolder(): Promise<string> {
  const email = someAddress()
  const { user } = await host.as(SignInService).register({ email, password: 'correct horse 7' })
  const userId = user?.id ?? ''
  await host.client(ProfileService).ensurePlatformAdministrator({ email, firstName: 'Ada', lastName: 'Key', userId })
  return userId
}

test('neither log nor error tracker contains a failed statement, or the draft or key in it', async () => {
  const { workspaceId, hotelId, admin } = world
  const userId = await accountHolder()
  await shorten('news', 'pages', 'title')
  await shorten('member', 'teams', 'name')
  await shorten('auth', 'ecosystem_credentials', 'api_key')
  const draft = { workspaceId, title: `${canary} title`, excerpt: `${canary} excerpt`, content: { type: 'doc' } }
  const failing = [
    () => host.as(PageService, admin.userId).createPage(draft),
    () => host.as(TeamService, admin.userId).createTeam({ workspaceId, name: `${canary} team` }),
    () => host.as(CredentialService, userId).createCredential({ ecosystemId: hotelId }),
  ]
  for (const call of failing) {
    const { info, rawMessage } = await refusal(call())
    assert.equal([info.status, rawMessage], [500, 'Internal server error'])
  }
  const rpcs = ['PageService/CreatePage', 'TeamService/CreateTeam', 'CredentialService/CreateCredential']
  const events = await eventually(async () => {
    const text = await tracked()
    return rpcs.every(rpc => text.includes(rpc)) ? text : undefined
  })
  for (const text of [logged, events]) {
    for (const column of ['title', 'name', 'api_key'])
      assert.match(text, `ER_DATA_TOO_LONG (1406) for column '${column}' at row 1`)
    for (const secret of [canary, 'ek_', /insert into|values \(/i]) assert.not.match(text, secret)
  }
  // The kind of the error and its place are still logged.
  assert.match(logged, /"errno":1406,"sqlState":"22001"/)
  assert.match(logged, 'news/pages/sql.ts')
  assert.match(events, 'news/pages/sql.ts')
})

test('a dead letter whose reason is an error text contains none either', async () => {
  const db = openDatabase<Record<string, never>>(host.databaseUrl('member'))
  const bus = host.bus
  const subject = `platform.test.${newId()}`
  const consumer = startConsumer({
    bus,
    db,
    log,
    durable: `test-${newId()}`,
    subject,
    retryDelays: [],
    handle: async () => {
      await sql`insert into teams (id, name, workspace_id) values ('1', ${`${canary} in a message`}, '1')`.execute(db)
    },
  })
  try {
    await bus.publish(subject, JSON.stringify({}), { id: newId() })
    const [letter] = await eventually(async () => {
      const letters = await listDeadLetters(bus)
      return letters.length > 0 ? letters : undefined
    })
    assert.match(letter?.reason ?? '', /ER_DATA_TOO_LONG \(1406\) for column 'name' at row 1$/)
    for (const text of [logged, await tracked()]) assert.not.match(text, canary)
  } finally {
    await consumer.stop()
    await db.destroy()
  }
})

test.run()
