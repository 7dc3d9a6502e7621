import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Log } from '../services/kernel/process/log.ts'

/** Asks a worker to make room for its replacement. */
export type Leave = { type: 'leave' }

/** Processes of a cluster that share every port. */
type Workers<Serving> = {
  /** The first worker's message once it served. */
  serving: Serving
  /**
   * Replaces the processes one after another, while the ports stay open. If a replacement fails to start, the rest
   * stay, and it rejects.
   * @returns the number of replaced processes
   */
  replace(): Promise<number>
  /** SIGTERM to all; resolves when they have exited. */
  stop(): Promise<void>
}

type Options<Serving> = {
  count: number
  /** Resolves when a worker serves; rejects when it never will. */
  served: (worker: Worker) => Promise<Serving>
  /** How long a leaving worker may take before it is killed, in ms. */
  graceMs: number
  log: Log
}

const living = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined && !worker.isDead()) as Worker[]

/** Forks this script `count` times; a process that dies unexpectedly is restarted. */
export async function startWorkers<Serving>(options: Options<Serving>): Promise<Workers<Serving>> {
  const { count, served, graceMs, log } = options
  /** Workers that are expected to end. */
  const expected = new WeakSet<Worker>()
  let isStopping = false
  let replacing: Promise<number> | undefined

  const start = async (isReplacement = false): Promise<Serving> => {
    const worker = cluster.fork()
    if (isReplacement) expected.add(worker)
    worker.on('exit', code => {
      if (isStopping || expected.has(worker)) return
      log.error({ code }, 'platform process died; starting another')
      startAgain()
    })
    const serving = await served(worker)
    expected.delete(worker)
    return serving
  }
  const startAgain = (): void => {
    setTimeout(() => {
      if (!isStopping)
        void start().catch((error: unknown) => log.error({ err: error }, 'replacement process not started'))
    }, 500)
  }

  const leave = async (worker: Worker): Promise<void> => {
    if (worker.isDead()) return
    const exited = once(worker, 'exit')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), graceMs)
    if (worker.isConnected()) worker.send({ type: 'leave' } satisfies Leave)
    const [code] = (await exited) as [number | null]
    clearTimeout(late)
    if (code !== 0) log.error({ code }, 'replaced platform process exited with an error')
  }
  const replaceAll = async (): Promise<number> => {
    const former = living()
    const leaving: Promise<void>[] = []
    for (const worker of former) {
      expected.add(worker)
      try {
        await start(true)
      } catch (error) {
        expected.delete(worker)
        if (worker.isDead()) startAgain()
        throw error
      }
      // The next one starts meanwhile.
      leaving.push(leave(worker))
    }
    await Promise.all(leaving)
    return former.length
  }

  // All at once: migrations serialise by their own lock, and a repeated grant is harmless.
  const [serving] = await Promise.all([start(), ...Array.from({ length: count - 1 }, () => start())])
  return {
    serving,
    replace: () => (replacing ??= replaceAll().finally(() => (replacing = undefined))),
    async stop() {
      isStopping = true
      await Promise.all(
        living().map(async worker => {
          const exited = once(worker, 'exit')
          worker.process.kill('SIGTERM')
          await exited
        }),
      )
    },
  }
}
