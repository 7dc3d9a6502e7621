import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countTemporaryFile } from '../../../services/kernel/files/temporary-files.ts'

const readBytes = 256 * 1024

/** Bytes buffered on disk. */
type Spool = {
  /**
   * Reads the whole source. ServiceUnavailableError when there is no room for it.
   * @returns its number of bytes
   */
  fill(source: AsyncIterable<Buffer>): Promise<number>
  bytes(): AsyncIterable<Buffer>
  close(): Promise<void>
}

/**
 * Opens a file in the folder for temporary files (TMPDIR). It is unlinked at once, so that it doesn't outlive the
 * process.
 * @param holder whose file it is
 */
export async function openSpool(holder: string): Promise<Spool> {
  const name = path.join(tmpdir(), `upload-${randomUUID()}`)
  const handle: FileHandle = await open(name, 'wx+', 0o600)
  await unlink(name)
  const temporaryFile = countTemporaryFile(holder)
  return {
    async fill(source) {
      let size = 0
      for await (const chunk of source) {
        temporaryFile.grow(chunk.length)
        await handle.appendFile(chunk)
        size += chunk.length
      }
      return size
    },
    bytes: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: readBytes }),
    close: () => handle.close().finally(temporaryFile.end),
  }
}
