import { readdirSync, readFileSync } from 'node:fs'

/** A process's parent and CPU seconds, from /proc. */
type Process = { pid: number; parent: number; seconds: number }

const ticksPerSecond = 100

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

function everyProcess(): Process[] {
  return readdirSync('/proc').flatMap(name => {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    if (stat === '') return []
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
    return [{ pid: Number(name), parent: parent ?? 0, seconds: ((user ?? 0) + (system ?? 0)) / ticksPerSecond }]
  })
}

/** CPU seconds of these processes and their descendants. Linux only. */
export function processorSeconds(pids: readonly number[]): number {
  const below = Map.groupBy(everyProcess(), one => one.parent)
  const all = everyProcess().filter(one => pids.includes(one.pid))
  for (const one of all) all.push(...(below.get(one.pid) ?? []))
  return all.reduce((sum, one) => sum + one.seconds, 0)
}

/** Ids of this process's children whose command line contains a text. */
export const childrenNamed = (text: string): number[] =>
  everyProcess()
    .filter(({ pid, parent }) => parent === process.pid && read(`/proc/${pid}/cmdline`).includes(text))
    .map(({ pid }) => pid)
