import { execFileSync } from 'node:child_process'
import type { RowDataPacket } from 'mysql2/promise'
import { nodeMemory } from '../../../bench/support/processes.ts'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectBus } from '../../../services/kernel/bus/bus.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Fleet } from '../fleet/fleet.ts'

/** What a platform holds at a moment. */
export type Sample = {
  /** MiB of each kind's processes (PSS). */
  memory: Record<string, number>
  /** Events that consumers haven't settled; null while the broker doesn't answer. */
  lag: number | null
  /** Events that the broker doesn't have yet; null while a database doesn't answer. */
  outbox: number | null
  /** MB of the databases' files and of the broker's. */
  disk: number
}

/** Messages that consumers haven't settled, and dead letters, at the broker that the platform uses. */
export async function backlogOf({ env, bus }: Fleet['platform']): Promise<{ unsettled: number; dead: number }> {
  const watcher = await connectBus({ url: env['AMQP_GATEWAY_URL'] ?? '', stream: bus.stream, name: 'faults' })
  try {
    const { consumers, dead } = await watcher.backlog()
    return { unsettled: consumers.reduce((sum, one) => sum + one.waiting + one.delivered, 0), dead }
  } finally {
    await watcher.close()
  }
}

/** The sum of a count over the databases of the services. */
export async function countRows(
  { env }: Fleet['platform'],
  count: string,
  services: readonly ServiceName[] = serviceNames,
): Promise<number> {
  let sum = 0
  for (const service of services) {
    const db = await connectDatabase(env[`${service.toUpperCase()}_DATABASE_URL`] ?? '')
    try {
      const [[row]] = await db.query<RowDataPacket[]>(`select count(*) as n from ${count}`)
      sum += Number(row?.['n'])
    } finally {
      await db.end()
    }
  }
  return sum
}

/** The events that the broker doesn't have yet. */
export const unpublishedEvents = 'outbox where published_at is null'

const megabytes = (folder: string): number =>
  Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0])

export async function takeSample({ names, processes, platform }: Fleet, folder: string): Promise<Sample> {
  const memory = (name: string) => processes(name).reduce((sum, { child }) => sum + nodeMemory(child.pid ?? 0), 0)
  return {
    memory: Object.fromEntries(names.map(name => [name, Math.round(memory(name))])),
    lag: await backlogOf(platform).then(
      ({ unsettled }) => unsettled,
      () => null,
    ),
    outbox: await countRows(platform, unpublishedEvents).catch(() => null),
    disk: megabytes(folder) + megabytes(platform.bus.store),
  }
}
