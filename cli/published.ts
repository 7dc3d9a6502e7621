import type { RestService } from '../edge/catalogue.ts'
import { consoleListener, edgeConfig, listeners } from '../edge/config.ts'
import type { Environment } from '../services/kernel/process/config.ts'

/** Views of the member database that news and notification may read. */
export const memberViews = ['member_directory', 'member_audience', 'workspace_directory']

/** Every address of the edge, for people; without the console's if the system chose its port. */
export function addressesOf(urls: Record<RestService, string>, env: Environment) {
  const { host, consolePort } = edgeConfig(env)
  const rest = (Object.keys(listeners) as RestService[]).map(name => ({
    name: listeners[name].health,
    url: urls[name],
  }))
  return consolePort === 0 ? rest : [...rest, { name: consoleListener.name, url: `http://${host}:${consolePort}` }]
}
