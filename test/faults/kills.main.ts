import { openProgress } from './progress.ts'
import { runRound, startTrial, type Victim, victims } from './trial.ts'
import { faultsIn } from './verdict.ts'

/*
 * npm run faults -- [kills of each] [victim …]: kills broker, database, news, notification and edge of a platform under
 * load, 100 times each by default. After ten of each, judges what was lost or duplicated, on sockets too. An
 * interrupted run resumes when started with the same arguments; --restart starts over. SEED repeats the timing of a
 * run.
 */
const roundSize = 10
const words = process.argv.slice(2).filter(word => word !== '--restart')
const [count = '100', ...named] = words
const kills = Number(count)
const isVictim = (name: string): name is Victim => (victims as readonly string[]).includes(name)
if (!Number.isInteger(kills) || kills < 1 || !named.every(isVictim)) {
  console.error(`usage: npm run faults -- [kills of each] [${victims.join('|')} …] [--restart]`)
  process.exit(2)
}
const chosen: readonly Victim[] = named.length > 0 ? named.filter(isVictim) : victims
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const progress = openProgress(`${kills} ${chosen.toSorted().join(' ')}`, process.argv.includes('--restart'))
const doneOf = (victim: Victim) => progress.done[victim] ?? 0
const began = Date.now()
const minutes = (ms: number) => `${(ms / 60_000).toFixed(1)} min`
if (chosen.some(victim => doneOf(victim) > 0)) console.log('resuming after', progress.done, '(--restart starts over)')
console.log(`seed ${seed}`)

const trial = await startTrial({ say: line => console.log(line) })
try {
  const atStart = chosen.reduce((sum, victim) => sum + doneOf(victim), 0)
  for (let round = 0; ; round++) {
    const plan = chosen.flatMap(victim =>
      Array.from({ length: Math.max(0, Math.min(roundSize, kills - doneOf(victim))) }, () => victim),
    )
    if (plan.length === 0) break
    const verdict = await runRound(trial, { plan, seed: seed + round, settle: true, say: line => console.log(line) })
    for (const victim of plan) progress.done[victim] = doneOf(victim) + 1
    progress.add(verdict)
    const [all, done] = [kills * chosen.length, chosen.reduce((sum, victim) => sum + doneOf(victim), 0)]
    const left = ((Date.now() - began) / (done - atStart)) * (all - done)
    const found = faultsIn(verdict)
    console.log(`${done} of ${all} kills after ${minutes(Date.now() - began)}, some ${minutes(left)} left;`, found)
    if (Object.values(found).some(list => list.length > 0)) console.log(`seed ${seed + round} of this round`)
  }
} finally {
  await trial.stop()
}
const { total } = progress
console.log(progress.done, total)
progress.close()
process.exit(total.faults > 0 ? 1 : 0)
