import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { needsProgram, programsFor } from './programs.ts'

const test = suite('programs for the tests')
const files = ['services/a.test.ts', 'services/b.libreoffice.test.ts', 'services/c.browser.test.ts']
const certificates = 'test/operations/tls.test.ts'

/** A machine that has the programs, or gets them by an installation that may fail. */
function machine(has: boolean, isRoot: boolean, fault?: string) {
  const installed: string[] = []
  const find = (program: string) => (has || (installed.length > 0 && !fault) ? `/opt/${program}` : undefined)
  const install = async (packages: string[]) => {
    installed.push(...packages)
    if (fault) throw new Error(fault)
  }
  return { find, isRoot, install, installed }
}

async function outcome(one: ReturnType<typeof machine>, wanted: string[]) {
  const said: string[] = []
  const env = await programsFor(wanted, line => said.push(line), one)
  return { env, said: said.join('\n'), installed: one.installed }
}
const nothing = { env: {}, said: '', installed: [] }

test('each program is checked only for tests that need it, and installed only when missing', async () => {
  assert.equal(files.map(needsProgram), [false, true, true])
  assert.equal(await outcome(machine(false, true), files.slice(0, 1)), nothing)
  const both = { TEST_SOFFICE: '/opt/soffice', TEST_CHROMIUM: '/opt/chromium-headless-shell' }
  assert.equal(await outcome(machine(true, true), files), { ...nothing, env: both })
  assert.ok(needsProgram(certificates))
  assert.equal((await outcome(machine(true, true), [certificates])).env, { TEST_OPENSSL: '/opt/openssl' })
})

test('root installs a program with visible progress; a failure is reported, and the tests continue without it', async () => {
  const fresh = await outcome(machine(false, true), files.slice(0, 2))
  assert.equal([fresh.env, fresh.installed], [{ TEST_SOFFICE: '/opt/soffice' }, ['libreoffice-calc']])
  assert.match(fresh.said, /^installing libreoffice-calc .*\ninstalling took/)
  const browser = await outcome(machine(false, true), files.slice(2))
  assert.equal(
    [browser.env, browser.installed],
    [{ TEST_CHROMIUM: '/opt/chromium-headless-shell' }, ['chromium-headless-shell']],
  )
  const failed = await outcome(machine(false, true, 'no network'), files)
  assert.equal([failed.env, failed.installed], [{}, ['libreoffice-calc', 'chromium-headless-shell']])
  assert.match(failed.said, 'Chromium could not be installed: no network')
})

test('other users are told what is missing', async () => {
  const { env, said, installed } = await outcome(machine(false, false), files)
  assert.equal([env, installed], [{}, []])
  assert.match(said, 'LibreOffice is missing, and only root can install it')
  assert.match(said, 'Chromium is missing, and only root can install it: apt-get install chromium-headless-shell')
})

test.run()
