import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeatEvery } from '../../services/kernel/process/repeat.ts'
import { LaunchError, messageOf, type Print } from './messages.ts'
import { signal } from './processes.ts'

export type SupervisedServer = {
  name: string
  /** Process id of the current child. */
  pid(): number
  /** SIGTERM, then SIGKILL after the grace period; resolves when the child is gone. */
  stop(): Promise<void>
}

type SupervisedChild = {
  name: string
  /** Starts a new child. */
  start: () => ChildProcess
  /** Resolves when the child serves; rejects when it never will. */
  ready: (child: ChildProcess) => Promise<void>
  /** Called every few seconds. @returns why the child must be restarted; undefined while it is well */
  illness?: () => Promise<string | undefined>
  /** Addition to a message about a death, such as the end of the child's log. */
  explain?: () => string
  print: Print
  /** Longest pause before a dead child is restarted, in ms. */
  longestPauseMs?: number
}

type Exit = { code: number | null; signal: NodeJS.Signals | null }

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 127, signal: null }))
  })

/** Kills the child with its group, which it leads. */
const killGroup = (child: ChildProcess): boolean => Boolean(child.pid) && signal(-(child.pid ?? 0), 'SIGKILL')

const exitText = ({ code, signal }: Exit): string => (signal ? `signal ${signal}` : `exit code ${code}`)

/** How long a child may take to stop, in ms. */
const graceMs = 10_000
const illnessEveryMs = 3_000
/** How many checks in a row must report an illness before the child is restarted. */
const illnessAnswers = 3

/**
 * Keeps a child running: starts it, waits until it is ready, and restarts it when it dies unexpectedly (after 0.2 s,
 * doubling to 10 s until one lives for a minute). Rejects when the very first start fails.
 */
export async function supervise(options: SupervisedChild): Promise<SupervisedServer> {
  const { name, print, longestPauseMs = 10_000 } = options
  const stopping = new AbortController()
  let child: ChildProcess
  let exit: Promise<Exit>

  const startChild = async (): Promise<void> => {
    child = options.start()
    exit = exitOf(child)
    const earlyExit = exit.then(exitReason => {
      throw new LaunchError(`${name} exited before it was ready (${exitText(exitReason)})${options.explain?.() ?? ''}`)
    })
    try {
      await Promise.race([options.ready(child), earlyExit])
    } catch (error) {
      killGroup(child)
      throw error
    } finally {
      earlyExit.catch(() => undefined)
    }
  }

  const watch = async (): Promise<void> => {
    let delay = 200
    let since = Date.now()
    while (!stopping.signal.aborted) {
      const exitReason = await exit
      if (stopping.signal.aborted) return
      if (Date.now() - since > 60_000) delay = 200
      print(`${name} stopped unexpectedly (${exitText(exitReason)}); restarting it in ${delay} ms`)
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      delay = Math.min(delay * 2, longestPauseMs)
      since = Date.now()
      await startChild().then(
        () => print(`${name} restarted after ${Date.now() - since} ms`),
        error => print(messageOf(error)),
      )
    }
  }

  await startChild()
  const watching = watch()
  let answers = 0
  const asking = repeatEvery(illnessEveryMs, async () => {
    const checkedChild = child
    const exitReason = await options.illness?.()
    answers = exitReason === undefined || checkedChild !== child ? 0 : answers + 1
    if (answers < illnessAnswers || stopping.signal.aborted) return
    answers = 0
    print(`${name} is restarted: ${exitReason}`)
    child.kill('SIGTERM')
  })
  return {
    name,
    pid: () => child.pid ?? 0,
    stop: async () => {
      stopping.abort()
      void asking.stop()
      // Only the child, not its group: it ends its own children in its own order.
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => {
        print(`${name} did not stop within ${graceMs / 1000} s; killing it`)
        killGroup(child)
      }, graceMs)
      await exit
      clearTimeout(killTimer)
      await watching
    },
  }
}
