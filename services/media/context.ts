import type { Log } from '../kernel/process/log.ts'
import type { ObjectStore } from './objects/objects.ts'
import type { RequireKnown } from './quotas/known-ecosystems.ts'
import type { Db } from './tables.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** Shared by the handlers of the media service. */
export type Context = {
  db: Db
  objects: ObjectStore
  log: Log
  publicUrl: string
  defaultQuotaBytes: number
  maxFileBytes: number
  maxPixels: number
  thumbnail: Thumbnails
  requireKnown: RequireKnown
}
