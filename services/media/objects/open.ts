import { ConfigError, type Environment } from '../../kernel/process/config.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Registry } from '../../kernel/provider/metrics.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import type { mediaConfig } from '../config.ts'
import { openDisk } from './disk.ts'
import type { ObjectStore } from './objects.ts'

/** Opens the configured store. Loads the S3 SDK only when needed. */
export async function openStorage(
  storage: ReturnType<typeof mediaConfig>['storage'],
  env: Environment,
  calls: { log: Log; registry: Registry },
): Promise<ObjectStore> {
  if (storage.kind === 'disk')
    return openDisk(storage.folder).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(`MEDIA_DIR: ${storage.folder} can't be written (${error.code}); name a folder of this user`)
    })
  const { openBucket } = await import('./s3.ts')
  return openBucket(storage, createProvider('storage', providerSettings(env, 'MEDIA'), calls))
}
