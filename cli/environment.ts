import { consoleListener, frontListener, listeners } from '../edge/config.ts'
import { serviceNames } from '../services/kernel/base/service-names.ts'
import { type Environment, readSetting } from '../services/kernel/process/config.ts'
import type { PortSetting } from './stack/ports.ts'
import { rotatableSecrets, type Secrets, webPushKeys } from './stack/secrets.ts'
import type { Stack, StackOptions } from './stack/stack.ts'

/** Secrets of the data folder that services read as settings of the same name. */
const sharedSecrets = [
  ...rotatableSecrets.flatMap(name => [name, `${name}_PREVIOUS`, `${name}_NEXT`] as const),
  'BOOTSTRAP_ADMIN_PASSWORD',
] as const

/** Services that publish their own addresses. */
const servicesWithPublicAddress = ['MEDIA', 'NOTIFICATION']

/**
 * The settings of the platform's processes over a stack: adds what is missing in `base`, and keeps what is set there,
 * also as NAME_FILE.
 */
export function environment(
  stack: Pick<Stack, 'databaseUrl' | 'memberReadUrl' | 'natsUrl'>,
  secrets: Secrets,
  base: Environment,
): Environment {
  const frontPort = Number(readSetting(base, '', 'FRONT_PORT'))
  const defaults: Environment = {
    ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, stack.databaseUrl(name)])),
    NEWS_MEMBER_DATABASE_URL: stack.memberReadUrl,
    NOTIFICATION_MEMBER_DATABASE_URL: stack.memberReadUrl,
    AMQP_GATEWAY_URL: stack.natsUrl,
    AMQP_EXCHANGE_NAME: 'platform_events',
    BOOTSTRAP_ADMIN_EMAIL: 'admin@platform.example',
    // Addresses in answers and mails follow the ports.
    ...Object.fromEntries(
      servicesWithPublicAddress
        .map(name => [name, Number(readSetting(base, '', `${name}_PORT`))] as const)
        .filter(([, port]) => port)
        .map(([name, port]) => [`${name}_PUBLIC_URL`, `http://127.0.0.1:${port}`]),
    ),
    ...(frontPort ? { FRONT_BASE_URL: `http://localhost:${frontPort}` } : {}),
    ...Object.fromEntries(sharedSecrets.map(name => [name, secrets[name]])),
    ...(readSetting(base, '', 'VAPID_PRIVATE_KEY') ? {} : webPushKeys(secrets.VAPID_PRIVATE_KEY)),
  }
  const missingSettings = Object.entries(defaults).filter(
    ([name, value]) => value && !base[name] && !base[`${name}_FILE`],
  )
  return { ...base, ...Object.fromEntries(missingSettings) }
}

/**
 * The broker address for the operator's commands, which read, create and delete streams: OPERATOR_AMQP_GATEWAY_URL
 * takes precedence.
 */
export const operatorBroker = (env: Environment): string => readSetting(env, 'OPERATOR', 'AMQP_GATEWAY_URL') ?? ''

/** The configured address of a service's database. */
export const databaseUrlOf = (env: Environment, service: string): string | undefined =>
  readSetting(env, '', `${service.toUpperCase()}_DATABASE_URL`)

/** The configured database servers, used instead of a private one. */
export function givenDatabases(env: Environment): Pick<StackOptions, 'databaseUrl' | 'databaseUrls' | 'memberReadUrl'> {
  const single = serviceNames.map(name => [name, databaseUrlOf(env, name)] as const)
  return {
    databaseUrl: readSetting(env, '', 'DATABASE_URL'),
    databaseUrls: Object.fromEntries(single.filter(([, url]) => url)),
    memberReadUrl: readSetting(env, '', 'NEWS_MEMBER_DATABASE_URL'),
  }
}

/** Every port that the platform will listen on. Port 0 is the system's choice and is never taken. */
export function platformPorts(env: Environment): PortSetting[] {
  const port = (name: string, setting: string, fallback: number, host: string): PortSetting => ({
    name,
    setting,
    port: Number(readSetting(env, '', setting) ?? fallback),
    host,
  })
  const edgeHost = readSetting(env, '', 'EDGE_HOST') ?? '127.0.0.1'
  const rpcHost = readSetting(env, '', 'RPC_HOST') ?? '127.0.0.1'
  const restPorts = Object.entries(listeners).map(([name, place]) => port(name, place.setting, place.port, edgeHost))
  const notification = restPorts.find(place => place.setting === 'NOTIFICATION_PORT')?.port
  return [
    // Legacy authentication and notifications share a port unless they are configured apart.
    ...restPorts.filter(place => place.setting !== 'LEGACY_AUTH_PORT' || place.port !== notification),
    ...serviceNames.map((name, place) => port(`${name} RPC`, `${name.toUpperCase()}_RPC_PORT`, 4000 + place, rpcHost)),
    port('console', consoleListener.setting, consoleListener.port, edgeHost),
    ...(readSetting(env, '', 'FRONT_CLIENT') === 'off'
      ? []
      : [port('web client', frontListener.setting, frontListener.port, edgeHost)]),
    port('sandbox', 'SANDBOX_PORT', 3010, '127.0.0.1'),
    port('metrics', 'METRICS_PORT', 9464, '127.0.0.1'),
  ].filter(place => place.port !== 0)
}
