import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './errors.ts'
import { isAlive, startOf } from './processes.ts'

type Holder = { pid: number; start?: string }

/** How long others may be at taking over a dead process's lock; one that died at it is passed over after ten seconds. */
const patienceMs = 20_000

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Who a lock names: 'none' where there is no lock, undefined where it names nobody. */
function holderOf(file: string): Holder | 'none' | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'none' : undefined
  }
}

const livingPid = (holder: Holder | 'none' | undefined): number | undefined =>
  holder && holder !== 'none' && isAlive(holder.pid, holder.start) ? holder.pid : undefined

/** The process that holds a data folder, unless there is none. */
export function lockHolder(dataDir: string): number | undefined {
  return livingPid(holderOf(join(dataDir, 'lock')))
}

const inUse = (dataDir: string, pid: number) =>
  new LaunchError(
    `The data folder ${dataDir} is in use by another copy of the platform (process ${pid}).\n` +
      `Stop that one, or give this one a folder of its own: DATA_DIR=/another/folder npm start`,
  )

/**
 * Takes the data folder for this process; a lock whose process is dead is taken over.
 * @returns what gives it back
 */
export function lockFolder(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  const mine = join(dataDir, `lock.${process.pid}`)
  writeFileSync(mine, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), { mode: 0o644 })
  try {
    const until = Date.now() + patienceMs
    for (;;) {
      try {
        linkSync(mine, file)
        break
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const pid = livingPid(holderOf(file))
      if (pid !== undefined) throw inUse(dataDir, pid)
      if (Date.now() > until)
        throw new LaunchError(`The lock ${file} can not be taken over; remove it when no copy runs.`)
      removeStale(file)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return () => {
    if (livingPid(holderOf(file)) === process.pid) rmSync(file, { force: true })
  }
}

/** Removes a dead process's lock. One at a time: a second remover could hit the lock the first one has just taken. */
function removeStale(file: string): void {
  const turn = `${file}.takeover`
  try {
    mkdirSync(turn)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const age = Date.now() - (statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 10_000) rmSync(turn, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    return
  }
  try {
    const holder = holderOf(file)
    // Where there is none any more somebody may take it at any moment, and that one is not to be removed.
    if (holder !== 'none' && livingPid(holder) === undefined) rmSync(file, { force: true })
  } finally {
    rmSync(turn, { recursive: true, force: true })
  }
}
