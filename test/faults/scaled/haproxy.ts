import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { endChild } from '../../kit/process.ts'

export type Haproxy = {
  /** Resolves when every line of a server is up. */
  up(server: string): Promise<void>
  stop(): Promise<void>
}

/** Runs HAProxy with a configuration, to which it adds a socket for questions. */
export async function startHaproxy(folder: string, config: string): Promise<Haproxy> {
  const program = process.env['TEST_HAPROXY'] ?? 'haproxy'
  const file = join(folder, 'haproxy.cfg')
  const socket = join(folder, 'haproxy.sock')
  writeFileSync(file, `global\n  stats socket ${socket}\n\n${config}`)
  const checked = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`haproxy refuses its configuration:\n${checked.stderr}`)
  const child: ChildProcess = spawn(program, ['-db', '-f', file], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))

  /** The states of a server's lines. */
  const states = async (server: string): Promise<string[]> => {
    const asked = connect(socket)
    asked.end('show stat\n')
    const [head = '', ...rows] = (await text(asked).catch(() => '')).trim().split('\n')
    const columns = head.replace('# ', '').split(',')
    const cells = rows.map(row => row.split(','))
    return cells
      .filter(row => row[columns.indexOf('svname')] === server)
      .map(row => row[columns.indexOf('status')] ?? '')
  }
  return {
    async up(server) {
      for (const until = Date.now() + 90_000; ; await sleep(200)) {
        const all = await states(server)
        if (all.length > 0 && all.every(state => state.startsWith('UP'))) return
        if (Date.now() > until) throw new Error(`haproxy finds ${server} ${all.join(', ') || 'nowhere'}`)
      }
    },
    stop: () => endChild(child),
  }
}
