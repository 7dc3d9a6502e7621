import { withServers } from '../kit/platform/servers.ts'
import { poison } from './poison.ts'

/*
 * npm run faults -- poison [events] [poison ones]: by default 10,000 events, of which 100 can't be processed. Exits
 * with 1 when a healthy one is missing or stored twice, or a poison one isn't dead-lettered.
 */
const [events = 10_000, bad = 100] = process.argv.slice(3).map(Number)
if (!Number.isInteger(events) || !Number.isInteger(bad) || bad < 0 || events <= bad) {
  console.error('usage: npm run faults -- poison [events] [poison ones]')
  process.exit(2)
}
const found = await withServers(() => poison({ events, bad, people: 10, say: line => console.log(line) }))
console.log(found)
process.exit(found.missing === 0 && found.letters === bad && found.strangers === 0 ? 0 : 1)
