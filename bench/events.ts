import { createConnection } from 'mysql2/promise'
import { connectBus } from '../services/kernel/bus.ts'
import { newId } from '../services/kernel/ids.ts'
import { median } from './support/load.ts'
import { type Seeded, seed, startPlatform, withServers } from './support/world.ts'

const quickly = process.argv.includes('--quick')
const [rounds, events] = quickly ? [1, 100] : [5, 400]
const people = 1000
const inFlight = 16

const envelope = ({ workspaceId, hotelId, memberIds }: Seeded) => ({
  type: 'page.created',
  workspaceId,
  ecosystemId: hotelId,
  workspaceName: 'Bench',
  payload: { id: newId(), title: 'Weekly news', parent: null, medias: [] },
  channels: ['socket'],
  metadata: {
    timestamp: new Date().toISOString(),
    actor: { id: newId(), name: 'Ada Chef', type: 'member' },
    receiverIds: memberIds,
    occurrenceId: newId(),
  },
})

/** One event to 1,000 receivers: from the bus to a notification and its receiver rows, committed. */
export async function benchEvents(): Promise<string> {
  return withServers(async () => {
    const platform = await startPlatform('one')
    const seeded = await seed(platform, people, 0)
    const bus = await connectBus({
      url: platform.env['AMQP_GATEWAY_URL'] ?? '',
      stream: platform.env['AMQP_EXCHANGE_NAME'] ?? '',
      name: 'bench',
    })
    const db = await createConnection(platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
    const count = async (table: string): Promise<number> => {
      const [rows] = await db.query(`select count(*) as n from ${table}`)
      return Number((rows as { n: number }[])[0]?.n)
    }
    const round = async (number: number): Promise<number> => {
      const before = await count('notifications')
      const started = performance.now()
      let left = number
      const publish = async () => {
        while (left-- > 0)
          await bus.publish('platform.notification.page.created', JSON.stringify(envelope(seeded)), { id: newId() })
      }
      await Promise.all(Array.from({ length: inFlight }, publish))
      while ((await count('notifications')) < before + number) await new Promise(resolve => setTimeout(resolve, 20))
      return number / ((performance.now() - started) / 1000)
    }
    const storedBefore = await count('receivers')
    await round(50)
    const rates: number[] = []
    for (let i = 0; i < rounds; i++) rates.push(await round(events))
    const stored = (await count('receivers')) - storedBefore
    const expected = (50 + rounds * events) * people
    await db.end()
    await bus.close()
    await platform.stop()
    return [
      '| measure | figure |\n|-|-|',
      `| events of ${people} receivers stored per second | ${median(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}) |`,
      `| receiver rows missing | ${expected - stored} of ${expected} |`,
    ].join('\n')
  })
}
