import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { appenderOf } from '../../../services/kernel/base/appender.ts'

const readBytes = 256 * 1024

/** Bytes buffered on disk. */
export type Spool = {
  /**
   * Reads the whole source.
   * @returns its number of bytes
   */
  fill(source: AsyncIterable<Buffer>): Promise<number>
  bytes(): AsyncIterable<Buffer>
  close(): Promise<void>
}

/**
 * Opens a file in the folder for temporary files (TMPDIR). It is unlinked at once, so that it doesn't outlive the
 * process.
 */
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
