import { runRound, startTrial, type Victim, victims } from './trial.ts'
import { countFaults } from './verdict.ts'

/*
 * npm run faults -- [kills of each] [victim …]: kills broker, database, news, notification and edge of a platform under
 * load, 100 times each by default. After ten of each, judges what was lost or duplicated, on sockets too. SEED repeats
 * the timing of a run.
 */
const roundSize = 10
const [count = '100', ...names] = process.argv.slice(2)
const kills = Number(count)
const isVictim = (name: string): name is Victim => (victims as readonly string[]).includes(name)
if (!Number.isInteger(kills) || kills < 1 || !names.every(isVictim)) {
  console.error(`usage: npm run faults -- [kills of each] [${victims.join('|')} …]`)
  process.exit(2)
}
const chosenVictims: readonly Victim[] = names.length > 0 ? names.filter(isVictim) : victims
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const total = { acknowledged: 0, unknown: 0, refused: 0, gaps: 0, faults: 0 }
const say = (line: string) => console.log(line)

say(`seed ${seed}`)
const trial = await startTrial({ say })
try {
  for (let killsBefore = 0; killsBefore < kills; killsBefore += roundSize) {
    const times = Math.min(roundSize, kills - killsBefore)
    const plan = chosenVictims.flatMap(victim => Array.from({ length: times }, () => victim))
    const verdict = await runRound(trial, { plan, seed: seed + killsBefore, settle: true, say })
    for (const outcome of ['acknowledged', 'unknown', 'refused'] as const) total[outcome] += verdict.outcomes[outcome]
    total.gaps += verdict.gaps
    total.faults += countFaults(verdict.faults)
    console.log(`${killsBefore + times} of ${kills} kills of each, seed ${seed + killsBefore};`, verdict.faults)
  }
} finally {
  await trial.stop()
}
console.log(total)
process.exit(total.faults > 0 ? 1 : 0)
