import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { failureLog } from './failure-log.ts'

const test = suite('failure log')

test('the same failure is logged once, and then counted until it stays away', async () => {
  const lines: string[] = []
  const log = failureLog((fields, message) => lines.push(`${message} ${Object(fields).n}`), 100)
  for (let n = 0; n < 41; n++) log('a', { n }, 'refused')
  log('b', { n: 7 }, 'full')
  assert.equal(lines, ['refused 0', 'full 7'])
  await eventually(() => lines.length === 3)
  assert.is(lines[2], 'refused (… 40 more in the last 0.1 s) 0')
  // Forgotten after a time without it.
  await eventually(() => {
    log('b', { n: 8 }, 'full')
    return lines.includes('full 8')
  })
})

test.run()
