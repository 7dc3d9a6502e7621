import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { galeraPrograms } from '../cluster/galera.programs.ts'
import { inOwnNetwork } from './own-network.ts'

const test = suite('the scaled shape')
const program = process.env['TEST_HAPROXY']
const proved = program && process.getuid?.() === 0 ? test : test.skip

proved('behind a balancer, a service, the broker and the database in use may be cut off or die', async () => {
  await galeraPrograms()
  const said: string[] = []
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const what = ['news:cut', 'nats:kill', 'database in use:cut']
  const args = ['scaled', '1', '10', ...what, '--small']
  const code = await inOwnNetwork(main, args, { TEST_HAPROXY: program }, text => said.push(text))
  assert.is(code, 0, said.join(''))
})

test.run()
