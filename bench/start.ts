import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../test/kit/platform/ports.ts'
import { childRunning, childrenNamed, nodeMemory, processorSeconds } from './support/processes.ts'
import { bySize } from './support/size.ts'
import { startPlatform, withServers } from './support/world.ts'

const upScript = fileURLToPath(new URL('../cli/up.ts', import.meta.url))
/** How long an idle platform is watched, in seconds: V8 gives memory of the start back within three minutes. */
const idleSeconds = bySize(180, 30, 1)
const settings = ['AUTH', 'MEMBER', 'HOTEL', 'MEDIA', 'NEWS', 'NOTIFICATION', 'PAYMENT']

const pass = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

type StartFigures = { ms: number; memory: number; idleMs: number }

async function startOnce(dataDir: string, ports: Record<string, string>): Promise<StartFigures> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [upScript], {
    env: {
      PATH: process.env['PATH'],
      ...ports,
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: path.join(dataDir, 'compile'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => data.toString().includes('Everything is up') && resolve())
    child.once('exit', code => reject(new Error(`npm start ended with ${code}`)))
  })
  const ms = performance.now() - startedAt
  const pid = child.pid ?? 0
  // Until it has slowed its polling down.
  await pass(bySize(15, 15, 0))
  const before = processorSeconds([pid])
  await pass(idleSeconds)
  const idleMs = ((processorSeconds([pid]) - before) * 1_000) / idleSeconds
  const memory = nodeMemory(pid)
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
  return { ms, memory, idleMs }
}

/** Memory of an idle process of each kind when every service has its own, in MiB: the largest service, and the edge. */
const benchApart = (): Promise<{ service: number; edge: number }> =>
  withServers(async () => {
    const platform = await startPlatform('split')
    await pass(idleSeconds)
    const service = Math.max(...childrenNamed('services/main.ts').map(nodeMemory))
    const edge = nodeMemory(childRunning('edge/main.ts'))
    await platform.stop()
    return { service, edge }
  })

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
    const divided = await benchApart()
    return [
      '| measure | figure |\n|-|-|',
      `| empty data folder to ready, demonstration tenant included | ${(first.ms / 1000).toFixed(1)} s |`,
      `| second start to ready | ${(second.ms / 1000).toFixed(1)} s |`,
      `| memory of all Node processes (PSS), idle | ${second.memory.toFixed(0)} MiB |`,
      `| processor time of everything, idle | ${second.idleMs.toFixed(0)} ms/s |`,
      `| a process per service, idle: the largest service / the edge (PSS) | ${divided.service.toFixed(0)} / ${divided.edge.toFixed(0)} MiB |`,
    ].join('\n')
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
