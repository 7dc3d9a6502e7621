import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTemporaryFile } from '../../kernel/files/temporary-files.ts'

const prefix = 'picture-'

/** A picture under a name that the decoding process can open. */
export type Scratch = {
  path: string
  handle: FileHandle
  /** ServiceUnavailableError when there is no room. */
  write(bytes: Uint8Array): Promise<void>
  /** Where the decoding process writes its result. */
  resultPath: string
  remove(): Promise<void>
}

/**
 * Opens a file in the folder for temporary files (TMPDIR).
 * @param holder whose picture it is
 */
export async function openScratch(holder: string): Promise<Scratch> {
  const path = join(tmpdir(), prefix + randomUUID())
  const resultPath = `${path}.result`
  const handle = await open(path, 'wx+', 0o600)
  const usage = countTemporaryFile(holder)
  return {
    path,
    handle,
    async write(bytes) {
      usage.grow(bytes.length)
      await handle.appendFile(bytes)
    },
    resultPath,
    async remove() {
      await handle.close()
      await Promise.all([path, resultPath].map(name => rm(name, { force: true })))
      usage.end()
    },
  }
}

/** Removes what processes that died have left. */
export async function sweepScratch(before: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const info = await stat(path).catch(() => undefined)
    if (info && info.mtime < before) await rm(path, { force: true })
  }
}
