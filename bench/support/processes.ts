import { readdirSync, readFileSync } from 'node:fs'

/*
 * What processes use, from /proc. Linux only.
 */

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/** Text of a file; empty when its process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A process's parent and CPU seconds. */
type Process = { pid: number; parent: number; seconds: number }

function processOf(pid: number): Process | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  // After the name: state, parent, nine other numbers, then user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number)
  return { pid, parent, seconds: (user + system) / ticksPerSecond }
}

const everyProcess = (): Process[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processOf(Number(name)) ?? [])

/** These processes and their descendants. */
function families(pids: readonly number[]): Process[] {
  const processes = everyProcess()
  const below = Map.groupBy(processes, one => one.parent)
  const family = processes.filter(one => pids.includes(one.pid))
  for (const one of family) family.push(...(below.get(one.pid) ?? []))
  return family
}

/** Ids of this process's children whose command line contains a text. */
export const childrenNamed = (text: string): number[] =>
  everyProcess()
    .filter(({ pid, parent }) => parent === process.pid && read(`/proc/${pid}/cmdline`).includes(text))
    .map(({ pid }) => pid)

/** Id of this process's child whose command line contains a text; 0 without one. */
export const childRunning = (text: string): number => childrenNamed(text)[0] ?? 0

/** CPU seconds of these processes and their descendants. */
export const processorSeconds = (pids: readonly number[]): number =>
  families(pids).reduce((sum, one) => sum + one.seconds, 0)

/** CPU time of one process in ms. */
export const processorTime = (pid: number): number => (processOf(pid)?.seconds ?? 0) * 1_000

/** Resident MiB of a process. */
export const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** MiB of the Node processes among a process and its descendants, pages of several processes shared out (PSS). */
export const nodeMemory = (pid: number): number =>
  families([pid])
    .filter(one => /^(node|MainThread)/.test(read(`/proc/${one.pid}/comm`)))
    .reduce(
      (sum, { pid }) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024,
      0,
    )

/** The peak resident MiB of a process while `run` runs. */
export async function mostMemory<T>(pid: number, run: () => Promise<T>): Promise<{ peak: number; result: T }> {
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, residentMemory(pid))
  }
  const timer = setInterval(sample, 10)
  try {
    const result = await run()
    sample()
    return { peak, result }
  } finally {
    clearInterval(timer)
  }
}
