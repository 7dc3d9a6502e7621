import { roll } from './rolling.ts'

/*
 * npm run faults -- rolling [rounds] [requests a second] [two]: replaces every process of a platform under traffic, 20 times
 * each at 200 requests a second unless told, and says what clients noticed. Ends with 1 when they noticed anything. With
 * two, all services are one process, replaced at once with the edge: the short version.
 */
const [rounds = 20, rate = 200] = process.argv.slice(3, 5).map(Number)
if (!Number.isInteger(rounds) || rounds < 1 || !(rate > 0)) {
  console.error('usage: npm run faults -- rolling [rounds] [requests a second] [two]')
  process.exit(2)
}
const began = Date.now()
const together = process.argv[5] === 'two'
const topology = together ? 'two' : 'split'
const found = await roll({ topology, rounds, rate, together, say: line => console.log(line) })
console.log({ ...found, failures: found.failures.slice(0, 20) }, `${Math.round((Date.now() - began) / 1000)} s`)
const faults = [found.failures, found.unclean, found.lost, found.doubled, found.untold, found.toldTwice, found.unheard]
process.exit(faults.some(list => list.length > 0) ? 1 : 0)
