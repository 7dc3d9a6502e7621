import type { Transport } from '@connectrpc/connect'
import { type ServiceName, serviceNames } from '../base/service-names.ts'
import { type Environment, integer, readSettings } from '../process/config.ts'
import { remoteTransport } from './remote.ts'

/** Transports to the services of other processes, each created on first use. */
export function remoteServices(env: Environment) {
  const remotes = new Map<ServiceName, ReturnType<typeof remoteTransport>>()
  return {
    to(name: ServiceName): Transport {
      let remote = remotes.get(name)
      if (!remote) remotes.set(name, (remote = remoteTransport(rpcUrl(env, name))))
      return remote
    },
    close() {
      for (const remote of remotes.values()) remote.close()
    },
  }
}

/**
 * Port of a service's RPCs: MEMBER_RPC_PORT, by default 4000 plus the service's place.
 * @param isAlone whether the process serves only this service: then the documented PORT is its port, too
 */
export function rpcPort(env: Environment, name: ServiceName, isAlone = false): number {
  const key = `${name.toUpperCase()}_RPC_PORT`
  const { PORT } = isAlone ? readSettings(env, '', { PORT: integer(0, 65_535).optional() }) : {}
  const fallback = PORT ?? 4000 + serviceNames.indexOf(name)
  return readSettings(env, '', { [key]: integer(0, 65_535).default(fallback) })[key] as number
}

const rpcUrl = (env: Environment, name: ServiceName): string =>
  env[`${name.toUpperCase()}_RPC_URL`] ?? `http://127.0.0.1:${rpcPort(env, name)}`
