import { line } from '../../../bench/support/figures.ts'
import { countFaults } from '../verdict.ts'
import { dayFaults, runDay } from './day.ts'
import { clusteredGround, singleGround } from './ground.ts'
import type { Sample } from './samples.ts'

/*
 * npm run faults -- day [minutes] [clustered]: a day's load at 70 % of what the platform sustains, 120 minutes by
 * default, with a kill every minute and an upgrade in the middle. With `clustered`, over three Galera nodes, three NATS
 * servers and three edges.
 */
const minutes = Number(process.argv[3] ?? '120')
const isClustered = process.argv[4] === 'clustered'
if (!(minutes > 0)) {
  console.error('usage: npm run faults -- day [minutes] [clustered]')
  process.exit(2)
}
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
const rowOf = ({ memory, lag, outbox, disk }: Sample, index: number): string =>
  line((((index + 1) * minutes) / 12).toFixed(0), ...Object.values(memory), lag ?? '', outbox ?? '', disk)

const ground = await (isClustered ? clusteredGround() : singleGround())
try {
  const crowd = { hotels: 5, people: 2_000, pages: 2_000, sockets: isClustered ? 500 : 2_000 }
  const levels = isClustered ? [100, 250, 500] : [250, 500, 1_000, 1_500, 2_000]
  const verdict = await runDay(ground, { minutes, crowd, levels, say })
  const { storedContents: _, samples, ...summary } = verdict
  const [first] = samples
  console.log(summary)
  console.log(line('minute', ...Object.keys(first?.memory ?? {}), 'lag', 'outbox', 'disk MB'))
  console.log(samples.map(rowOf).join('\n'))
  const faults = dayFaults(verdict, crowd.sockets)
  const isGood = countFaults(faults) === 0
  console.log(isGood ? 'HOLDS' : 'FAILED', faults)
  process.exitCode = isGood ? 0 : 1
} finally {
  await ground.stop()
}
