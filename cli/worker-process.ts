import type { ChildProcess } from 'node:child_process'
import type { Environment } from '../services/kernel/process/config.ts'
import { launch } from './stack/processes.ts'
import type { Restarted } from './stack/restart.ts'
import type { Print } from './stack/services.ts'
import { grantMemberViews, type Stack } from './stack/stack.ts'
import { type Supervised, supervise } from './stack/supervise.ts'

/** The worker's message once it serves: addresses and logins. */
export type Ready = {
  type: 'ready'
  addresses: { name: string; url: string }[]
  logins: { name: string; email: string; password: string }[]
  tookMs: number
}

/** Requests read grants on views that member's migrations have created; answered by {type: 'granted'}. */
export type Grant = { type: 'grant'; views: string[] }

/** The result of {type: 'replace'}. */
export type Replaced = Restarted & { type: 'replaced' }

export type Worker = Supervised & {
  ready: Ready
  /** Makes it replace its processes one after another while they serve. */
  replace(): Promise<Restarted>
}

/**
 * Starts the serving script under supervision, and resolves when it serves.
 * @param isQuiet writes its log to standard error, because a program reads standard output
 */
export async function startWorker(
  script: string,
  stack: Stack,
  env: Environment,
  print: Print,
  isQuiet = false,
): Promise<Worker> {
  let ready: Ready | undefined
  let present: ChildProcess | undefined
  const start = () => {
    const child = launch({
      command: process.execPath,
      args: [script],
      env,
      stdio: ['ignore', isQuiet ? process.stderr : 'inherit', 'inherit', 'ipc'],
    })
    present = child
    child.on('message', (message: Ready | Grant | Replaced) => {
      if (message.type !== 'grant') return
      grantMemberViews(stack, message.views).then(
        () => child.connected && child.send({ type: 'granted' }),
        error => child.connected && child.send({ type: 'granted', error: String(error) }),
      )
    })
    return child
  }
  const served = (child: ChildProcess) =>
    new Promise<void>(resolve => {
      child.on('message', (message: Ready | Grant | Replaced) => {
        if (message.type !== 'ready') return
        ready = message
        resolve()
      })
    })
  // Longer than its own drain of open requests and sockets.
  const worker = await supervise({ name: 'The platform', start, ready: served, print, graceMs: 15_000 })
  if (!ready) throw new Error('the worker did not report that it is ready')
  return { ...worker, ready, replace: () => replacedBy(present) }
}

function replacedBy(child: ChildProcess | undefined): Promise<Restarted> {
  return new Promise(resolve => {
    const onExit = () => resolve({ count: 0, error: 'the platform stopped meanwhile' })
    if (!child?.connected) return onExit()
    const onMessage = (message: Ready | Grant | Replaced) => {
      if (message.type !== 'replaced') return
      child.off('message', onMessage).off('exit', onExit)
      const { type: _, ...what } = message
      resolve(what)
    }
    child.on('message', onMessage).once('exit', onExit)
    child.send({ type: 'replace' })
  })
}
