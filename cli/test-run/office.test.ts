import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { officeFor } from './office.ts'

const test = suite('LibreOffice for the tests')
const files = ['services/a.test.ts', 'services/b.libreoffice.test.ts']

/** A machine on which it is, or comes by an installation that may fail. */
function machine(has: boolean, isRoot: boolean, fault?: string) {
  const installed: string[][] = []
  const find = () => (has || (installed.length > 0 && !fault) ? '/opt/soffice' : undefined)
  const install = async (packages: string[]) => {
    installed.push(packages)
    if (fault) throw new Error(fault)
  }
  return { find, isRoot, install, installed }
}

async function outcome(one: ReturnType<typeof machine>, wanted = files) {
  const said: string[] = []
  const env = await officeFor(wanted, line => said.push(line), one)
  return { path: env['TEST_SOFFICE'], said: said.join('\n'), installed: one.installed.flat() }
}

test('it is asked for only by tests that open files in it, and installed only where it is missing', async () => {
  assert.equal(await outcome(machine(false, true), files.slice(0, 1)), { path: undefined, said: '', installed: [] })
  assert.equal(await outcome(machine(true, true)), { path: '/opt/soffice', said: '', installed: [] })
})

test('root installs it and sees how it goes; what fails is said, and the tests go on without it', async () => {
  const fresh = await outcome(machine(false, true))
  assert.equal([fresh.path, fresh.installed], ['/opt/soffice', ['libreoffice-calc']])
  assert.match(fresh.said, /^installing libreoffice-calc .*\ninstalling took/)
  const failed = await outcome(machine(false, true, 'no network'))
  assert.is(failed.path, undefined)
  assert.match(failed.said, 'could not be installed: no network')
})

test('others are told what is missing', async () => {
  const { path, said, installed } = await outcome(machine(false, false))
  assert.equal([path, installed], [undefined, []])
  assert.match(said, 'only root can install it')
})

test.run()
