import { randomBytes } from 'node:crypto'
import { authorizationText, operatorAccount } from '../../../cli/stack/broker-config.ts'
import { brokerNames, brokerUsers } from '../../../cli/stack/broker-permissions.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { type TestBus, testBus } from '../bus.ts'

const password = randomBytes(16).toString('hex')
const passwordOf = (account: string): string => `${account}-${password}`

/** What a version makes the broker's accounts of. */
export type BrokerVersion = { authorizationText: typeof authorizationText; brokerNames: typeof brokerNames }
const currentVersion: BrokerVersion = { authorizationText, brokerNames }

/** The configuration with a separate account for every process. */
export const accountsOf = (stream: string, version = currentVersion): string =>
  version.authorizationText({ ...version.brokerNames({}), stream }, account => `"${passwordOf(account)}"`)

/** A broker with a separate account for every process; its `url` is the operator's. */
export const dividedBus = (): Promise<TestBus> =>
  testBus({
    config: stream => accountsOf(stream),
    login: `${operatorAccount}:${passwordOf(operatorAccount)}`,
  })

/** The broker's address for one of its accounts. */
const addressFor = (url: string, account: string): string =>
  Object.assign(new URL(url), { username: account, password: passwordOf(account) }).href

/** The address setting of each process with its own account. */
export const ownAddresses = (url: string): Environment =>
  Object.fromEntries(brokerUsers.map(name => [`${name.toUpperCase()}_AMQP_GATEWAY_URL`, addressFor(url, name)]))
