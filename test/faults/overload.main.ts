import { withServers } from '../kit/platform/servers.ts'
import { overload } from './overload.ts'

/*
 * npm run faults -- overload [seconds]: publishes events to 1,000 receivers three times as fast as the machine stores
 * them, for a minute by default, and waits for the last. Exits with 1 when one is missing or memory grew by 512 MiB.
 */
const seconds = Number(process.argv[3] ?? '60')
if (!(seconds > 0)) {
  console.error('usage: npm run faults -- overload [seconds]')
  process.exit(2)
}
const figures = await withServers(() => overload({ people: 1_000, seconds, say: line => console.log(line) }))
console.log(figures)
const { missingRows, growth, published, plannedEvents } = figures
const isWhole = missingRows.notifications === 0 && missingRows.receivers === 0 && published === plannedEvents
process.exit(isWhole && Object.values(growth).every(mib => mib < 512) ? 0 : 1)
