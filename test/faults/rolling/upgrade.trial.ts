import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { verifiedManifest } from '../../../cli/commands/backup/manifest.ts'
import { call } from '../../../cli/tour/client.ts'
import { expect, type World } from '../../../cli/tour/world.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { assert, eventually, suite } from '../../kit/kit.ts'
import { emptyPlace } from '../../kit/platform/empty-place.ts'
import { projectCopy } from '../../kit/project-copy.ts'
import { guideCopy } from '../../mistakes/guide-copy.ts'
import { faultless } from '../verdict.ts'
import { migrations, nextVersion } from './next-version.ts'
import { roll } from './rolling.ts'

/*
 * The release's source tarball, upgraded under traffic to a version that the guides make of it: with another column,
 * table, index, event, RPC and route. It is rolled back once, then upgraded again.
 */
const test = suite('an upgrade under traffic, rolled back once')
const release = projectCopy()
test.after(release.remove)
test('the source tarball is unpacked and built', async () => {
  const { ok, output } = await release.unpack()
  assert.ok(ok, output)
})
const { folder } = guideCopy(test)

const next = nextVersion(folder)
const backup = join(folder, 'before')

const text = 'Kept through the rollback'
const noteCall = ({ ids, tokens }: World) => ({
  token: tokens.colleague,
  body: { pageId: ids['page'], text, color: 'teal' },
})
const notes = async (world: World) => {
  const path = `/api/v1/notes/page/${world.ids['page']}`
  const { data } = await expect(world, 200, 'news', 'GET', path, { token: world.tokens.colleague })
  return (data as unknown as { text: string; color: string }[]).map(one => [one.text, one.color])
}
const countNotifications = async (world: World): Promise<number> => {
  const path = '/api/v1/notifications?type=note'
  const { meta } = await expect(world, 200, 'notification', 'GET', path, { token: world.tokens.admin })
  return Number(meta?.['total'])
}

test('nothing is lost, refused or shown twice, and what the next version wrote survives the rollback', async () => {
  const { faults, requests } = await roll({
    topology: 'split',
    rate: 30,
    say: line => console.log(line),
    rounds: [
      { folder: release.folder },
      {
        folder,
        before: platform => next.prepare(platform, backup),
        async after(world) {
          await expect(world, 201, 'news', 'POST', '/api/v1/notes', noteCall(world))
          // The page's author is told of it: the new event has passed the broker.
          await eventually(async () => (await countNotifications(world)) > 0)
        },
      },
      {
        folder: release.folder,
        async after(world) {
          const { status } = await call(world.urls, 'news', 'POST', '/api/v1/notes', noteCall(world))
          assert.is(status, 404, 'the former version has no such route')
        },
      },
      {
        folder,
        async after(world) {
          assert.equal(await notes(world), [[text, 'teal']])
        },
      },
    ],
  })
  assert.equal(faults, faultless(faults))
  assert.ok(requests > 1_000, `only ${requests} requests were sent`)
})

test('the next version restores the backup of this one, and migrates it', async () => {
  const secrets = JSON.parse(readFileSync(join(backup, 'secrets.json'), 'utf8')) as Environment
  const place = await emptyPlace(secrets, join(folder, '.data'))
  try {
    const { restored } = await next.command(place.env, 'restore', backup)
    assert.is(restored, true)
    const { applied } = await next.command(place.env, 'migrate')
    assert.equal(applied.news, migrations)
    for (const { service, rows } of (await verifiedManifest(backup)).databases) {
      const db = await connectDatabase(place.env[`${service.toUpperCase()}_DATABASE_URL`] ?? '')
      const { kysely_migration: _, ...countsByTable } = rows
      for (const [table, count] of Object.entries(countsByTable)) {
        const [[row]] = await db.query<RowDataPacket[]>(`select count(*) as n from ${table}`)
        assert.equal([service, table, row?.['n']], [service, table, count])
      }
      await db.end()
    }
  } finally {
    await place.remove()
  }
})

test.run()
