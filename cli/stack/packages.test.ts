import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders } from '../fixtures/folders.ts'
import { findPrograms } from './packages.ts'

const test = suite('packages')
test.after(removeFolders)

const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = (command: string[], folder: string) => {
  const [first = '', ...rest] = isRoot
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...command]
    : command
  return spawnSync(first, rest, { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } })
}
const folderOfUser = () => {
  const folder = newFolder()
  if (isRoot) chownSync(folder, nobody, nobody)
  return folder
}

test('a user without root rights gets both servers downloaded and unpacked under the data folder, ready to use', () => {
  const trial = asUser(['apt-get', 'download', 'nats-server'], folderOfUser())
  if (trial.status !== 0) {
    console.log(`\nSKIPPED, apt is of no use here: ${trial.error?.message ?? trial.stderr}`)
    return
  }
  const script = fileURLToPath(new URL('../fixtures/unpacked.ts', import.meta.url))
  const folder = folderOfUser()
  if (asUser(['test', '-r', script], folder).status !== 0) {
    console.log(`\nSKIPPED, this checkout can not be read by other users: ${script}`)
    return
  }
  const { stdout, stderr, status } = asUser([process.execPath, script, folder], folder)
  assert.is(status, 0, stderr)
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  assert.is(result.uid, isRoot ? nobody : process.getuid?.())
  assert.equal(result.rows, [{ user: 'news@127.0.0.1', name: 'news' }])
  const usr = join(folder, 'packages', 'usr', 'sbin')
  assert.equal(result.programs, [join(usr, 'mariadbd'), join(usr, 'nats-server')])
  assert.match(result.said.join('\n'), /downloading mariadb-server-core and nats-server …\ndownloading took [\d.]+ s/)
})

test('a machine without the servers and apt gets the exact command, compose and own servers as alternatives', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = newFolder()
  try {
    await findPrograms({ names: ['mariadbd', 'nats-server'], folder: newFolder(), print: () => {}, onlyUnpacked: true })
    assert.unreachable()
  } catch (error) {
    const { message } = error as Error
    assert.match(
      message,
      /^MariaDB \(mariadbd\) and NATS \(nats-server\) are not installed and could not be downloaded/,
    )
    assert.match(message, 'apt-get is not installed')
    assert.match(
      message,
      'sudo apt-get update && sudo apt-get install --no-install-recommends mariadb-server-core nats-server',
    )
    assert.match(message, 'docker compose up')
    assert.match(message, 'DATABASE_URL=')
  } finally {
    process.env['PATH'] = path
  }
})

test.run()
