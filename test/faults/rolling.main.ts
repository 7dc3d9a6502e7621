import { roll } from './rolling.ts'

/*
 * npm run faults -- rolling [rounds] [requests a second]: replaces every process of a platform under traffic, 20 times
 * each at 200 requests a second unless told, and says what clients noticed. Ends with 1 when they noticed anything.
 */
const [rounds = 20, rate = 200] = process.argv.slice(3).map(Number)
if (!Number.isInteger(rounds) || rounds < 1 || !(rate > 0)) {
  console.error('usage: npm run faults -- rolling [rounds] [requests a second]')
  process.exit(2)
}
const began = Date.now()
const found = await roll({ topology: 'split', rounds, rate, say: line => console.log(line) })
console.log({ ...found, failures: found.failures.slice(0, 20) }, `${Math.round((Date.now() - began) / 1000)} s`)
const faults = [found.failures, found.unclean, found.lost, found.doubled, found.untold, found.toldTwice, found.unheard]
process.exit(faults.some(list => list.length > 0) ? 1 : 0)
