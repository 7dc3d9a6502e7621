import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../test/support/ports.ts'

const up = fileURLToPath(new URL('../cli/up.ts', import.meta.url))
const settings = ['AUTH', 'MEMBER', 'HOTEL', 'MEDIA', 'NEWS', 'NOTIFICATION', 'PAYMENT']

/** Resident MiB of the Node processes below a process, itself included. */
function nodeMemory(pid: number): number {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    const parent = Number(
      read(`/proc/${name}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(below)]
  return below(pid)
    .filter(one =>
      read(`/proc/${one}/comm`)
        .trim()
        .match(/^(node|MainThread)/),
    )
    .reduce((sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0) / 1024, 0)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function startOnce(dataDir: string, ports: Record<string, string>): Promise<{ ms: number; memory: number }> {
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
  await new Promise(resolve => setTimeout(resolve, 5_000))
  const memory = nodeMemory(child.pid ?? 0)
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  return { ms, memory }
}

/** Start to ready on an empty data folder and on a kept one, and what the idle platform holds. */
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
      `| resident memory of all Node processes, idle, one worker | ${second.memory.toFixed(0)} MiB |`,
    ].join('\n')
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
