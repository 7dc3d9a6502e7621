import { spawnSync } from 'node:child_process'
import { serviceNames } from '../../../services/kernel/base/service-names.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { installedProgram, type ProgramName } from '../../stack/packages.ts'
import { type Finding, fault, note, ok } from './finding.ts'

const titles = { mariadbd: 'MariaDB', 'nats-server': 'NATS' } as const

/**
 * Checks Node, and the server programs that `npm start` runs.
 * @param env the settings of `npm start`, without the addresses of private servers
 */
export function programFindings(env: Environment): Finding[] {
  const major = Number(process.versions.node.split('.')[0])
  const node =
    major >= 24
      ? ok('Node', process.versions.node)
      : fault(
          'Node',
          process.versions.node,
          'run commands through npm, which provides Node 24: npm run platform -- doctor',
        )
  const isSet = (name: string) => readSetting(env, '', name) !== undefined
  const isGiven = {
    mariadbd: isSet('DATABASE_URL') || serviceNames.every(name => databaseUrlOf(env, name)),
    'nats-server': isSet('AMQP_GATEWAY_URL'),
  }
  const programs = (Object.keys(titles) as ProgramName[]).filter(name => !isGiven[name])
  return [node, ...programs.map(programFinding)]
}

function programFinding(name: ProgramName): Finding {
  const program = installedProgram(name)
  const subject = `${titles[name]} program`
  if (!program) return note(subject, 'not installed', 'npm start installs it; or configure a server of yours')
  const { stdout, stderr } = spawnSync(program.path, ['--version'], { encoding: 'utf8' })
  const version = /\d+\.\d+\.\d+/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[0]
  return version ? ok(subject, version) : fault(subject, `${program.path} does not run`, 'reinstall it')
}
