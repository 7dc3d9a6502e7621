import { dayFaults, runDay } from './day.ts'
import { clusteredGround, singleGround } from './ground.ts'

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
const crowd = { hotels: 5, people: 2_000, pages: 2_000, sockets: 2_000 }
const ground = await (isClustered ? clusteredGround() : singleGround())
try {
  const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
  const { standing: _, ...verdict } = await runDay(ground, {
    minutes,
    crowd,
    levels: [100, 250, 500, 1_000, 1_500, 2_000, 3_000],
    say,
  })
  const faults = dayFaults({ ...verdict, standing: _ }, crowd.sockets)
  console.log({ ...verdict, samples: verdict.samples.length })
  console.log('| minute | ', Object.keys(verdict.samples[0]?.memory ?? {}).join(' | '), '| lag | outbox | disk MB |')
  for (const [index, { memory, lag, outbox, disk }] of verdict.samples.entries())
    console.log(
      '|',
      (((index + 1) * minutes) / 12).toFixed(0),
      '|',
      [...Object.values(memory), lag, outbox, disk].join(' | '),
      '|',
    )
  const isGood = Object.values(faults).every(list => (list as unknown[]).length === 0)
  console.log(isGood ? 'HOLDS' : 'FAILED', faults)
  process.exitCode = isGood ? 0 : 1
} finally {
  await ground.stop()
}
