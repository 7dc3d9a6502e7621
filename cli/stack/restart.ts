import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LaunchError } from './errors.ts'
import { lockHolder } from './lock.ts'
import { signal } from './processes.ts'

/** The result of a request to replace processes. */
export type Restarted = { count: number; tookMs?: number; error?: string }

/** Asks the launcher of a data folder to replace its processes. SIGHUP would mean a closed terminal. */
export const restartSignal = 'SIGUSR2'

const fileOf = (dataDir: string): string => join(dataDir, 'restart.json')

/** Stores the result for the requester. */
export function noteRestart(dataDir: string, what: Restarted): void {
  const file = fileOf(dataDir)
  writeFileSync(`${file}.new`, JSON.stringify(what))
  renameSync(`${file}.new`, file)
}

/**
 * Makes the launcher of a data folder replace its processes, and waits for the result.
 * @throws LaunchError when none runs there, or it ends meanwhile
 */
export async function askRestart(dataDir: string): Promise<Restarted> {
  const file = fileOf(dataDir)
  const pid = lockHolder(dataDir)
  if (pid === undefined)
    throw new LaunchError(`No platform is running in ${dataDir}. Set DATA_DIR if it runs in another folder.`)
  rmSync(file, { force: true })
  signal(pid, restartSignal)
  for (;;) {
    // A launcher may store the result just before it ends.
    const isThere = lockHolder(dataDir) === pid
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Restarted
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    if (!isThere) throw new LaunchError(`The platform in ${dataDir} stopped meanwhile.`)
    await sleep(50)
  }
}
