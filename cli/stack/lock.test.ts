import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders } from '../fixtures/helpers.ts'
import { lockFolder } from './lock.ts'
import { startTimeOf } from './processes.ts'

const test = suite('data folder lock')
test.after(removeFolders)

const module = new URL('./lock.ts', import.meta.url).href
/** Takes the lock in a separate process, which holds it for a while. */
const script = (folder: string, keepMs: number) =>
  `import { lockFolder } from ${JSON.stringify(module)}
   try { lockFolder(${JSON.stringify(folder)}); console.log('taken'); setTimeout(() => {}, ${keepMs}) }
   catch (error) { console.log(error.message) }`
const node = ['--input-type=module', '-e']

test('a folder in use is refused with its process, path and setting', () => {
  const folder = newFolder()
  const unlock = lockFolder(folder)
  const { stdout } = spawnSync(process.execPath, [...node, script(folder, 0)], { encoding: 'utf8' })
  assert.match(stdout, `process ${process.pid}`)
  assert.match(stdout, folder)
  assert.match(stdout, `kill -INT ${process.pid}`)
  assert.match(stdout, 'DATA_DIR=')
  unlock()
  assert.not.ok(existsSync(join(folder, 'lock')))
})

test('the lock of a killed process is taken over', async () => {
  const folder = newFolder()
  const child = spawn(process.execPath, [...node, script(folder, 60_000)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  assert.throws(() => lockFolder(folder), new RegExp(`process ${child.pid}`))
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('exit', resolve))
  lockFolder(folder)()
})

test('the lock of a dead process is taken over although another process has its pid', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.ppid, start: `${startTimeOf(process.ppid)}0` }))
  const unlock = lockFolder(folder)
  assert.is(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid, process.pid)
  unlock()
})

test('a lock that a crash left half written is taken over', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'lock'), '{"pi')
  lockFolder(folder)()
})

test('of ten processes that find a stale lock at once exactly one takes it', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, start: '1' }))
  const children = Array.from({ length: 10 }, () =>
    spawn(process.execPath, [...node, script(folder, 60_000)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const firstLines = await Promise.all(
    children.map(child => new Promise<string>(resolve => child.stdout.setEncoding('utf8').once('data', resolve))),
  )
  for (const child of children) child.kill('SIGKILL')
  assert.is(firstLines.filter(line => line.startsWith('taken')).length, 1)
  assert.is(firstLines.filter(line => /in use by another copy/.test(line)).length, 9)
})

test.run()
