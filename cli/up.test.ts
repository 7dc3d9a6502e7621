import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recorded } from '../test/kit/coverage.ts'
import { platformPorts } from './environment.ts'
import { newFolder, processesOf, removeFolders, until } from './fixtures/helpers.ts'

const test = suite('npm start')
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const children = new Set<ChildProcess>()
const folders: string[] = []
const newData = (): string => {
  const folder = newFolder()
  folders.push(folder)
  return folder
}
test.after.each(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
test.after(async () => {
  // Servers write until they are gone.
  await until('all are gone', () => folders.every(folder => processesOf(folder).length === 0))
  removeFolders()
})

/** Where killed servers leave their socket folders. */
const temporary = newFolder()

/** The system chooses all ports, so that copies can run side by side. */
const anyPorts = Object.fromEntries(platformPorts({}).map(({ setting }) => [setting, '0']))

type Started = { child: ChildProcess; output: () => string; exit: Promise<[number | null, string | null]> }

/** Starts the launcher over a folder, with the fixture as its platform. */
function start(dataDir: string, env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [path('./fixtures/up.ts')], {
    env: {
      ...process.env,
      ...anyPorts,
      LEGACY_AUTH_PORT: '0',
      DATA_DIR: dataDir,
      TMPDIR: temporary,
      ...recorded(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let text = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', data => (text += data))
  const exit = once(child, 'close') as Promise<[number | null, string | null]>
  return { child, output: () => text, exit }
}

async function startUp(dataDir: string, env?: Record<string, string>): Promise<Started & { url: string }> {
  const program = start(dataDir, env)
  const isUp = () => /Everything is up[\s\S]*Ctrl-C stops/.test(program.output()) || program.child.exitCode !== null
  await until('it is up', isUp, 120_000)
  const url = /fixture +(http:\S+)/.exec(program.output())?.[1]
  if (!url) throw new Error(program.output())
  return { ...program, url }
}
const visits = async (url: string) => ((await (await fetch(url)).json()) as { visits: number }[])[0]?.visits

test('the start prints each step with its duration, then every address and login, and Ctrl-C stops everything', async () => {
  const folder = newData()
  const { child, output, exit, url } = await startUp(folder)
  assert.match(output(), /NATS ready in [\d.]+ s/)
  assert.match(output(), /MariaDB ready in [\d.]+ s/)
  const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
  assert.match(output(), `admin@platform.example   ${secrets.BOOTSTRAP_ADMIN_PASSWORD}`)
  assert.is(await visits(url), 1)
  child.kill('SIGINT')
  assert.equal(await exit, [0, null])
  assert.match(output(), /stopped in [\d.]+ s/)
  assert.equal(processesOf(folder), [])
})

test('a second start finds its data, and a closed terminal stops as cleanly as a signal', async () => {
  const folder = newData()
  for (const [index, signal] of (['SIGHUP', 'SIGTERM'] as const).entries()) {
    const { child, exit, url } = await startUp(folder)
    assert.is(await visits(url), index + 1)
    child.kill(signal)
    assert.equal(await exit, [0, null])
  }
})

test('a folder in use is refused with the other process and the setting, and that process continues', async () => {
  const folder = newData()
  const first = await startUp(folder)
  const second = start(folder)
  assert.equal(await second.exit, [1, null])
  assert.match(
    second.output(),
    `The data folder ${folder} is in use by another copy of the platform (process ${first.child.pid})`,
  )
  assert.match(second.output(), 'DATA_DIR=')
  assert.not.match(second.output(), /\n\s+at /)
  assert.is(await visits(first.url), 1)
})

test('a port in use is refused before anything starts, with its name and setting', async () => {
  const folder = newData()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { exit, output } = start(folder, { NEWS_PORT: port })
  assert.equal(await exit, [1, null])
  server.close()
  assert.is(output().trim(), `Port ${port} (news) is in use by another program: set NEWS_PORT to move it.`)
  assert.equal(processesOf(folder), [])
})

test('kill -9 of the launcher leaves no process behind, and the next start works', async () => {
  const folder = newData()
  const { child, exit } = await startUp(folder)
  const servers = processesOf(folder)
  assert.ok(servers.length >= 2)
  child.kill('SIGKILL')
  await exit
  await until('all are gone', () => processesOf(folder).length === 0)
  assert.is(await visits((await startUp(folder)).url), 2)
})

test('kill -9 during the start leaves no process behind', async () => {
  for (const wait of [150, 300, 450]) {
    const folder = newData()
    const { child, exit } = start(folder)
    await sleep(wait)
    child.kill('SIGKILL')
    await exit
    await until(`all are gone (${wait} ms)`, () => processesOf(folder).length === 0)
  }
})

test('a child started while its process is killed does not outlive it', async () => {
  const script = `import { startChild } from ${JSON.stringify(path('./stack/processes.ts'))}
    startChild({ command: 'sleep', args: ['600', process.argv[1]], env: process.env, stdio: 'ignore' })
    process.kill(process.pid, 'SIGKILL')`
  for (let round = 0; round < 5; round++) {
    // The child is identified by this name.
    const mark = `cli-test-orphan-${process.pid}-${round}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, mark], { stdio: 'ignore' })
    assert.equal(await once(child, 'exit'), [null, 'SIGKILL'])
    await until('its child is gone', () => processesOf(mark).length === 0)
  }
})

test('a platform that cannot start ends everything with its message', async () => {
  const folder = newData()
  const { exit, output } = start(folder, { MEMBER_DATABASE_URL: 'mysql://nobody@127.0.0.1:1/x' })
  assert.equal(await exit, [1, null])
  assert.match(output(), 'ECONNREFUSED')
  assert.equal(processesOf(folder), [])
})

test('a signal during the start stops all started processes', async () => {
  const folder = newData()
  // However late the signal arrives, the start can't finish before.
  const goOn = join(newFolder(), 'go-on')
  const { child, exit, output } = start(folder, { SERVES_ONCE_THERE_IS: goOn })
  await until('the first server is there', () => /NATS ready/.test(output()))
  child.kill('SIGTERM')
  assert.equal(await exit, [null, 'SIGTERM'])
  assert.not.match(output(), /Everything is up/)
  await until('all are gone', () => processesOf(folder).length === 0)
})

test('a second signal ends a hanging stop at once and completely', async () => {
  const folder = newData()
  const { child, exit, output, url } = await startUp(folder)
  await fetch(`${url}/stubborn`)
  // Both wait for its SIGCONT, so that they arrive together.
  child.kill('SIGSTOP')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  child.kill('SIGCONT')
  await until('the first is heard', () => /stopping …/.test(output()))
  await sleep(1200)
  assert.is(child.exitCode, null, 'signals of one key press count once')
  child.kill('SIGINT')
  assert.equal(await exit, [1, null])
  await until('all are gone', () => processesOf(folder).length === 0)
})

test.run()
