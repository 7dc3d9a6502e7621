import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Log } from '../kernel/log.ts'

export type EventLoopPriority = {
  /** From now on, and until `lingerMs` after the last call, the event loop goes before every ordinary thread. */
  raise(): void
  stop(): void
}

/**
 * Linux sets how a thread is scheduled by a system call that Node has no name for; `chrt` makes it. The shell stands ready
 * from the start because beginning a program holds the event loop up for as long as its memory takes to be copied. What
 * the thread begins, hashing threads above all, stays ordinary (`--reset-on-fork`; who has set that may not unset it).
 */
const helper = 'while read -r policy priority; do chrt --reset-on-fork "--$policy" --pid "$priority" "$1" || exit; done'

/**
 * Lets the event loop's thread go before all ordinary ones, of this process and of others, while hashes take every core.
 * Without that it stands in line behind a hash whenever it was woken early, until the kernel's next tick, whatever its
 * niceness: 4 ms, several times in an answer. The kernel keeps a twentieth of the time for ordinary threads.
 *
 * Where the system does not allow it, has no `chrt` or is not Linux, everything goes on as it was; the log says so once.
 */
export function eventLoopPriority(log: Log, { lingerMs = 10_000 } = {}): EventLoopPriority {
  if (process.platform !== 'linux') return { raise: () => undefined, stop: () => undefined }
  let isUseless = false
  let isRaised = false
  let until = 0
  let refusal = ''

  const shell = spawn('/bin/sh', ['-c', helper, 'sh', String(process.pid)], {
    // None of the process's secrets.
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Of a group of its own: the Ctrl+C that ends the process is none to complain about.
    detached: true,
  })
  const giveUp = (reason: string): void => {
    if (isUseless) return
    isUseless = true
    log.info({ reason }, 'the event loop stays an ordinary thread while passwords are hashed')
  }
  shell.on('error', error => giveUp(error.message))
  shell.on('close', () => giveUp(refusal.trim()))
  shell.stdin.on('error', () => undefined)
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    refusal += text
  })
  // It keeps no process alive, and ends when its input does.
  shell.unref()
  for (const pipe of [shell.stdin, shell.stderr]) if (pipe instanceof Socket) pipe.unref()

  const lower = (): void => {
    if (isUseless) return
    const left = until - performance.now()
    if (left > 0) return wait(left)
    isRaised = false
    shell.stdin.write('other 0\n')
  }
  const wait = (ms: number): void => void setTimeout(lower, ms).unref()

  return {
    raise() {
      if (isUseless) return
      until = performance.now() + lingerMs
      if (isRaised) return
      isRaised = true
      shell.stdin.write('rr 1\n')
      wait(lingerMs)
    },
    stop() {
      isUseless = true
      shell.stdin.end(isRaised ? 'other 0\n' : '')
    },
  }
}
