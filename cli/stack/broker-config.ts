import type { BrokerNames, BrokerPermissions } from './broker-permissions.ts'
import { brokerUsers, permissionsOf, permissionsOfAll } from './broker-permissions.ts'

/** The account of a process with several services. */
export const sharedAccount = 'platform'
/** The account of the operator's commands, without restrictions: a backup reads streams, a restore replaces them. */
export const operatorAccount = 'operator'
export const brokerAccounts = [...brokerUsers, sharedAccount, operatorAccount] as const
export type BrokerAccount = (typeof brokerAccounts)[number]

const list = (subjects: readonly string[], indent: string): string =>
  subjects.length === 0 ? '[]' : `[\n${subjects.map(subject => `${indent}  "${subject}"\n`).join('')}${indent}]`

function userText(name: string, password: string, permissions: BrokerPermissions | undefined): string {
  const login = `    { user: ${name}, password: ${password}`
  if (!permissions) return `${login} }\n`
  const { publish, subscribe } = permissions
  const deny = publish.deny.length > 0 ? `\n        deny: ${list(publish.deny, '        ')}` : ''
  return `${login}, permissions: {
      publish: {
        allow: ${list(publish.allow, '        ')}${deny}
      }
      subscribe: ${list(subscribe, '      ')}
    } }
`
}

/**
 * The part of nats-server's configuration with the accounts and their permissions.
 * @param passwordOf a quoted password, or the name of a variable: $NEWS_NATS_PASSWORD
 */
export function authorizationText(
  names: BrokerNames,
  passwordOf: (account: BrokerAccount) => string,
  accounts: readonly BrokerAccount[] = brokerAccounts,
): string {
  const permissionsFor = (account: BrokerAccount): BrokerPermissions | undefined => {
    if (account === operatorAccount) return undefined
    return account === sharedAccount ? permissionsOfAll(names) : permissionsOf(account, names)
  }
  const users = accounts.map(account => userText(account, passwordOf(account), permissionsFor(account)))
  return `authorization {\n  users: [\n${users.join('')}  ]\n}\n`
}

/**
 * Like `authorizationText`, for one process per service; passwords are variables that nats-server reads from its
 * environment.
 */
export function accountsConfigText(names: BrokerNames): string {
  const variableOf = (account: BrokerAccount) =>
    account === operatorAccount ? '$NATS_PASSWORD' : `$${account.toUpperCase()}_NATS_PASSWORD`
  return authorizationText(
    names,
    variableOf,
    brokerAccounts.filter(account => account !== sharedAccount),
  )
}
