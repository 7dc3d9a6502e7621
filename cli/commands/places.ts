import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, readSetting } from '../../services/kernel/process/config.ts'
import { environment } from '../environment.ts'
import { administrator, memberReader, passwordOf } from '../stack/accounts.ts'
import { everything } from '../stack/broker-config.ts'
import { schemaUrlOf } from '../stack/external.ts'
import { natsSettings, natsUrlOf } from '../stack/nats.ts'
import { rememberedPorts } from '../stack/ports.ts'
import { keptSecrets, type Secrets } from '../stack/secrets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The data folder of `npm start`. */
export const dataDirOf = (env: Environment): string => resolve(root, readSetting(env, '', 'DATA_DIR') ?? '.data')

/**
 * An account that reads every schema of one server: BACKUP_DATABASE_URL, or the one that created the schemas;
 * undefined without one. Databases configured one by one may be on other servers.
 */
export function readAllUrlOf(env: Environment): string | undefined {
  const url = readSetting(env, '', 'BACKUP_DATABASE_URL') ?? readSetting(env, '', 'DATABASE_URL')
  if (url) return url
  const dataDir = dataDirOf(env)
  const secrets = keptSecrets(dataDir)
  const port = rememberedPorts(`${dataDir}/mariadb.port.json`)['mariadb']
  return secrets && port
    ? `mysql://${administrator}:${passwordOf(administrator, secrets)}@127.0.0.1:${port}`
    : undefined
}

/**
 * The platform's settings, as far as they are visible from outside: the environment, completed by the secrets and
 * private servers of the data folder.
 */
export function settingsOf(env: Environment): Environment {
  const dataDir = dataDirOf(env)
  const secrets = keptSecrets(dataDir)
  const url = readSetting(env, '', 'DATABASE_URL')
  const mariadb = rememberedPorts(`${dataDir}/mariadb.port.json`)['mariadb']
  const nats = rememberedPorts(`${dataDir}/nats.port.json`)['nats']
  const address = (account: string, schema: string): string => {
    if (url) return schemaUrlOf(url, schema)
    return secrets && mariadb ? `mysql://${account}:${passwordOf(account, secrets)}@127.0.0.1:${mariadb}/${schema}` : ''
  }
  const stack = {
    databaseUrl: (service: string) => address(service, service),
    memberReadUrl: address(memberReader, 'member'),
    natsUrl: secrets && nats ? natsUrlOf(secrets, nats, everything) : '',
  }
  // The accounts of a private broker. A configured broker has the configured accounts.
  const isOwn = !readSetting(env, '', 'AMQP_GATEWAY_URL') && secrets && nats
  const settings = environment(stack, secrets ?? ({} as Secrets), {
    ...(isOwn ? natsSettings(secrets, nats) : {}),
    ...env,
  })
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value))
}
