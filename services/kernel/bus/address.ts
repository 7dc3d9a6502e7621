import type { ConnectionOptions } from 'nats'
import { ConfigError } from '../process/config.ts'
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

/** Why the broker isn't connected; TLS failures are named in terms of the settings. */
export const brokerProblem = (error: unknown, url: string): string =>
  tlsProblem(error, url, 'NATS') ?? (error instanceof Error ? error.message : String(error))
