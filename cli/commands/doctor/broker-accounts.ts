import { refusedSubjects } from '../../../services/kernel/bus/inspect.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { sharedAccount } from '../../stack/broker-config.ts'
import {
  type BrokerPermissions,
  brokerNames,
  brokerUsers,
  permissionsOf,
  permissionsOfAll,
} from '../../stack/broker-permissions.ts'
import { messageOf } from '../../stack/messages.ts'
import { type Finding, fault, note, ok } from './finding.ts'

const fix = 'add what `npm run platform -- broker-accounts` prints to the configuration of nats-server, and reload it'

/** Checks that each broker account has the permissions that its process needs. */
export async function accountFindings(env: Environment): Promise<Finding[]> {
  const names = brokerNames(env)
  const accounts = brokerUsers.flatMap(user => {
    const url = readSetting(env, '', `${user.toUpperCase()}_AMQP_GATEWAY_URL`)
    return url ? [{ user, url, needed: permissionsOf(user, names) }] : []
  })
  const sharedUrl = readSetting(env, '', 'AMQP_GATEWAY_URL')
  const allAccounts = [
    ...accounts,
    ...(sharedUrl ? [{ user: sharedAccount, url: sharedUrl, needed: permissionsOfAll(names) }] : []),
  ]
  const findings = await Promise.all(allAccounts.map(({ user, url, needed }) => missingPermissions(user, url, needed)))
  const faults = findings.flat()
  if (allAccounts.length === 0) return []
  if (accounts.length === 0)
    return [
      ...faults,
      note('NATS accounts', 'one account is shared by all processes', 'to give each its own, see docs/guides/scale.md'),
    ]
  return faults.length > 0
    ? faults
    : [ok('NATS accounts', `${accounts.length}, each with the permissions that its process needs`)]
}

async function missingPermissions(
  user: string,
  url: string,
  { publish, subscribe }: BrokerPermissions,
): Promise<Finding[]> {
  const title = `NATS account of ${user}`
  try {
    const subjects = await refusedSubjects(url, { publish: publish.allow, subscribe })
    return [
      ...subjects.publish.map(subject => fault(title, `is not allowed to publish ${subject}`, fix)),
      ...subjects.subscribe.map(subject => fault(title, `is not allowed to subscribe to ${subject}`, fix)),
    ]
  } catch (error) {
    return [fault(title, messageOf(error) || 'is not responding', fix)]
  }
}
