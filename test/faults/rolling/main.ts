import { withServers } from '../../kit/platform/servers.ts'
import { countFaults } from '../verdict.ts'
import { roll } from './rolling.ts'

/*
 * npm run faults -- rolling [rounds] [requests a second] [two]: replaces every process of a platform under
 * traffic, by default 20 times each at 200 requests a second, and reports what clients noticed. Exits with 1 when they
 * noticed anything. With `two`, all services are one process, replaced together with the edge.
 */
const [rounds = 20, rate = 200] = process.argv.slice(3, 5).map(Number)
if (!Number.isInteger(rounds) || rounds < 1 || !(rate > 0)) {
  console.error('usage: npm run faults -- rolling [rounds] [requests a second] [two]')
  process.exit(2)
}
const began = Date.now()
const together = process.argv[5] === 'two'
const topology = together ? 'two' : 'split'
const rolling = {
  rounds: Array.from({ length: rounds }, () => ({})),
  rate,
  together,
  say: (line: string) => console.log(line),
}
const rolled = await withServers(() => roll({ ...rolling, topology }))
const { requests, rate: measuredRate, restarts, slowest, gaps, outcomes, faults } = rolled
const causes = Object.groupBy(faults.failures, ({ cause }) =>
  cause.replace(/\d+ ms/, 'n ms').replace(/"requestId":"[^"]*"/, ''),
)
for (const [cause, failures = []] of Object.entries(causes)) console.log(`${failures.length} failed: ${cause}`)
console.log({ requests, rate: measuredRate, restarts, slowest, gaps, acknowledged: outcomes.acknowledged })
const counts = Object.entries(faults).map(([name, list]) => `${name} ${list.length}`)
const isGood = countFaults(faults) === 0
console.log(`${isGood ? 'HOLDS' : 'FAILED'} after ${Math.round((Date.now() - began) / 1000)} s: ${counts.join(', ')}`)
if (measuredRate < rate * 0.9)
  console.log(`The machine carried ${measuredRate} of ${rate} requests a second: what failed may have waited too long.`)
process.exit(isGood ? 0 : 1)
