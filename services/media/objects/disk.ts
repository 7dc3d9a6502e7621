import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectDraft, ObjectStore } from './objects.ts'

const readBytes = 256 * 1024
const idLength = 24

/** Stores files in a folder: incoming/<name> while being written, then files/<last two characters of the id>/<name>. */
export async function openDisk(folder: string): Promise<ObjectStore> {
  const incomingFolder = join(folder, 'incoming')
  await mkdir(incomingFolder, { recursive: true })
  await access(incomingFolder, constants.W_OK)
  const draftPath = (name: string) => join(incomingFolder, name)
  // Ids end randomly, so the folders stay of similar size.
  const shardFolder = (name: string) => join(folder, 'files', name.slice(idLength - 2, idLength))
  const finalPath = (name: string) => join(shardFolder(name), name)

  const beginAs = async (draft: string, name: string): Promise<ObjectDraft> => {
    const handle = await open(draftPath(draft), 'wx', 0o640)
    let isClosed = false
    const close = async () => {
      if (isClosed) return
      isClosed = true
      await handle.close()
    }
    return {
      write: bytes => handle.appendFile(bytes),
      async publish() {
        await handle.datasync()
        await close()
        await mkdir(shardFolder(name), { recursive: true })
        await rename(draftPath(draft), finalPath(name))
        await syncFolder(shardFolder(name))
      },
      close,
    }
  }
  return {
    begin: id => beginAs(id, id),
    async put(name, bytes) {
      // Two processes may make the same thumbnail concurrently.
      const draft = await beginAs(`${name}.${randomBytes(6).toString('hex')}`, name)
      try {
        await draft.write(bytes)
        await draft.publish()
      } finally {
        await draft.close()
      }
    },
    async read(name, range) {
      const handle = await openIfThere(finalPath(name))
      return handle?.createReadStream({ highWaterMark: readBytes, ...range })
    },
    async remove(names) {
      for (const name of names) await rm(finalPath(name), { force: true })
    },
    discard: id => rm(draftPath(id), { force: true }),
    async drafts(before) {
      const names = await readdir(incomingFolder)
      const isOld = await Promise.all(names.slice(0, 1000).map(name => isOlder(draftPath(name), before)))
      return names.filter((_, index) => isOld[index])
    },
    ready: () => access(incomingFolder, constants.W_OK),
    close: () => undefined,
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  try {
    return (await stat(path)).mtime < before
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** A file name is durable only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
