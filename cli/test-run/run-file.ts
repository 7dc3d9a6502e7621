import { spawn } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { groupLives, signal } from '../stack/processes.ts'

export type Outcome = {
  file: string
  passed: number
  failed: number
  skipped: number
  ms: number
  /** Why the file failed when its tests don't say so: crashed, timed out, ran nothing. */
  fault: string | undefined
  /** What it left open or running. */
  litter: string | undefined
  output: string
}

export type Run = {
  root: string
  env: NodeJS.ProcessEnv
  timeoutMs: number
  /** Print the output as it arrives, too. */
  stream: boolean
}

const runner = fileURLToPath(new URL('./uvu-file.ts', import.meta.url))
const totals = /Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)/g
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
const running = new Set<number>()

/** Kills the running test files with their process groups. */
export function killRunning(): void {
  for (const pid of running) signal(-pid, 'SIGKILL')
}

/** Runs one test file in a separate process, so that a crash or a hang affects only that file. */
export async function runFile(file: string, { root, env, timeoutMs, stream }: Run): Promise<Outcome> {
  const began = Date.now()
  const child = spawn(process.execPath, [runner, `${root}/${file}`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid ?? 0
  running.add(pid)
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (stream) process.stdout.write(text)
    })
  }
  let late = false
  const timer = setTimeout(() => {
    late = true
    signal(-pid, 'SIGKILL')
  }, timeoutMs)
  const closed = new Promise(resolve => child.once('close', resolve))
  const { code, name } = await new Promise<{ code: number | null; name: string | null }>(resolve => {
    child.once('error', () => resolve({ code: 127, name: null }))
    child.once('exit', (code, name) => resolve({ code, name }))
  })
  clearTimeout(timer)
  const orphans = groupLives(pid)
  signal(-pid, 'SIGKILL')
  running.delete(pid)
  // A process of another group may hold the pipes open for ever.
  await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 500))])
  // This process may have stalled meanwhile, with output still to read.
  for (let read = -1; read < output.length; await turn()) {
    read = output.length
    await turn()
  }

  const plain = output.replace(colours, '')
  const [, total = 0, passed = 0, skipped = 0] = ([...plain.matchAll(totals)].at(-1) ?? []).map(Number)
  const ended = name ? `signal ${name}` : `exit code ${code}`
  const fault = late
    ? `took longer than ${timeoutMs / 1000} s`
    : total === 0 && skipped === 0
      ? code === 0
        ? 'ran no test: is .run() missing?'
        : `crashed (${ended})`
      : code !== 0 && passed === total
        ? `ended with ${ended} although its tests passed`
        : undefined
  const open = /^left open: .*$/m.exec(plain)?.[0]
  const litter = [open, orphans && !late ? 'left processes running' : undefined].filter(Boolean).join('; ')
  return {
    file,
    passed,
    failed: Math.max(total - passed, fault ? 1 : 0),
    skipped,
    ms: Date.now() - began,
    fault,
    litter: litter || undefined,
    output,
  }
}
