import { dividedText } from '../stack/broker-config.ts'
import { brokerNames, brokerUsers, permissionsOf } from '../stack/broker-permissions.ts'
import type { CliCommand } from './command.ts'

/** Prints deploy/nats/accounts.conf for the configured names. */
export const brokerAccountsCommand: CliCommand = {
  name: 'broker-accounts',
  summary: 'prints the broker accounts and their permissions, for the configuration of nats-server',
  async run({ env }) {
    const names = brokerNames(env)
    const data = Object.fromEntries(brokerUsers.map(user => [user, permissionsOf(user, names)]))
    return { data, text: dividedText(names) }
  },
}
