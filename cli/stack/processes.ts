import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The system account a server runs as. */
export type Account = { name: string; uid: number; gid: number }

export type Launch = {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  stdio: StdioOptions
  account?: Account | undefined
}

let binds: boolean | undefined

/** Whether setpriv is here and can bind a child's life to ours (busybox has one that cannot). */
function bindsToParent(): boolean {
  binds ??= spawnSync('setpriv', ['--pdeathsig=TERM', 'sh', '-c', 'true'], { stdio: 'ignore' }).status === 0
  return binds
}

/**
 * Starts a child in a process group of its own, so that Ctrl-C reaches the launcher alone and children stop in order,
 * and bound to our life, so that a kill -9 of the launcher leaves none behind.
 */
export function launch({ command, args, env, stdio, account }: Launch): ChildProcess {
  const options = { env, stdio, detached: true }
  if (!bindsToParent()) {
    return spawn(command, args, account ? { ...options, uid: account.uid, gid: account.gid } : options)
  }
  // A change of user clears the death signal, hence setpriv twice.
  const change = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', 'setpriv'] : []
  // Who died before the child was bound is no longer its parent: then it does not begin.
  const unlessOrphan = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', `${process.pid}`]
  return spawn('setpriv', [...change, '--pdeathsig=TERM', ...unlessOrphan, command, ...args], options)
}

/** Sends a signal to a process, or with a negative id to a group; false when there is none any more. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** What the kernel says of a process after its name: state, parent, group … Undefined when there is none. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Whether a group has a process that is more than a zombie waiting for somebody to collect it. Linux only. */
export function groupLives(group: number): boolean {
  if (!existsSync('/proc/self/stat')) return false
  return readdirSync('/proc').some(name => {
    const [state, , its] = (/^\d+$/.test(name) && statOf(name)) || []
    return its === String(group) && state !== 'Z'
  })
}

/** When a living process began, in ticks since boot: with its pid its identity. Undefined when dead or not on Linux. */
export function startOf(pid: number): string | undefined {
  const stat = statOf(pid)
  return stat?.[0] === 'Z' ? undefined : stat?.[19]
}

/** Whether a process lives; `start`, when known, tells it from a later one with the same pid. */
export function isAlive(pid: number, start?: string): boolean {
  if (existsSync('/proc/self/stat')) {
    const now = startOf(pid)
    return now !== undefined && (start === undefined || now === start)
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Notes a server's process beside its data, for `endLeftover` of a later start. */
export function notePid(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, start: startOf(pid) }))
}

/**
 * Ends the server an earlier launcher left on our data (killed a moment ago, or no setpriv there).
 * The caller holds the folder's lock, so the process can be nobody else's.
 */
export async function endLeftover(file: string): Promise<void> {
  let noted: { pid: number; start?: string }
  try {
    noted = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return
  }
  for (let waited = 0; noted.start && isAlive(noted.pid, noted.start); waited += 50) {
    if (waited === 0 || waited === 10_000) signal(noted.pid, waited === 0 ? 'SIGTERM' : 'SIGKILL')
    await sleep(50)
  }
  rmSync(file, { force: true })
}
