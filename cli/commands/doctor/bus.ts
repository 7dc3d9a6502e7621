import { framesSubject } from '../../../services/kernel/base/live.ts'
import { inspectBus, type StreamState } from '../../../services/kernel/bus/inspect.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { isProduction } from '../../../services/kernel/process/mode.ts'
import { operatorBroker } from '../../environment.ts'
import { brokerNames } from '../../stack/broker-permissions.ts'
import { messageOf } from '../../stack/messages.ts'
import { accountFindings } from './broker-accounts.ts'
import { clockFinding, type Finding, fault, note, ok } from './finding.ts'

/** The broker and the settings of its streams. */
export async function busFindings(env: Environment): Promise<Finding[]> {
  const url = operatorBroker(env)
  if (!url) {
    const accounts = await accountFindings(env)
    // configurationFindings reports a missing AMQP_GATEWAY_URL.
    if (accounts.length === 0) return []
    return [note('NATS', 'no account is allowed to inspect the streams', 'set OPERATOR_AMQP_GATEWAY_URL'), ...accounts]
  }
  try {
    const state = await inspectBus(url, brokerNames(env).stream)
    const replicas = Number(readSetting(env, '', 'BUS_REPLICAS') ?? 1)
    const version = brokerFinding(state.version, isProduction(env) || replicas > 1)
    if (!state.hasJetStream)
      return [version, fault('JetStream', 'is disabled', 'start nats-server with -js and a store on disk')]
    const clock = state.clockAheadMs === undefined ? [] : [clockFinding('NATS clock', state.clockAheadMs)]
    const streams = state.streams.flatMap(stream => streamFindings(stream, replicas))
    return [version, ...streams, ...(await accountFindings(env)), ...clock]
  } catch (error) {
    const fix = 'start the platform or the server, or correct AMQP_GATEWAY_URL'
    return [fault('NATS', messageOf(error) || 'is not responding', fix)]
  }
}

/**
 * Checks a broker's version: what is acknowledged is on the disk (`sync_interval: always`) from 2.12 on. A restarted
 * server of a cluster stores some messages again in 2.9.
 * @param isReal whether it is for production, or for a cluster
 */
export function brokerFinding(version: string, isReal: boolean): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSince = (minimum: number) => major > 2 || (major === 2 && minor >= minimum)
  if (!isSince(9)) return fault('NATS', version, 'use NATS 2.12 or later')
  return isReal && !isSince(12)
    ? fault('NATS', version, 'use NATS 2.12 or later in production and in clusters')
    : ok('NATS', version)
}

const day = 86_400
/** The required settings of each stream, found by the end of its name; times in seconds. */
const streamRules = [
  { suffix: '_dead', subject: 'dead.>', age: 30 * day, duplicates: 120 },
  // Returning clients recover the last five minutes, and a starting edge publishes those frames again.
  { suffix: '_live', subject: framesSubject, age: 300, duplicates: 300 },
  { suffix: '', subject: 'platform.>', age: 7 * day, duplicates: 120 },
]

/** A duration in the form of the broker's command. */
const lengthOf = (seconds: number): string => (seconds % day === 0 ? `${seconds / day}d` : `${seconds / 60}m`)

/** Checks a stream against the required settings. */
export function streamFindings(stream: StreamState, replicas = 1): Finding[] {
  const title = `stream ${stream.name}`
  if (!stream.isPresent) return [note(title, 'does not exist yet', 'the platform creates it at startup')]
  const rule = streamRules.find(({ suffix }) => stream.name.endsWith(suffix))
  const { suffix = '', subject = '', age = 0, duplicates = 0 } = rule ?? {}
  const edit = (flag: string): string => `nats stream edit ${stream.name} ${flag}`
  const faults: Finding[] = []
  if (!stream.isOnDisk) faults.push(fault(title, 'is stored in memory', 'recreate it with --storage file'))
  if (!stream.subjects.includes(subject))
    faults.push(
      fault(title, `does not store ${subject}`, edit(`--subjects '${[...stream.subjects, subject].join(',')}'`)),
    )
  if (stream.duplicateSeconds < duplicates) {
    const fix = edit(`--dupe-window ${lengthOf(duplicates)}`)
    faults.push(fault(title, `detects duplicates for only ${stream.duplicateSeconds} s`, fix))
  }
  if (stream.days > 0 && Math.round(stream.days * day) < age)
    faults.push(
      note(title, `deletes messages after ${lengthOf(stream.days * day)}`, edit(`--max-age ${lengthOf(age)}`)),
    )
  if (stream.replicas < replicas)
    faults.push(note(title, `has ${stream.replicas} of ${replicas} replicas`, edit(`--replicas ${replicas}`)))
  if (faults.length > 0) return faults
  const waiting = suffix === '_dead' && stream.messages > 0
  const detail = `${stream.messages} messages, ${stream.replicas === 1 ? 'one replica' : `${stream.replicas} replicas`}`
  return [waiting ? note(title, detail, 'npm run platform -- dead-letters list') : ok(title, detail)]
}
