import type { RestService } from '../edge/catalogue.ts'
import { listeners } from '../edge/config.ts'

/** Views of the member database that news and notification may read. */
export const memberViews = ['member_directory', 'member_audience', 'workspace_directory']

/** Every address of the edge, for people. */
export const addressesOf = (urls: Record<RestService, string>) =>
  (Object.keys(listeners) as RestService[]).map(name => ({ name: listeners[name].health, url: urls[name] }))
