import { linkSync, mkdirSync, readFileSync, rmSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './errors.ts'
import { isAlive, startOf } from './processes.ts'

type Holder = { pid: number; start?: string }

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

function holderOf(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The process that holds a data folder, unless there is none. */
export function lockHolder(dataDir: string): number | undefined {
  const holder = holderOf(join(dataDir, 'lock'))
  return holder && isAlive(holder.pid, holder.start) ? holder.pid : undefined
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
    for (let attempt = 0; ; attempt++) {
      try {
        linkSync(mine, file)
        break
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const holder = holderOf(file)
      if (holder && isAlive(holder.pid, holder.start)) throw inUse(dataDir, holder.pid)
      if (attempt === 5) throw new LaunchError(`The lock ${file} can not be taken over; remove it when no copy runs.`)
      removeStale(file)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return () => {
    if (holderOf(file)?.pid === process.pid) rmSync(file, { force: true })
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
    if (!holder || !isAlive(holder.pid, holder.start)) unlinkSync(file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    rmdirSync(turn)
  }
}
