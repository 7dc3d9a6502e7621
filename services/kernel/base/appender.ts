import { Buffer } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'

/*
 * Writes a durable file of 200 MB in nine tenths of the time (`npm run bench -- uploads --quick`). The plain
 * form is one `handle.write` per chunk and one `handle.datasync` at the end.
 */

/** Chunks are written together from this size: each write costs a thread's wake-up. */
const batchBytes = 512 * 1024
/** A sync starts after this many bytes while more arrive, so that little is left to wait for at the end. */
const syncBytes = 8 * 1024 * 1024

/** Appends small chunks to a file in batches, while further ones arrive. */
export type Appender = {
  /** Applies back-pressure. Rejects with the error of an earlier write, too. */
  write(bytes: Uint8Array): Promise<void>
  /** Writes the rest and waits for it; with `durable`, until it is on the medium. */
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

  /** Runs beside the writes, one at a time. A failure is kept for the end, because the system reports it only once. */
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
    // The next write reports the error.
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

/** Whether a file couldn't grow because the disk or the quota is full. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

async function writeAll(handle: FileHandle, chunks: Uint8Array[], total: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks)
  // A disk that fills up first accepts a part; the write of the rest reports why.
  if (bytesWritten < total) await handle.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
}
