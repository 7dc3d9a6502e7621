import { resolve } from 'node:path'
import { z } from 'zod'
import { address, type Environment, integer, settings } from '../kernel/config.ts'

const shape = {
  DATABASE_URL: address('mysql'),
  DATA_DIR: z.string().default('.data'),
  MEDIA_DIR: z.string().optional(),
  MEDIA_PUBLIC_URL: address('http', 'https').default('http://127.0.0.1:3003'),
  MEDIA_DEFAULT_QUOTA_MO: integer(0, 1_000_000_000).default(1000),
}

/** Bytes of one MO, the unit of the documents. */
export const bytesPerMo = 1_000_000

/** Settings of the media service. */
export function mediaConfig(env: Environment) {
  const read = settings(env, 'MEDIA', shape)
  return {
    databaseUrl: read.DATABASE_URL,
    /** Where the bytes are; all processes of the service share it. */
    folder: resolve(read.MEDIA_DIR ?? `${read.DATA_DIR}/media`),
    /** What file addresses begin with, without a slash at the end. */
    publicUrl: read.MEDIA_PUBLIC_URL.replace(/\/+$/, ''),
    /** Quota of an ecosystem that has none of its own (DECISIONS 62). */
    defaultQuotaBytes: read.MEDIA_DEFAULT_QUOTA_MO * bytesPerMo,
  }
}
