import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestFile } from './manifest.ts'

const nameForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/** The name of a scheduled backup, whose order is that of time: 2026-11-29T01-02-03Z. */
export const folderNameAt = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/**
 * Deletes all scheduled backups of a folder but the newest. What has another name, or is no complete backup, stays.
 * @returns the deleted folders
 */
export async function deleteOldBackups(parent: string, keep: number): Promise<string[]> {
  const names = (await readdir(parent)).filter(
    name => nameForm.test(name) && existsSync(join(parent, name, manifestFile)),
  )
  const folders = names
    .toSorted()
    .slice(0, -keep)
    .map(name => join(parent, name))
  // The manifest goes first, so that an interrupted deletion leaves nothing that looks complete.
  for (const folder of folders) {
    await rm(join(folder, manifestFile))
    await rm(folder, { recursive: true })
  }
  return folders
}
