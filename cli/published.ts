import { consoleListener, edgeConfig, frontListener, listeners } from '../edge/config.ts'
import type { RestService } from '../gen/catalogue.ts'
import type { Environment } from '../services/kernel/process/config.ts'

/** Views of the member database that news and notification may read. */
export const memberViews = ['member_directory', 'member_audience', 'member_teams', 'workspace_directory']

/** Every address of the edge, for people, the web client's first; without those whose port the system chose. */
export function addressesOf(urls: Record<RestService, string>, env: Environment) {
  const { host, consolePort, frontPort, frontAddress } = edgeConfig(env)
  const addressAt = (name: string, port: number | undefined) => (port ? [{ name, url: `http://${host}:${port}` }] : [])
  const restAddresses = (Object.keys(listeners) as RestService[]).map(name => ({
    name: listeners[name].health,
    url: urls[name],
  }))
  const front = frontPort ? [{ name: frontListener.name, url: frontAddress }] : []
  return [...front, ...restAddresses, ...addressAt(consoleListener.name, consolePort)]
}
