import { Buffer } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'

/** Chunks are written together from so many bytes on: each write costs a thread's wake-up. */
const batchBytes = 512 * 1024
/** The medium begins with so many bytes while the next ones come, so that little is left to wait for at the end. */
const syncBytes = 8 * 1024 * 1024

/** Appends small chunks to a file: many at once, and while the next ones come. */
export type Appender = {
  /** Takes bytes no faster than they are written. Rejects with the error of what was written before, too. */
  write(bytes: Uint8Array): Promise<void>
  /** Writes what is left, and waits for all of it; with `durable` until it is on the medium. */
  end(): Promise<void>
}

/** @param durable whether the bytes survive a power cut once they are all written */
export function appenderOf(handle: FileHandle, { durable = false } = {}): Appender {
  let batch: Uint8Array[] = []
  let size = 0
  let underWay = Promise.resolve()
  let unsynced = 0
  let isSyncing = false
  let synced = Promise.resolve()

  /** Beside the writing, one at a time. What fails is kept for the end: the system tells it once. */
  const sync = (): void => {
    unsynced = 0
    isSyncing = true
    synced = synced.then(() => handle.datasync()).finally(() => (isSyncing = false))
    synced.catch(() => undefined)
  }

  const begin = async (): Promise<void> => {
    await underWay
    const [bytes, total] = [batch, size]
    batch = []
    size = 0
    underWay = writeAll(handle, bytes, total)
    // Whoever writes next hears of it.
    underWay.catch(() => undefined)
    unsynced += total
    if (durable && unsynced >= syncBytes && !isSyncing) sync()
  }
  return {
    async write(bytes) {
      batch.push(bytes)
      size += bytes.length
      if (size >= batchBytes) await begin()
    },
    async end() {
      if (size > 0) await begin()
      await underWay
      if (!durable) return
      await synced
      await handle.datasync()
    },
  }
}

/** Whether a file could not grow: the disk is full, or the share of it that is meant for us. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

async function writeAll(handle: FileHandle, chunks: Uint8Array[], total: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks)
  // A disk that fills up takes a part first and says why with the rest.
  if (bytesWritten < total) await handle.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
}
