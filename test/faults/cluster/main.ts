import { runClusterTrial } from './trial.ts'

/*
 * npm run faults -- cluster [rounds]: the platform over three Galera nodes and three NATS servers; each round kills the
 * node that is written to and one of the servers. Three rounds unless told.
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
