import { accountsConfigText } from '../stack/broker-config.ts'
import { brokerNames, brokerUsers, permissionsOf } from '../stack/broker-permissions.ts'
import type { CliCommand } from './command.ts'

/** Prints deploy/nats/accounts.conf for the configured stream, queue and subjects. */
export const brokerAccountsCommand: CliCommand = {
  name: 'broker-accounts',
  summary: 'prints the broker accounts and their permissions, for the configuration of nats-server',
  async run({ env }) {
    const busNames = brokerNames(env)
    const data = Object.fromEntries(brokerUsers.map(user => [user, permissionsOf(user, busNames)]))
    return { data, text: accountsConfigText(busNames) }
  },
}
