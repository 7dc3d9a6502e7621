import type { CliCommand } from '../command.ts'
import { settingsOf } from '../operator-settings.ts'
import { count, table } from '../print.ts'
import { administratorFindings } from './administrator.ts'
import { busFindings } from './bus.ts'
import { configurationFindings } from './configuration.ts'
import { databaseFindings } from './databases.ts'
import type { Finding } from './finding.ts'
import { lateFindings } from './late.ts'
import { portFindings } from './ports.ts'
import { programFindings } from './programs.ts'

const signs = { ok: '✓', note: '·', fault: '✗' } as const

/** Checks everything that the platform needs and says how to fix what is wrong. Changes nothing. */
export const doctorCommand: CliCommand = {
  name: 'doctor',
  summary: 'checks configuration, ports, versions, databases, streams and clocks, and lists fixes',
  async run({ env }) {
    const settings = settingsOf(env)
    const serverFindings = await Promise.all([
      administratorFindings(settings),
      portFindings(settings),
      databaseFindings(settings),
      busFindings(settings),
      lateFindings(settings),
    ])
    const findings = [...programFindings(env), ...configurationFindings(settings), ...serverFindings.flat()]
    const faults = findings.filter(({ state }) => state === 'fault')
    const rows = findings.map(finding => [signs[finding.state], finding.title, finding.detail])
    const text = `${table(['', 'check', 'result'], rows)}\n${advice(findings)}\n${
      faults.length === 0 ? 'No problems found.' : `${count(faults.length, 'problem')} found.`
    }`
    const data = { isWell: faults.length === 0, findings: findings.map(toJson) }
    return { data, text, isFault: faults.length > 0 }
  },
}

/** A finding under the keys and states that scripts read with --json. */
const toJson = ({ title, state, detail, fix }: Finding) => ({
  what: title,
  state: state === 'ok' ? 'well' : state,
  detail,
  mend: fix,
})

function advice(findings: Finding[]): string {
  const lines = findings.flatMap(({ title, fix }) => (fix ? [`  ${title}: ${fix}`] : []))
  return lines.length > 0 ? `\nTo do\n${lines.join('\n')}\n` : ''
}
