import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { memberViews } from '../../cli/published.ts'
import { grantMemberViews, type Stack, startStack } from '../../cli/stack/stack.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { newWorld, type World } from '../../cli/tour/world.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { serviceNames } from '../../services/kernel/rpc/host.ts'
import { assert, suite } from '../kit/kit.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('the main job with every schema on a separate database server')
const stacks = new Map<string, Stack>()
let folder = ''
let platform: OwnPlatform
let world: World

const stackOf = (name: string): Stack => {
  const stack = stacks.get(name)
  if (!stack) throw new Error(`no server for ${name}`)
  return stack
}

test.before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servers-'))
  for (const name of serviceNames) {
    const dataDir = path.join(folder, name)
    stacks.set(name, await startStack({ dataDir, ephemeral: true, print: () => undefined, startOnly: ['database'] }))
  }
  const { memberReadUrl } = stackOf('member')
  platform = await startPlatform('split', {
    ...Object.fromEntries(
      serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, stackOf(name).databaseUrl(name)]),
    ),
    NEWS_MEMBER_DATABASE_URL: memberReadUrl,
    NOTIFICATION_MEMBER_DATABASE_URL: memberReadUrl,
  })
  await grantMemberViews(stackOf('member'), memberViews)
  world = newWorld({ ...platform, report: () => undefined })
})
test.after(async () => {
  world.sockets.news?.close()
  world.sockets.notification?.close()
  await platform.stop()
  await Promise.all([...stacks.values()].map(stack => stack.stop()))
  await rm(folder, { recursive: true, force: true })
})

for (const step of mainJob) test(step.title, () => step.run(world))

test('each server holds the tables of its service and of no other', async () => {
  for (const name of serviceNames) {
    const db = await connectDatabase(stackOf(name).adminDatabaseUrl ?? '')
    const [rows] = await db.query<RowDataPacket[]>(
      "select distinct table_schema as name from information_schema.tables where table_type = 'BASE TABLE' and engine = 'InnoDB' and table_schema not in ('mysql', 'sys')",
    )
    await db.end()
    assert.equal(
      rows.map(row => row['name']),
      [new URL(stackOf(name).databaseUrl(name)).pathname.slice(1)],
    )
  }
})

test.run()
