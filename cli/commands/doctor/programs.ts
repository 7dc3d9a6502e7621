import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { type ProgramName, presentProgram } from '../../stack/packages.ts'
import { services } from '../../stack/services.ts'
import { type Finding, fault, note, well } from './finding.ts'

const own = { mariadbd: 'MariaDB', 'nats-server': 'NATS' } as const

/** Checks Node, and the server programs that `npm start` runs over the data folder. */
export function programFindings(env: Environment, dataDir: string): Finding[] {
  const major = Number(process.versions.node.split('.')[0])
  const node =
    major >= 24
      ? well('Node', process.versions.node)
      : fault(
          'Node',
          process.versions.node,
          'run commands through npm, which provides Node 24: npm run platform -- doctor',
        )
  const isGiven = {
    mariadbd: Boolean(env['DATABASE_URL']) || services.every(name => hostOf(env, name) !== '127.0.0.1'),
    'nats-server': false,
  }
  const programs = (Object.keys(own) as ProgramName[]).filter(name => !isGiven[name])
  return [node, ...programs.map(name => programFinding(name, dataDir))]
}

const hostOf = (env: Environment, service: string): string => {
  const url = env[`${service.toUpperCase()}_DATABASE_URL`]
  return url ? new URL(url).hostname : '127.0.0.1'
}

function programFinding(name: ProgramName, dataDir: string): Finding {
  const program = presentProgram(name, join(dataDir, 'packages'))
  const what = `${own[name]} program`
  if (!program) return note(what, 'not installed', 'npm start installs it; or configure a server of yours')
  const env = { ...process.env, ...program.env }
  const { stdout, stderr } = spawnSync(program.path, ['--version'], { encoding: 'utf8', env })
  const version = /\d+\.\d+\.\d+/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[0]
  return version ? well(what, version) : fault(what, `${program.path} does not run`, 'reinstall it')
}
