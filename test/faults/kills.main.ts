import { runRound, startTrial, type Victim, victims } from './trial.ts'
import { countFaults } from './verdict.ts'

/*
 * npm run faults -- [kills of each] [victim …]: kills broker, database, news, notification and edge of a platform under
 * load, 100 times each by default. After ten of each, judges what was lost or duplicated, on sockets too. SEED repeats
 * the timing of a run.
 */
const roundSize = 10
const [count = '100', ...named] = process.argv.slice(2)
const kills = Number(count)
const isVictim = (name: string): name is Victim => (victims as readonly string[]).includes(name)
if (!Number.isInteger(kills) || kills < 1 || !named.every(isVictim)) {
  console.error(`usage: npm run faults -- [kills of each] [${victims.join('|')} …]`)
  process.exit(2)
}
const chosen: readonly Victim[] = named.length > 0 ? named.filter(isVictim) : victims
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const total = { acknowledged: 0, unknown: 0, refused: 0, gaps: 0, faults: 0 }
const say = (line: string) => console.log(line)

say(`seed ${seed}`)
const trial = await startTrial({ say })
try {
  for (let done = 0; done < kills; done += roundSize) {
    const times = Math.min(roundSize, kills - done)
    const plan = chosen.flatMap(victim => Array.from({ length: times }, () => victim))
    const verdict = await runRound(trial, { plan, seed: seed + done, settle: true, say })
    for (const name of ['acknowledged', 'unknown', 'refused', 'gaps'] as const) total[name] += verdict[name]
    total.faults += countFaults(verdict.faults)
    console.log(`${done + times} of ${kills} kills of each, seed ${seed + done};`, verdict.faults)
  }
} finally {
  await trial.stop()
}
console.log(total)
process.exit(total.faults > 0 ? 1 : 0)
