import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import type { DecodingResult, Job } from './decoder.ts'

const maxQueued = 64
const idleMs = 30_000
/** The process needs up to 25 MB more before it notices. */
const maxMemory = 225_000_000
const decoder = fileURLToPath(new URL('./decoder.ts', import.meta.url))

/** Decodes one picture. One that fails, ran into a limit or killed the process must never be tried again. */
type Decode = (job: Job) => Promise<DecodingResult>

export type Decoding = {
  /** Runs work in its turn. Throws ServiceUnavailableError when too many wait, or when this process stops. */
  inTurn<T>(work: (decode: Decode) => Promise<T>): Promise<T>
  /** Ends the process at once. */
  stop(): void
  /** The process while it runs. */
  pid(): number | undefined
}

/**
 * Decodes pictures one at a time in a separate process, started when it is needed and stopped when idle. It holds none
 * of the service's settings.
 * @param options `seconds` limits one picture
 */
export function startDecoding({ seconds = 20 } = {}): Decoding {
  const queue = bulkhead(1, maxQueued)
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let isStopped = false

  const start = (): ChildProcess => {
    // Without the flags and settings of this process. Its output is the decoders' own.
    const process = fork(decoder, [String(maxMemory)], {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    process.once('exit', () => {
      if (child === process) child = undefined
    })
    // Neither the child process nor its channel keeps this process alive.
    process.unref()
    process.channel?.unref()
    return process
  }
  const end = (): void => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  async function attempt(job: Job): Promise<DecodingResult> {
    clearTimeout(idle)
    child ??= start()
    const current = child
    const settlement = new AbortController()
    const { signal } = settlement
    const timer = setTimeout(() => current.kill('SIGKILL'), seconds * 1000)
    try {
      const answer = once(current, 'message', { signal }).then(([result]) => result as DecodingResult)
      const exit = once(current, 'exit', { signal }).then((): DecodingResult => 'failed')
      current.send(job)
      // `once` also rejects with the process's own error: it couldn't be started or reached.
      const result = await Promise.race([answer, exit]).catch((cause: unknown) => {
        throw new ServiceUnavailableError('Pictures can not be decoded now, try again', { cause })
      })
      if (isStopped) throw stopping()
      return result
    } finally {
      clearTimeout(timer)
      settlement.abort()
      idle = setTimeout(end, idleMs)
      idle.unref()
    }
  }

  return {
    async inTurn(work) {
      try {
        return await queue.execute(() => {
          if (isStopped) throw stopping()
          return work(attempt)
        })
      } catch (error) {
        if (!(error instanceof BulkheadRejectedError)) throw error
        throw new ServiceUnavailableError('Too many pictures in progress, try again', {
          retryAfterSeconds: 2,
          cause: error,
        })
      }
    },
    stop() {
      isStopped = true
      end()
    },
    pid: () => child?.pid,
  }
}

const stopping = () => new ServiceUnavailableError('The service stops, try again', { retryAfterSeconds: 2 })
