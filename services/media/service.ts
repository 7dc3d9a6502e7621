import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import { startConsumer } from '../kernel/bus/consume.ts'
import { closeDatabase, pingDatabase } from '../kernel/database/database.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { implement } from '../kernel/rpc/implement.ts'
import { mediaConfig } from './config.ts'
import type { Context } from './context.ts'
import { fileHandlers } from './files/files.ts'
import { openStorage } from './objects/open.ts'
import { startDecoding } from './pictures/decoding.ts'
import { applyStorageEvent, storageConsumer, storageSubject } from './quotas/event.ts'
import { knownEcosystems } from './quotas/known-ecosystems.ts'
import { quotaHandlers } from './quotas/quotas.ts'
import { type MediaTables, tenantTables } from './tables.ts'
import { thumbnails } from './thumbnails/thumbnails.ts'
import { startSweep } from './uploads/sweep.ts'
import { uploadHandlers } from './uploads/upload.ts'

/** Stored files and storage quotas per ecosystem. */
export const service: ServiceModule = {
  name: 'media',
  async start({ env, log, bus, metrics: { registry }, client }) {
    const { databaseUrl, storage, ...limits } = mediaConfig(env)
    const db = await openMigrated<MediaTables>('media', databaseUrl, log, { tables: tenantTables })
    const objects = await openStorage(storage, env, { log, registry })
    const decoding = startDecoding()
    const media: Context = {
      db,
      objects,
      log,
      ...limits,
      decoding,
      thumbnail: thumbnails({ db, objects, decoding, maxPixels: limits.maxPixels }),
      requireKnown: knownEcosystems(db, client(AccessService)),
    }
    const consumer = startConsumer({
      bus,
      db,
      durable: storageConsumer,
      subject: storageSubject,
      // The later of two quotas of an ecosystem must win.
      inOrder: true,
      handle: message => applyStorageEvent(db, message),
      log,
    })
    const stopSweep = startSweep(media)
    return {
      rpcs: [implement(MediaService, { ...uploadHandlers(media), ...fileHandlers(media), ...quotaHandlers(media) })],
      async ready() {
        await pingDatabase(db)
        await objects.ready()
      },
      async stop() {
        await consumer.stop()
        await decoding.stop()
        await stopSweep()
        await closeDatabase(db)
        objects.close()
      },
    }
  },
}
