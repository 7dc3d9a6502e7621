import { spawn } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isGroupAlive, signal } from '../stack/processes.ts'

export type FileOutcome = {
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

type Run = {
  root: string
  env: NodeJS.ProcessEnv
  /** Most time for one file. */
  timeoutMs: number
  /** Print the output as it arrives, too. */
  stream: boolean
}

const runner = fileURLToPath(new URL('./uvu-files.ts', import.meta.url))
/** The runner prints the milliseconds of each file after it, between two of these: ASCII's record separator. */
const separator = '\u001e'
const totals = /Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)/g
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
const runningPids = new Set<number>()

/** Kills the running test files with their process groups. */
export function killRunning(): void {
  for (const pid of runningPids) signal(-pid, 'SIGKILL')
}

/**
 * Runs test files one after another in a separate process, which loads what they import once. When a file crashes or
 * hangs, the files after it run in another process.
 */
export async function runFiles(files: string[], run: Run): Promise<FileOutcome[]> {
  const outcomes = await inOneProcess(files, run)
  const remainingFiles = files.slice(outcomes.length)
  return remainingFiles.length > 0 ? [...outcomes, ...(await runFiles(remainingFiles, run))] : outcomes
}

/** @returns the outcomes of the files that began, at least one */
async function inOneProcess(files: string[], { root, env, timeoutMs, stream }: Run): Promise<FileOutcome[]> {
  const began = Date.now()
  // Tests that measure memory collect garbage first.
  const child = spawn(process.execPath, ['--expose-gc', runner, ...files.map(file => `${root}/${file}`)], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid ?? 0
  runningPids.add(pid)
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    signal(-pid, 'SIGKILL')
  }, timeoutMs)
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (stream) process.stdout.write(text)
      if (text.includes(separator)) limit.refresh()
    })
  }
  const whenClosed = new Promise(resolve => child.once('close', resolve))
  const { code, name } = await new Promise<{ code: number | null; name: string | null }>(resolve => {
    child.once('error', () => resolve({ code: 127, name: null }))
    child.once('exit', (code, name) => resolve({ code, name }))
  })
  clearTimeout(limit)
  const orphans = isGroupAlive(pid)
  signal(-pid, 'SIGKILL')
  runningPids.delete(pid)
  // A process of another group may hold the pipes open for ever.
  await Promise.race([whenClosed, new Promise(resolve => setTimeout(resolve, 500))])
  // This process may have stalled meanwhile, with output still to read.
  for (let read = -1; read < output.length; await turn()) {
    read = output.length
    await turn()
  }

  const printedParts = output.split(separator)
  const outcomes = files
    .slice(0, (printedParts.length - 1) / 2)
    .map((file, index) => outcomeOf(file, printedParts[2 * index] ?? '', Number(printedParts[2 * index + 1])))
  const ending = name ? `signal ${name}` : `exit code ${code}`
  const unfinished = files[outcomes.length]
  if (unfinished !== undefined) {
    const fault = isLate ? tooLate(unfinished, timeoutMs) : `crashed (${ending})`
    const ms = outcomes.reduce((remainingMs, outcome) => remainingMs - outcome.ms, Date.now() - began)
    outcomes.push({ ...outcomeOf(unfinished, printedParts.at(-1) ?? '', ms), fault, failed: 1 })
  }
  const last = outcomes.at(-1)
  if (last && code !== 0 && outcomes.every(({ failed }) => failed === 0))
    Object.assign(last, { fault: `ended with ${ending} although its tests passed`, failed: 1 })
  const open = /^left open: .*$/m.exec(printedParts.at(-1) ?? '')?.[0]
  const litter = [open, orphans && !isLate ? 'left processes running' : undefined].filter(Boolean).join('; ')
  if (last && litter) last.litter = litter
  return outcomes
}

/** Says what to do, because a file that is slow only beside others is not broken. */
const tooLate = (file: string, ms: number): string =>
  `took longer than ${ms / 1000} s; if the machine is busy, run it alone: npm test -- ${file}`

function outcomeOf(file: string, output: string, ms: number): FileOutcome {
  const matches = [...output.replace(colours, '').matchAll(totals)]
  const [, total = 0, passed = 0, skipped = 0] = (matches.at(-1) ?? []).map(Number)
  const fault = total === 0 && skipped === 0 ? 'ran no test: is .run() missing?' : undefined
  return { file, passed, failed: fault ? 1 : total - passed, skipped, ms, fault, litter: undefined, output }
}
