import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The system account a server runs as. */
export type UnixAccount = { name: string; uid: number; gid: number }

type Launch = {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  stdio: StdioOptions
  account?: UnixAccount | undefined
}

let canBind: boolean | undefined

/** Whether setpriv exists and can bind a child's life to its parent's (busybox's can't). */
function bindsToParent(): boolean {
  canBind ??= spawnSync('setpriv', ['--pdeathsig=TERM', 'sh', '-c', 'true'], { stdio: 'ignore' }).status === 0
  return canBind
}

/**
 * Starts a child in a separate process group, so that Ctrl-C reaches only the launcher, which stops its children in
 * order. The child ends with this process, even after a kill -9.
 */
export function startChild({ command, args, env, stdio, account }: Launch): ChildProcess {
  const options = { env, stdio, detached: true }
  if (!bindsToParent()) {
    return spawn(command, args, account ? { ...options, uid: account.uid, gid: account.gid } : options)
  }
  // A change of user clears the death signal, so setpriv runs twice.
  const change = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', 'setpriv'] : []
  // If the parent died before the child was bound, the child doesn't start.
  const execUnlessOrphan = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', `${process.pid}`]
  return spawn('setpriv', [...change, '--pdeathsig=TERM', ...execUnlessOrphan, command, ...args], options)
}

/** Sends a signal to a process, or with a negative id to a group; false when it no longer exists. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** The fields of /proc/PID/stat after the name: state, parent, group … Undefined without a process. */
function readStat(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Whether a group has a process other than zombies. Linux only. */
export function isGroupAlive(group: number): boolean {
  if (!existsSync('/proc/self/stat')) return false
  return readdirSync('/proc').some(name => {
    const [state, , groupId] = (/^\d+$/.test(name) && readStat(name)) || []
    return groupId === String(group) && state !== 'Z'
  })
}

/**
 * A living process's start in ticks since boot, which with its pid identifies it. Undefined when dead or not on Linux.
 */
export function startTimeOf(pid: number): string | undefined {
  const stat = readStat(pid)
  return stat?.[0] === 'Z' ? undefined : stat?.[19]
}

/** Whether a process lives; `start`, if known, distinguishes it from a later one with the same pid. */
export function isAlive(pid: number, start?: string): boolean {
  if (existsSync('/proc/self/stat')) {
    const now = startTimeOf(pid)
    return now !== undefined && (start === undefined || now === start)
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Records a server's process beside its data, for `endLeftover` of a later start. */
export function recordPid(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, start: startTimeOf(pid) }))
}

/**
 * Ends a server left on the data by an earlier launcher (just killed, or without setpriv). The caller holds the
 * folder's lock, so the server belongs to no running launcher.
 */
export async function endLeftover(file: string): Promise<void> {
  let record: { pid: number; start?: string }
  try {
    record = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return
  }
  for (let waited = 0; record.start && isAlive(record.pid, record.start); waited += 50) {
    if (waited === 0 || waited === 10_000) signal(record.pid, waited === 0 ? 'SIGTERM' : 'SIGKILL')
    await sleep(50)
  }
  rmSync(file, { force: true })
}
