import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Log } from '../kernel/log.ts'

/** Something that is set in motion for a while. */
export type Switch = { on(): void; off(): void; stop(): void }

/**
 * Linux sets how a thread is scheduled by a system call that Node has no name for; `chrt` makes it. The shell stands ready
 * from the start because beginning a program holds the event loop up for as long as its memory takes to be copied. What
 * the thread begins, hashing threads above all, stays ordinary (`--reset-on-fork`; who has set that may not unset it).
 */
const helper = 'while read -r policy priority; do chrt --reset-on-fork "--$policy" --pid "$priority" "$1" || exit; done'

/**
 * Makes the event loop's thread a real-time one (round robin, the lowest priority), which goes before all ordinary ones
 * of the machine, and an ordinary one again. The kernel keeps a twentieth of the time for the others. Where the system
 * does not allow it or has no `chrt`, nothing changes, and the log says so once.
 */
export function realtimeEventLoop(log: Log): Switch {
  let isUseless = false
  let isOn = false
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

  const turn = (to: boolean): void => {
    if (isUseless || isOn === to) return
    isOn = to
    shell.stdin.write(to ? 'rr 1\n' : 'other 0\n')
  }
  return {
    on: () => turn(true),
    off: () => turn(false),
    stop() {
      turn(false)
      isUseless = true
      shell.stdin.end()
    },
  }
}
