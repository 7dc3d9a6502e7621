import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../../cli/tour/client.ts'
import { expect, type World } from '../../../cli/tour/world.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { runCommand } from '../../kit/command.ts'
import { assert, eventually, suite } from '../../kit/kit.ts'
import { accountsOf, type BrokerVersion } from '../../kit/platform/divided-bus.ts'
import { emptyPlace } from '../../kit/platform/empty-place.ts'
import type { OwnPlatform } from '../../kit/platform/platform.ts'
import { guideCopy } from '../../mistakes/guide-copy.ts'
import { roll } from './rolling.ts'

/*
 * This version, upgraded under traffic to one that the guides make of it: with another column, table, index, event,
 * RPC and route. It is rolled back once, then upgraded again.
 */
const test = suite('an upgrade under traffic, rolled back once')
const { folder } = guideCopy(test)

const backup = join(folder, 'before')

/** A command of the next version. @returns its JSON */
async function nextVersion(env: Environment, ...words: string[]) {
  const child = spawn(process.execPath, ['cli/command.ts', ...words, '--json'], { cwd: folder, env })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', text => (said[name] += String(text)))
  const [code] = await once(child, 'close')
  assert.is(code, 0, said.stderr)
  return JSON.parse(said.stdout)
}

/**
 * The operator's steps before the processes, while those of this version write: a backup, the broker's accounts, the
 * databases.
 */
async function prepare({ env, bus }: OwnPlatform): Promise<void> {
  const { status, stderr } = await runCommand(['backup', backup, '--with-secrets'], env)
  assert.is(status, 0, stderr)
  const parts = ['broker-config', 'broker-permissions'].map(name => import(join(folder, `cli/stack/${name}.ts`)))
  bus.reload(accountsOf(bus.stream, Object.assign({}, ...(await Promise.all(parts))) as BrokerVersion))
  const { applied } = await nextVersion(env, 'migrate')
  assert.equal(applied.news, migrations)
}
const migrations = ['0099-notes', '0100-note-colors']

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
const told = async (world: World): Promise<number> => {
  const path = '/api/v1/notifications?type=note'
  const { meta } = await expect(world, 200, 'notification', 'GET', path, { token: world.tokens.admin })
  return Number(meta?.['total'])
}

test('nothing is lost, refused or shown twice, and what the next version wrote survives the rollback', async () => {
  const rolled = await roll({
    topology: 'split',
    rate: 30,
    say: line => console.log(line),
    rounds: [
      {
        folder,
        before: prepare,
        async after(world) {
          await expect(world, 201, 'news', 'POST', '/api/v1/notes', noteCall(world))
          // The page's author is told of it: the new event has passed the broker.
          await eventually(async () => (await told(world)) > 0)
        },
      },
      {
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
  const { failures, gaveUp, unclean, lost, doubled, untold, toldTwice, unheard, requests } = rolled
  const found = { failures, gaveUp, unclean, lost, doubled, untold, toldTwice, unheard }
  assert.equal(found, Object.fromEntries(Object.keys(found).map(name => [name, []])))
  assert.ok(requests > 1_000, `only ${requests} requests were sent`)
})

test('the next version restores the backup of this one, and migrates it', async () => {
  const secrets = JSON.parse(readFileSync(join(backup, 'secrets.json'), 'utf8')) as Environment
  const place = await emptyPlace(secrets, join(folder, '.data'))
  try {
    const { restored } = await nextVersion(place.env, 'restore', backup)
    assert.is(restored, true)
    const { applied } = await nextVersion(place.env, 'migrate')
    assert.equal(applied.news, migrations)
  } finally {
    await place.remove()
  }
})

test.run()
