import { ConfigError } from './kernel/process/config.ts'
import type { ServiceModule, ServiceName } from './kernel/rpc/host.ts'

/** The folder of each service; a process loads only those it hosts. */
const folders: Record<ServiceName, () => Promise<{ service: ServiceModule }>> = {
  auth: () => import('./auth/service.ts'),
  member: () => import('./member/service.ts'),
  hotel: () => import('./hotel/service.ts'),
  media: () => import('./media/service.ts'),
  news: () => import('./news/service.ts'),
  notification: () => import('./notification/service.ts'),
  payment: () => import('./payment/service.ts'),
}

/** Loads the named services in their starting order. Throws on an unknown name. */
export async function loadServices(names: string[]): Promise<ServiceModule[]> {
  const unknownNames = names.filter(name => !Object.hasOwn(folders, name))
  if (unknownNames.length > 0)
    throw new ConfigError(
      `SERVICES names ${unknownNames.join(', ')}; known services: ${Object.keys(folders).join(', ')}`,
    )
  const selectedFolders = Object.entries(folders).filter(([name]) => names.includes(name))
  const serviceModules = await Promise.all(selectedFolders.map(([, load]) => load()))
  return serviceModules.map(one => one.service)
}
