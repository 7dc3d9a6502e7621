import { systemTenant } from '../../kernel/access/tenant.ts'
import { purgeKernelTables } from '../../kernel/database/retention.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Context } from '../context.ts'
import { removeBytes } from '../files/removal.ts'
import { openRemovals } from '../files.sql.ts'
import { sweepScratch } from '../pictures/scratch.ts'
import { abandonedUploads, uploadsAmong } from '../quotas/storage.sql.ts'
import { abandonedMs, abandonUpload } from './reservation.ts'

const everyMs = 60_000
/** Longer than a picture can wait for its turn. */
const scratchMs = 60 * everyMs

/**
 * Cleans up after dead processes: space and bytes of uploads in progress, drafts without an upload, bytes of deleted
 * files, temporary files. Also deletes expired records.
 */
export async function sweep(media: Pick<Context, 'db' | 'objects' | 'log'>, now = Date.now()): Promise<void> {
  const { db, objects, log } = media
  /** One that fails is retried by the next sweep and doesn't keep the others waiting. */
  const logFailure = (id: string, work: Promise<void>) =>
    work.catch((err: unknown) => log.warn({ id, err }, 'leftovers of an upload not removed; retrying'))
  for (const { id, ecosystem_id } of await abandonedUploads(db, new Date(now - abandonedMs)))
    await logFailure(
      id,
      abandonUpload(media, systemTenant('', ecosystem_id, 'an upload without progress is abandoned'), id),
    )
  const drafts = await objects.drafts(new Date(now - abandonedMs))
  const livingDraftIds = await uploadsAmong(db, drafts)
  for (const id of drafts) if (!livingDraftIds.has(id)) await logFailure(id, objects.discard(id))
  await removeBytes(media, await openRemovals(db, new Date(now - everyMs)))
  await sweepScratch(new Date(now - scratchMs))
  await purgeKernelTables(db)
}

/** Sweeps now and every minute; several processes may do so concurrently. @returns stops it */
export function startSweep(media: Context): () => Promise<void> {
  const logFailure = (error: unknown) => media.log.warn({ err: error }, 'media sweep failed; retrying')
  const sweepTask = repeatEvery(everyMs, () => sweep(media), logFailure)
  void sweepTask.run()
  return sweepTask.stop
}
