import { runTrial, type Victim, victims } from './trial.ts'

/*
 * npm run faults -- [kills of each] [victim …]: kills broker, database, news, notification and edge of a platform under
 * load, 100 times each unless told, and says what was lost or done twice. SEED repeats an earlier run.
 * npm run faults -- rolling: see rolling.main.ts; -- cluster: see cluster/main.ts.
 */
if (process.argv[2] === 'rolling') await import('./rolling.main.ts')
if (process.argv[2] === 'cluster') await import('./cluster/main.ts')

const [count = '100', ...named] = process.argv.slice(2)
const kills = Number(count)
const chosen = named.length > 0 ? named : victims
const isVictim = (name: string): name is Victim => (victims as readonly string[]).includes(name)
if (!Number.isInteger(kills) || kills < 1 || !chosen.every(isVictim)) {
  console.error(`usage: npm run faults -- [kills of each] [${victims.join('|')} …]`)
  process.exit(2)
}
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
console.log(`seed ${seed}`)
const began = Date.now()
const verdict = await runTrial({ kills, of: chosen.filter(isVictim), seed, say: line => console.log(line) })
const faults = [verdict.lost, verdict.doubled, verdict.untold, verdict.toldTwice]
console.log(verdict, `${Math.round((Date.now() - began) / 1000)} s`)
process.exit(faults.some(list => list.length > 0) ? 1 : 0)
