import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import type { DecodingResult, Job } from './decoder.ts'

const maxWaitingJobs = 64
const idleMs = 30_000
/** The process checks its memory in intervals, in which it may allocate up to 25 MB more. */
const maxMemoryBytes = 225_000_000
const decoder = fileURLToPath(new URL('./decoder.ts', import.meta.url))

/** Decodes one picture. A picture that fails, exceeds a limit or kills the process must never be tried again. */
type Decode = (job: Job) => Promise<DecodingResult>

export type Decoding = {
  /** Runs work after earlier work. Throws ServiceUnavailableError when too much waits, or this process stops. */
  inTurn<T>(work: (decode: Decode) => Promise<T>): Promise<T>
  /** Ends the process at once. Resolves when the work that used it has ended. */
  stop(): Promise<void>
  /** The process while it runs. */
  pid(): number | undefined
}

/**
 * Decodes pictures one at a time in a separate process, started when needed and stopped when idle. It gets none of the
 * service's settings.
 * @param options `seconds` limits one picture
 */
export function startDecoding({ seconds = 20 } = {}): Decoding {
  const queue = bulkhead(1, maxWaitingJobs)
  let decoderProcess: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let isStopped = false
  let presentWork: Promise<unknown> = Promise.resolve()

  const startProcess = (): ChildProcess => {
    // Without the flags, settings and output of this process.
    const process = fork(decoder, [String(maxMemoryBytes)], {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    process.once('exit', () => {
      if (decoderProcess === process) decoderProcess = undefined
    })
    // Neither the process nor its channel keeps this process alive.
    process.unref()
    process.channel?.unref()
    return process
  }
  const endProcess = (): void => {
    clearTimeout(idleTimer)
    decoderProcess?.kill('SIGKILL')
    decoderProcess = undefined
  }

  async function attempt(job: Job): Promise<DecodingResult> {
    clearTimeout(idleTimer)
    decoderProcess ??= startProcess()
    const current = decoderProcess
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
      idleTimer = setTimeout(endProcess, idleMs)
      idleTimer.unref()
    }
  }

  return {
    async inTurn(work) {
      try {
        return await queue.execute(() => {
          if (isStopped) throw stopping()
          const result = work(attempt)
          presentWork = result.catch(() => undefined)
          return result
        })
      } catch (error) {
        if (!(error instanceof BulkheadRejectedError)) throw error
        throw new ServiceUnavailableError('Too many pictures in progress, try again', {
          retryAfterSeconds: 2,
          cause: error,
        })
      }
    },
    async stop() {
      isStopped = true
      endProcess()
      await presentWork
    },
    pid: () => decoderProcess?.pid,
  }
}

const stopping = () => new ServiceUnavailableError('The service stops, try again', { retryAfterSeconds: 2 })
