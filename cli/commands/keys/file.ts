import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { CommandError } from '../command.ts'

/** Changes of settings: a value, or undefined to remove one. */
export type Changes = Record<string, string | undefined>

/** A file with settings: secrets.json of a data folder, or lines of NAME=value. */
export type KeyFile = {
  path: string
  isJson: boolean
  get(name: string): string | undefined
  /** Writes all of the changes or none, readable only by the owner. */
  write(changes: Changes): void
}

/** Opens a file of settings. Throws a CommandError when it is missing or unreadable. */
export function keyFile(path: string): KeyFile {
  if (!existsSync(path)) throw new CommandError(`${path} does not exist.`)
  const text = readFileSync(path, 'utf8')
  const isJson = path.endsWith('.json')
  const values = isJson ? jsonValues(path, text) : lineValues(text)
  return {
    path,
    isJson,
    get: name => values[name] || undefined,
    write: changes =>
      replace(path, now => (isJson ? changedJson(jsonValues(path, now), changes) : changedLines(now, changes))),
  }
}

function jsonValues(path: string, text: string): Record<string, string> {
  try {
    return JSON.parse(text)
  } catch {
    // Node's own message would quote the text, which holds secrets.
    throw new CommandError(`${path} is not valid JSON.`)
  }
}

const line = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/

function lineValues(text: string): Record<string, string> {
  const entries = text.split('\n').flatMap(text => {
    const [, name, value = ''] = line.exec(text) ?? []
    return name ? [[name, value.trim().replace(/^(['"])(.*)\1$/, '$2')] as const] : []
  })
  return Object.fromEntries(entries)
}

function changedJson(values: Record<string, string>, changes: Changes): string {
  const entries = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== undefined)
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

/** The lines with the changes applied; all others stay. A new name follows the name that it begins with. */
function changedLines(text: string, changes: Changes): string {
  const open = new Map(Object.entries(changes))
  const lines = text.replace(/\n$/, '').split('\n')
  const keptLines = lines.flatMap(text => {
    const [, name = ''] = line.exec(text) ?? []
    if (!(name in changes)) return [text]
    // Of several lines of one name the last counts, so all of them are replaced.
    const value = open.get(name)
    open.delete(name)
    return value === undefined ? [] : [`${name}=${value}`]
  })
  for (const [name, value] of open) {
    if (value === undefined) continue
    const stem = name.replace(/_(NEXT|PREVIOUS)$/, '')
    const index = keptLines.findLastIndex(text => line.exec(text)?.[1]?.startsWith(stem))
    keptLines.splice(index < 0 ? keptLines.length : index + 1, 0, `${name}=${value}`)
  }
  return `${keptLines.join('\n')}\n`
}

/** Replaces a file by a rename, so that readers always see a whole one. */
function replace(path: string, change: (text: string) => string): void {
  const next = `${path}.new`
  const { uid, gid } = statSync(path)
  let file: number
  try {
    file = openSync(next, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(
      `${next} exists: another run is in progress or was interrupted. If it was interrupted, remove the file.`,
    )
  }
  try {
    writeSync(file, change(readFileSync(path, 'utf8')))
    fsyncSync(file)
    closeSync(file)
    if (process.getuid?.() === 0) chownSync(next, uid, gid)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}
