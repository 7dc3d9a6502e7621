import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './messages.ts'
import { isAlive, startTimeOf } from './processes.ts'

type Holder = { pid: number; start?: string }

/** How long to wait while other processes take over a dead one's lock, in ms: one that dies meanwhile costs 10 s. */
const takeoverMs = 20_000

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** The holder of a lock file: 'none' without a file, undefined for an unreadable one. */
function holderOf(file: string): Holder | 'none' | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'none' : undefined
  }
}

const livingPidOf = (holder: Holder | 'none' | undefined): number | undefined =>
  holder && holder !== 'none' && isAlive(holder.pid, holder.start) ? holder.pid : undefined

const folderInUse = (dataDir: string, pid: number) =>
  new LaunchError(
    `The data folder ${dataDir} is in use by another copy of the platform (process ${pid}).\n` +
      `Stop it (kill -INT ${pid}), or use another folder: DATA_DIR=/another/folder npm start`,
  )

/**
 * Locks the data folder for this process, taking over the lock of a dead one.
 * @returns a function that releases it
 */
export function lockFolder(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  const ownFile = join(dataDir, `lock.${process.pid}`)
  writeFileSync(ownFile, JSON.stringify({ pid: process.pid, start: startTimeOf(process.pid) }), { mode: 0o644 })
  try {
    const until = Date.now() + takeoverMs
    for (;;) {
      try {
        linkSync(ownFile, file)
        break
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const pid = livingPidOf(holderOf(file))
      if (pid !== undefined) throw folderInUse(dataDir, pid)
      if (Date.now() > until)
        throw new LaunchError(`The lock ${file} cannot be taken over. Remove it if no copy is running.`)
      removeStale(file)
    }
  } finally {
    rmSync(ownFile, { force: true })
  }
  return () => {
    if (livingPidOf(holderOf(file)) === process.pid) rmSync(file, { force: true })
  }
}

/**
 * Removes a dead process's lock. One remover at a time: a second one could delete the lock that the first has just
 * taken.
 */
function removeStale(file: string): void {
  const takeoverFolder = `${file}.takeover`
  try {
    mkdirSync(takeoverFolder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const age = Date.now() - (statSync(takeoverFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 10_000) rmSync(takeoverFolder, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    return
  }
  try {
    const holder = holderOf(file)
    // Once the file is gone, another process may create it at any moment; that one must not be removed.
    if (holder !== 'none' && livingPidOf(holder) === undefined) rmSync(file, { force: true })
  } finally {
    rmSync(takeoverFolder, { recursive: true, force: true })
  }
}
