import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathOf } from '../../../cli/stack/packages.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { endChild } from '../../kit/process.ts'

/** How HAProxy decides whether a server gets work; the guide (docs/guides/scale.md) has the same settings. */
const checks = {
  edge: [
    'mode http',
    'option httpchk GET /ready',
    'retry-on conn-failure empty-response',
    'http-request disable-l7-retry unless { method GET HEAD }',
  ],
  service: [
    'mode tcp',
    'option httpchk',
    'http-check send meth POST uri /grpc.health.v1.Health/Check hdr content-type application/json body "{}"',
    'http-check expect string \\"SERVING\\"',
  ],
  /** All connections go to one node, and leave it when it takes no more work. */
  database: ['mode tcp', 'option httpchk GET /', 'stick-table type integer size 1', 'stick on int(1)'],
}

/** A port of the balancer with the servers behind it. */
export type Front = {
  name: string
  port: number
  kind: keyof typeof checks
  /** Ports of its servers, and those that answer their checks if they are others. */
  servers: { port: number; checkPort?: number }[]
  /** Another front whose servers' checks count for these. */
  track?: string
}

export type Haproxy = {
  /** Resolves when a server of a front gets work. */
  up(front: string, server: number): Promise<void>
  /** The server of a front with most connections. */
  busiest(front: string): Promise<number>
  stop(): Promise<void>
}

function section({ name, port, kind, servers, track }: Front): string {
  const options = kind === 'database' ? 'inter 500ms fall 2 on-marked-down shutdown-sessions' : ''
  const lines = servers.map(({ port: serverPort, checkPort }, index) => {
    const check = track ? `track ${track}/${index}` : `check ${checkPort ? `port ${checkPort}` : ''}`
    return `server ${index} 127.0.0.1:${serverPort} ${check} ${options}`
  })
  return [`listen ${name}`, `bind 127.0.0.1:${port}`, ...checks[kind], ...lines].join('\n  ')
}

/** HAProxy before the processes of a platform or the nodes of a database. */
export async function startHaproxy(fronts: Front[]): Promise<Haproxy> {
  const program = pathOf('haproxy')
  if (!program) throw new Error('there is no haproxy: apt-get install haproxy')
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const [port = 0] = await freePorts(1)
  const config = join(folder, 'haproxy.cfg')
  const defaults = [
    'defaults',
    'timeout connect 1s',
    'timeout check 2s',
    'timeout client 70s',
    'timeout server 70s',
    'timeout http-keep-alive 60s',
    'timeout tunnel 1h',
    'retries 3',
    'option redispatch 1',
    'default-server inter 200ms fall 3 rise 1',
  ].join('\n  ')
  const figures = `listen figures\n  mode http\n  bind 127.0.0.1:${port}\n  stats enable\n  stats uri /`
  writeFileSync(config, `${[defaults, figures, ...fronts.map(section)].join('\n\n')}\n`)
  const child = spawn(program, ['-q', '-db', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const serversOf = async (front: string): Promise<{ server: number; connections: number; isUp: boolean }[]> => {
    const rows = (await (await fetch(`http://127.0.0.1:${port}/;csv`)).text()).split('\n').map(row => row.split(','))
    return rows
      .filter(row => row[0] === front && /^\d+$/.test(row[1] ?? ''))
      .map(row => ({ server: Number(row[1]), connections: Number(row[4]), isUp: row[17]?.startsWith('UP') ?? false }))
  }
  const isUp = async (front: string, server: number): Promise<boolean> =>
    (await serversOf(front)).some(one => one.server === server && one.isUp)
  return {
    async up(front, server) {
      for (const until = Date.now() + 60_000; !(await isUp(front, server).catch(() => false)); await sleep(50))
        if (Date.now() > until) throw new Error(`${front} gets no work behind HAProxy`)
    },
    async busiest(front) {
      const [first] = (await serversOf(front)).toSorted((a, b) => b.connections - a.connections)
      return first?.server ?? 0
    },
    async stop() {
      process.off('exit', kill)
      await endChild(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
