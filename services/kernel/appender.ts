import { Buffer } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'

/** Chunks are written together from so many bytes on: each write costs a thread's wake-up. */
const batchBytes = 512 * 1024

/** Appends small chunks to a file: many at once, and while the next ones come. */
export type Appender = {
  /** Takes bytes no faster than they are written. Rejects with the error of what was written before, too. */
  write(bytes: Uint8Array): Promise<void>
  /** Writes what is left, and waits for all of it. */
  end(): Promise<void>
}

export function appenderOf(handle: FileHandle): Appender {
  let batch: Uint8Array[] = []
  let size = 0
  let underWay = Promise.resolve()

  const begin = async (): Promise<void> => {
    await underWay
    const [bytes, total] = [batch, size]
    batch = []
    size = 0
    underWay = writeAll(handle, bytes, total)
    // Whoever writes next hears of it.
    underWay.catch(() => undefined)
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
    },
  }
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[], total: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks)
  // A disk that fills up takes a part first and says why with the rest.
  if (bytesWritten < total) await handle.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
}
