import { inspectBus, type StreamState } from '../../../services/kernel/bus-inspect.ts'
import type { Environment } from '../../../services/kernel/config.ts'
import { messageOf } from '../../stack/errors.ts'
import { clockFinding } from './clocks.ts'
import { fault, type Finding, note, well } from './finding.ts'

/** The broker and the settings of its streams. */
export async function busFindings(env: Environment): Promise<Finding[]> {
  const url = env['AMQP_GATEWAY_URL']
  // That it has no address is said of the settings.
  if (!url) return []
  try {
    const state = await inspectBus(url, env['AMQP_EXCHANGE_NAME'] || 'platform_events')
    const [major = 0, minor = 0] = state.version.split('.').map(Number)
    const isNew = major > 2 || (major === 2 && minor >= 9)
    const version = isNew ? well('NATS', state.version) : fault('NATS', state.version, 'use NATS 2.9 or later')
    if (!state.hasJetStream)
      return [version, fault('JetStream', 'is off', 'start nats-server with -js and a store on disk')]
    const clock = state.clockAheadMs === undefined ? [] : [clockFinding('clock of NATS', state.clockAheadMs)]
    return [version, ...state.streams.flatMap(streamFindings), ...clock]
  } catch (error) {
    const mend = 'start the platform or the server, or correct AMQP_GATEWAY_URL'
    return [fault('NATS', messageOf(error) || 'does not answer', mend)]
  }
}

/** Whether a stream keeps what the platform counts on. */
export function streamFindings(stream: StreamState): Finding[] {
  const what = `stream ${stream.name}`
  if (!stream.isPresent) return [note(what, 'is not there yet', 'the platform makes it at its start')]
  const isDead = stream.name.endsWith('_dead')
  const [subject, days] = isDead ? ['dead.>', 30] : ['platform.>', 7]
  const edit = (flag: string): string => `nats stream edit ${stream.name} ${flag}`
  const faults: Finding[] = []
  if (!stream.isOnDisk) faults.push(fault(what, 'is kept in memory', 'make it anew with --storage file'))
  if (!stream.subjects.includes(subject))
    faults.push(
      fault(what, `does not hold ${subject}`, edit(`--subjects '${[...stream.subjects, subject].join(',')}'`)),
    )
  if (stream.duplicateSeconds < 120)
    faults.push(fault(what, `knows message ids for ${stream.duplicateSeconds} s`, edit('--dupe-window 2m')))
  if (stream.days > 0 && stream.days < days)
    faults.push(note(what, `forgets after ${stream.days} days`, edit(`--max-age ${days}d`)))
  if (faults.length > 0) return faults
  const waiting = isDead && stream.messages > 0
  const detail = `${stream.messages} messages, ${stream.replicas === 1 ? 'one replica' : `${stream.replicas} replicas`}`
  return [waiting ? note(what, detail, 'npm run platform -- dead-letters list') : well(what, detail)]
}
