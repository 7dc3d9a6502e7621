import { readdirSync, readFileSync } from 'node:fs'

/** Text of a file; empty when its process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Id of this process's child that runs a script. */
export function childRunning(script: string): number {
  const found = readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .find(entry => {
      const [, parent] = read(`/proc/${entry}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ')
      return Number(parent) === process.pid && read(`/proc/${entry}/cmdline`).includes(script)
    })
  return Number(found)
}

/** CPU time of a process in ms. */
export function processorTime(pid: number): number {
  // After the name: state, ten other numbers, then user and system time in hundredths of a second.
  const [user, system] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11)
    .map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10
}

/** Resident MiB of a process. */
export const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** Peak of the resident MiB of a process since its start. */
export const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** The peak resident MiB of a process while `run` runs. */
export async function mostMemory<T>(pid: number, run: () => Promise<T>): Promise<{ most: number; result: T }> {
  let most = 0
  const look = () => {
    most = Math.max(most, residentMemory(pid))
  }
  const timer = setInterval(look, 10)
  try {
    const result = await run()
    look()
    return { most, result }
  } finally {
    clearInterval(timer)
  }
}
