import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { appenderOf } from '../../../services/kernel/base/appender.ts'

const readBytes = 256 * 1024

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
      const appender = appenderOf(handle)
      let size = 0
      for await (const chunk of source) {
        await appender.write(chunk)
        size += chunk.length
      }
      await appender.end()
      return size
    },
    bytes: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: readBytes }),
    close: () => handle.close(),
  }
}
