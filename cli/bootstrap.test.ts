import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders, until } from './fixtures/helpers.ts'
import { isAlive } from './stack/processes.ts'

const test = suite('bootstrap')
test.after(removeFolders)

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = { name: 'trial', version: '1.0.0', dependencies: { dep: 'file:./dep' } }
const lock = {
  name: 'trial',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: { '': manifest, dep: { version: '1.0.0' }, 'node_modules/dep': { resolved: 'dep', link: true } },
}

/** A separate project with one script and everything that npm needs. */
function project(script: string): string {
  const folder = newFolder()
  for (const name of ['cli', 'dep', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true })
  copyFileSync(join(root, 'cli/bootstrap.mjs'), join(folder, 'cli/bootstrap.mjs'))
  writeFileSync(join(folder, 'cli/trial.ts'), script)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'dep/package.json'), JSON.stringify({ name: 'dep', version: '1.0.0' }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(lock))
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
  return folder
}
const bootstrap = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(folder, 'cli/bootstrap.mjs'), ...args], { encoding: 'utf8' })

test('a script receives its arguments, and its exit code is returned', () => {
  const folder = project(
    'const words: string[] = process.argv.slice(2); console.log(words.join()); process.exitCode = 5',
  )
  const { status, stdout } = bootstrap(folder, 'trial', 'a', '--b')
  assert.equal([status, stdout], [5, 'a,--b\n'])
})

test('packages are installed only when they are missing or differ from the lock file', () => {
  const folder = project('console.log("ran")')
  const old = new Date(0)
  utimesSync(join(folder, 'node_modules/.package-lock.json'), old, old)
  assert.is(bootstrap(folder, 'trial').stdout, 'ran\n', 'a fresh checkout has new times and the same content')

  const newer = structuredClone(lock)
  newer.packages.dep.version = '1.0.1'
  writeFileSync(join(folder, 'dep/package.json'), JSON.stringify({ name: 'dep', version: '1.0.1' }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(newer))
  const { stdout, stderr } = bootstrap(folder, 'trial')
  assert.is(stdout, 'ran\n')
  assert.match(stderr, /installing npm packages \(npm ci\) …[\s\S]*npm packages installed in [\d.]+ s/)
  assert.ok(existsSync(join(folder, 'node_modules/dep/package.json')))
})

test('a name that is not a script is refused', () => {
  for (const name of ['nothing', '../cli/trial']) {
    const { status, stderr } = bootstrap(project(''), name)
    assert.equal([status, stderr], [1, `There is no script "${name}"; see "scripts" in package.json.\n`])
  }
})

test('signals reach the script, and its death by a signal reaches the shell', async () => {
  const folder = project(
    'process.once("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1e6); console.log("up")',
  )
  const child = spawn(process.execPath, [join(folder, 'cli/bootstrap.mjs'), 'trial'])
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.equal(await once(child, 'exit'), [9, null])
  const killed = bootstrap(project('process.kill(process.pid, "SIGTERM")'), 'trial')
  assert.is(killed.signal, 'SIGTERM')
})

test('kill -9 of the bootstrap stops the script', async () => {
  const folder = project('setInterval(() => {}, 1e6); console.log(process.pid)')
  const child = spawn(process.execPath, [join(folder, 'cli/bootstrap.mjs'), 'trial'])
  const [text] = await once(child.stdout, 'data')
  assert.ok(isAlive(Number(text)))
  child.kill('SIGKILL')
  await until('the script is gone', () => !isAlive(Number(text)))
})

test('the lock file names the packages of every platform, which npm ci requires', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = Object.entries<{ optionalDependencies?: Record<string, string> }>(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      name => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  )
  assert.equal(missing, [])
})

test.run()
