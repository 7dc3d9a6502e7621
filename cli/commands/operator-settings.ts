import { resolve } from 'node:path'
import { type Environment, readSetting } from '../../services/kernel/process/config.ts'
import { environment } from '../environment.ts'
import { root } from '../run.ts'
import { administrator, memberReader, passwordOf } from '../stack/accounts.ts'
import { sharedAccount } from '../stack/broker-config.ts'
import { schemaUrlOf } from '../stack/external.ts'
import { natsSettings, natsUrlOf } from '../stack/nats.ts'
import { readPorts } from '../stack/ports.ts'
import { type Secrets, storedSecrets } from '../stack/secrets.ts'

/** The data folder of `npm start`. */
export const dataDirOf = (env: Environment): string => resolve(root, readSetting(env, '', 'DATA_DIR') ?? '.data')

/**
 * The URL of an account that can read every schema of one server: BACKUP_DATABASE_URL, or else the account that created
 * the schemas. Databases with their own URL may be on other servers, which this account can't read.
 */
export function readAllUrlOf(env: Environment): string | undefined {
  const url = readSetting(env, '', 'BACKUP_DATABASE_URL') ?? readSetting(env, '', 'DATABASE_URL')
  if (url) return url
  const dataDir = dataDirOf(env)
  const secrets = storedSecrets(dataDir)
  const port = readPorts(`${dataDir}/mariadb.port.json`)['mariadb']
  return secrets && port
    ? `mysql://${administrator}:${passwordOf(administrator, secrets)}@127.0.0.1:${port}`
    : undefined
}

/**
 * The platform's settings as the CLI can see them: the environment, completed with the secrets and the private servers
 * of the data folder.
 */
export function settingsOf(env: Environment): Environment {
  const dataDir = dataDirOf(env)
  const secrets = storedSecrets(dataDir)
  const url = readSetting(env, '', 'DATABASE_URL')
  const mariadb = readPorts(`${dataDir}/mariadb.port.json`)['mariadb']
  const nats = readPorts(`${dataDir}/nats.port.json`)['nats']
  const databaseAddress = (account: string, schema: string): string => {
    if (url) return schemaUrlOf(url, schema)
    return secrets && mariadb ? `mysql://${account}:${passwordOf(account, secrets)}@127.0.0.1:${mariadb}/${schema}` : ''
  }
  const stack = {
    databaseUrl: (service: string) => databaseAddress(service, service),
    memberReadUrl: databaseAddress(memberReader, 'member'),
    natsUrl: secrets && nats ? natsUrlOf(secrets, nats, sharedAccount) : '',
  }
  // A configured broker has its own accounts, which the environment names.
  const isPrivateBroker = !readSetting(env, '', 'AMQP_GATEWAY_URL') && secrets && nats
  const settings = environment(stack, secrets ?? ({} as Secrets), {
    ...(isPrivateBroker ? natsSettings(secrets, nats) : {}),
    ...env,
  })
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value))
}
