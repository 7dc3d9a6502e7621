import type { Log } from '../kernel/log.ts'
import { systemTenant } from '../kernel/tenant.ts'
import { openRemovals } from './files.sql.ts'
import { removeBytes } from './removal.ts'
import { abandonedMs, abandonUpload } from './reservation.ts'
import { abandonedUploads } from './storage.sql.ts'
import type { Media } from './upload.ts'

const everyMs = 60_000

/** Clears what a process that died has left: space and bytes of uploads under way, bytes of deleted files. */
export async function sweep(media: Pick<Media, 'db' | 'disk'>, now = Date.now()): Promise<void> {
  const { db } = media
  for (const upload of await abandonedUploads(db, new Date(now - abandonedMs))) {
    await abandonUpload(media, systemTenant('', upload.ecosystem_id, 'an abandoned upload is given up'), upload.id)
  }
  await removeBytes(media, await openRemovals(db, new Date(now - everyMs)))
}

/** Sweeps now and every minute. Several processes may do so at once. @returns what stops it */
export function startSweep(media: Media, log: Log): () => Promise<void> {
  let running = Promise.resolve()
  const run = () => {
    running = running
      .then(() => sweep(media))
      .catch((error: unknown) => log.warn({ err: error }, 'the media sweep failed and will be tried again'))
  }
  run()
  const timer = setInterval(run, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
