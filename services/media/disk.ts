import { constants, type ReadStream } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const readBytes = 256 * 1024

/** The bytes of stored files, each under its id. */
export type Disk = {
  /** Begins a file that nobody can read before it is published. */
  begin(id: string): Promise<Draft>
  /** Opens a published file; undefined when it is not there. */
  read(id: string): Promise<ReadStream | undefined>
  /** Removes whatever there is of a file. */
  remove(id: string): Promise<void>
  /** Throws while the folder cannot be written. */
  ready(): Promise<void>
}

export type Draft = {
  write(bytes: Uint8Array): Promise<void>
  /** Makes the file readable under its id; it survives a power cut from here on. */
  publish(): Promise<void>
  /** Closes it; without publish before, the bytes stay behind for `remove`. */
  close(): Promise<void>
}

/** Keeps files under a folder: incoming/<id> while they grow, then files/<last two characters>/<id>. */
export async function openDisk(folder: string): Promise<Disk> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true })
  const draftPath = (id: string) => join(incoming, id)
  // The end of an id is random, so that no folder grows much larger than another.
  const shelf = (id: string) => join(folder, 'files', id.slice(-2))
  const finalPath = (id: string) => join(shelf(id), id)

  return {
    async begin(id) {
      const handle = await open(draftPath(id), 'wx', 0o640)
      let closed = false
      const close = async () => {
        if (closed) return
        closed = true
        await handle.close()
      }
      return {
        write: bytes => handle.appendFile(bytes),
        async publish() {
          await handle.datasync()
          await close()
          await mkdir(shelf(id), { recursive: true })
          await rename(draftPath(id), finalPath(id))
          await syncFolder(shelf(id))
        },
        close,
      }
    },
    async read(id) {
      const handle = await openIfThere(finalPath(id))
      return handle?.createReadStream({ highWaterMark: readBytes })
    },
    async remove(id) {
      await rm(draftPath(id), { force: true })
      await rm(finalPath(id), { force: true })
    },
    ready: () => access(incoming, constants.W_OK),
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A new name is on the medium only once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
