import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../test/kit/platform/ports.ts'
import { sized } from './support/size.ts'

const up = fileURLToPath(new URL('../cli/up.ts', import.meta.url))
/** How long an idle platform is watched, in seconds: V8 gives memory of the start back within three minutes. */
const idleSeconds = sized(180, 30, 1)
const settings = ['AUTH', 'MEMBER', 'HOTEL', 'MEDIA', 'NEWS', 'NOTIFICATION', 'PAYMENT']

/** A process and its descendants. */
function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    const parent = Number(statOf(Number(name))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(below)]
  return below(pid)
}

/** The fields of /proc/PID/stat after the process's name. */
const statOf = (pid: number): string[] =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

/** MiB of the Node processes among a process and its descendants, pages of several processes shared out (PSS). */
const nodeMemory = (pid: number): number =>
  familyOf(pid)
    .filter(one =>
      read(`/proc/${one}/comm`)
        .trim()
        .match(/^(node|MainThread)/),
    )
    .reduce((sum, one) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0) / 1024, 0)

/** CPU time of a process and its descendants, database and broker included, in ms; Linux counts in tens of ms. */
const processorMs = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => sum + (Number(statOf(one)[11] ?? 0) + Number(statOf(one)[12] ?? 0)) * 10, 0)

const pass = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

type Started = { ms: number; memory: number; idleMs: number }

async function startOnce(dataDir: string, ports: Record<string, string>): Promise<Started> {
  const started = performance.now()
  const child = spawn(process.execPath, [up], {
    env: {
      PATH: process.env['PATH'],
      ...ports,
      DATA_DIR: dataDir,
      WORKERS: '1',
      NODE_COMPILE_CACHE: path.join(dataDir, 'compile'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => data.toString().includes('Everything is up') && resolve())
    child.once('exit', code => reject(new Error(`npm start ended with ${code}`)))
  })
  const ms = performance.now() - started
  const pid = child.pid ?? 0
  // Until it has slowed its polling down.
  await pass(sized(15, 15, 0))
  const before = processorMs(pid)
  await pass(idleSeconds)
  const idleMs = (processorMs(pid) - before) / idleSeconds
  const memory = nodeMemory(pid)
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  return { ms, memory, idleMs }
}

/** Start to ready on an empty and on an existing data folder, and the memory and CPU use of the idle platform. */
export async function benchStart(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-start-'))
  const names = [
    ...settings.map(name => `${name}_PORT`),
    ...settings.map(name => `${name}_RPC_PORT`),
    'SANDBOX_PORT',
    'METRICS_PORT',
  ]
  const free = await freePorts(names.length)
  const ports = Object.fromEntries(names.map((name, index) => [name, String(free[index])]))
  ports['LEGACY_AUTH_PORT'] = ports['NOTIFICATION_PORT'] ?? '0'
  try {
    const first = await startOnce(dataDir, ports)
    const second = await startOnce(dataDir, ports)
    return [
      '| measure | figure |\n|-|-|',
      `| empty data folder to ready, demonstration tenant included | ${(first.ms / 1000).toFixed(1)} s |`,
      `| second start to ready | ${(second.ms / 1000).toFixed(1)} s |`,
      `| memory of all Node processes (PSS), idle, one worker | ${second.memory.toFixed(0)} MiB |`,
      `| processor time of everything, idle, one worker | ${second.idleMs.toFixed(0)} ms/s |`,
    ].join('\n')
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
