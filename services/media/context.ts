import type { Log } from '../kernel/process/log.ts'
import type { ObjectStore } from './objects/objects.ts'
import type { Decoding } from './pictures/decoding.ts'
import type { RequireKnown } from './quotas/known-ecosystems.ts'
import type { MediaDb } from './tables.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** Shared by the handlers of the media service. */
export type Context = {
  db: MediaDb
  objects: ObjectStore
  log: Log
  publicUrl: string
  defaultQuotaBytes: number
  maxFileBytes: number
  maxPixels: number
  /** Whether uploaded pictures keep place, device and thumbnails. */
  keepsMetadata: boolean
  decoding: Decoding
  thumbnail: Thumbnails
  requireKnown: RequireKnown
}
