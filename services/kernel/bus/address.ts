import type { ConnectionOptions } from 'nats'
import { ConfigError, type Environment, readSetting, readSettings } from '../process/config.ts'
import { brokerAddress, hostsOf, tlsFor, tlsProblem } from '../process/tls.ts'

/**
 * Connection options for an address: nats://user:password@host:4222, or several separated by commas. The client reads
 * no credentials from addresses, and accepts a server without TLS at tls:// by default.
 */
export function brokerConnection(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const fault = brokerAddress.safeParse(url).error?.issues[0]?.message
  if (fault !== undefined) throw new ConfigError(`the address of the broker ${fault}`)
  const tls = tlsFor(url, 'NATS')
  return { servers: hostsOf(url).split(', '), ...credentialsIn(url), ...(tls ? { tls } : {}) }
}

function credentialsIn(url: string): { user?: string; pass?: string } {
  const { username, password } = new URL(url.split(',')[0] ?? '')
  return username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}
}

/** Why the broker isn't connected; failures of TLS and accounts are named in terms of the settings. */
export function brokerProblem(error: unknown, url: string): string {
  const text = tlsProblem(error, url, 'NATS') ?? (error instanceof Error ? error.message : String(error))
  if (!/authorization.violation/i.test(text)) return text
  return 'authorization violation: correct user and password in the address of the broker'
}

/** The inbox prefix of a broker account with restricted permissions. No other account may subscribe to it. */
export const inboxOf = (account: string): string => `_INBOX_${account}`

/**
 * The broker's address and account for this process. A process that hosts a single service, or only the edge, may have
 * its own account: NEWS_AMQP_GATEWAY_URL takes precedence over AMQP_GATEWAY_URL. A process with several services uses
 * the latter.
 * @param services those in this process
 */
export function brokerAccount(services: readonly { name: string }[], env: Environment) {
  const name = services.length > 1 ? '' : (services[0]?.name ?? 'edge')
  const prefix = name.toUpperCase()
  const { AMQP_GATEWAY_URL: url } = readSettings(env, prefix, { AMQP_GATEWAY_URL: brokerAddress })
  const isOwn = prefix !== '' && readSetting(env, '', `${prefix}_AMQP_GATEWAY_URL`) !== undefined
  return { url, inbox: isOwn ? inboxOf(name) : undefined }
}
