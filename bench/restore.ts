import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { mainJob } from '../cli/tour/main-job.ts'
import { newWorld } from '../cli/tour/world.ts'
import { connectDatabase } from '../services/kernel/database/connection.ts'
import type { Environment } from '../services/kernel/process/config.ts'
import { type Attempt, startWriting } from '../test/faults/load.ts'
import { runCommand } from '../test/kit/command.ts'
import { emptyPlace } from '../test/kit/platform/empty-place.ts'
import { ready, startProcess } from '../test/kit/process.ts'
import { fillGroup, groups, startGrowthPlatform } from './growth.ts'
import { line } from './support/figures.ts'
import { bySize } from './support/size.ts'
import { withServers } from './support/world.ts'

/** Rows of each growing table. */
const rowCount = bySize(1_000_000, 100_000, 1_000)
const writers = 3

const isAcknowledged = ({ outcome }: Attempt): boolean => outcome === 'acknowledged'

const secondsSince = (start: number): string => ((Date.now() - start) / 1_000).toFixed(1)

/**
 * A backup while people write, and its restore on another place: what is lost when the disaster comes as the backup ends
 * (RPO, beside the time between two backups), and how long it takes until the first request is answered (RTO).
 */
export async function benchRestore(): Promise<string> {
  return withServers(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-restore-'))
    const source = await startGrowthPlatform(rowCount)
    const place = await emptyPlace(source.platform.env, join(folder, 'place'))
    try {
      for (const group of groups) await fillGroup(group, source)
      const world = newWorld({ ...source.platform, report: () => undefined })
      for (const step of mainJob) await step.run(world)
      for (const socket of Object.values(world.sockets)) socket?.close()

      const load = startWriting(world, writers)
      await sleep(3_000)
      const writtenBefore = load.attempts.filter(isAcknowledged)
      const backupAt = Date.now()
      const env = { ...source.platform.env, BACKUP_DATABASE_URL: process.env['TEST_DATABASE_URL'] }
      const manifest = await command(env, 'backup', join(folder, 'backup'))
      const endedAt = Date.now()
      await load.stop()
      const rows = manifest.databases.flatMap(({ rows: tables }) => Object.values(tables)).reduce((a, b) => a + b, 0)
      const bytes = manifest.databases.reduce((sum, database) => sum + database.bytes, 0)

      const restoreAt = Date.now()
      await command(place.env, 'restore', join(folder, 'backup'))
      const restoreSeconds = secondsSince(restoreAt)
      const ports = Object.entries(source.platform.env).filter(([name]) => name.endsWith('_PORT'))
      await source.stop()
      const startAt = Date.now()
      const platform = startProcess('cli/worker.ts', { ...place.env, ...Object.fromEntries(ports), LOG_LEVEL: 'error' })
      await ready('platform', platform.child)
      const startSeconds = secondsSince(startAt)
      const comments = await restoredComments(place.env)
      await platform.stop()

      const isLost = ({ content }: Attempt) => !comments.has(content)
      const restoredWrites = load.attempts.filter(attempt => !isLost(attempt))
      const newest = Math.max(backupAt, ...restoredWrites.map(({ startedAt }) => startedAt))
      return [
        line('rows', 'backup', 'size', 'lost of before', 'RPO at its end', 'restore', 'start', 'RTO'),
        '|-|-|-|-|-|-|-|-|',
        line(
          rows.toLocaleString('en'),
          `${((endedAt - backupAt) / 1_000).toFixed(1)} s`,
          `${(bytes / 1_000_000).toFixed(0)} MB`,
          `${writtenBefore.filter(isLost).length} of ${writtenBefore.length}`,
          `${((endedAt - newest) / 1_000).toFixed(1)} s`,
          `${restoreSeconds} s`,
          `${startSeconds} s`,
          `${(Number(restoreSeconds) + Number(startSeconds)).toFixed(1)} s`,
        ),
      ].join('\n')
    } finally {
      await source.stop().catch(() => undefined)
      await place.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

type Databases = { databases: { rows: Record<string, number>; bytes: number }[] }

async function command(env: Environment, ...words: string[]): Promise<Databases> {
  const { status, stdout, stderr } = await runCommand([...words, '--json'], env)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Databases
}

async function restoredComments(env: Environment): Promise<ReadonlySet<string>> {
  const db = await connectDatabase(env['NEWS_DATABASE_URL'] ?? '')
  const [rows] = await db.query<RowDataPacket[]>("select content from comments where content like 'comment %'")
  await db.end()
  return new Set(rows.map(row => String(row['content'])))
}
