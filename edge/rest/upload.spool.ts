import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const chunkBytes = 256 * 1024

/** Bytes that wait on disk for what comes after them. */
export type Spool = {
  /** Takes all there is. @returns how many bytes it was */
  fill(source: AsyncIterable<Buffer>): Promise<number>
  bytes(): AsyncIterable<Buffer>
  close(): Promise<void>
}

/** Opens a file in the folder for temporary ones (TMPDIR). It loses its name at once, so nothing of it outlives the process. */
export async function openSpool(): Promise<Spool> {
  const name = path.join(tmpdir(), `upload-${randomUUID()}`)
  const handle: FileHandle = await open(name, 'wx+', 0o600)
  await unlink(name)
  return {
    async fill(source) {
      let size = 0
      for await (const chunk of source) {
        await handle.write(chunk, 0, chunk.length, size)
        size += chunk.length
      }
      return size
    },
    bytes: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes }),
    close: () => handle.close(),
  }
}
