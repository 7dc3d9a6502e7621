import type { RequireKnown } from './known-ecosystems.ts'
import type { ObjectStore } from './objects.ts'
import type { Db } from './tables.ts'
import type { Thumbnails } from './thumbnails.ts'

/** What the handlers of the media service take. */
export type Context = {
  db: Db
  objects: ObjectStore
  publicUrl: string
  defaultQuotaBytes: number
  /** Bytes that one file may have. */
  maxFileBytes: number
  maxPixels: number
  thumbnail: Thumbnails
  requireKnown: RequireKnown
}
