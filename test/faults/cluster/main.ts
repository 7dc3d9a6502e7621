import { runClusterTrial } from './trial.ts'

/*
 * npm run faults -- cluster [rounds]: the platform over three Galera nodes and three NATS servers; each round kills the
 * database node in use and one of the servers. Three rounds by default.
 */
const rounds = Number(process.argv[3] ?? '3')
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run faults -- cluster [rounds]')
  process.exit(2)
}
const verdict = await runClusterTrial({ kills: rounds, say: line => console.log(line) })
console.log(verdict)
const faults = [verdict.lost, verdict.doubled, verdict.untold, verdict.toldTwice]
process.exit(faults.some(list => list.length > 0) ? 1 : 0)
