import { resolve } from 'node:path'
import { z } from 'zod'
import { address, ConfigError, type Environment, integer, readSettings } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

const shape = {
  DATABASE_URL: databaseAddress,
  DATA_DIR: z.string().default('.data'),
  MEDIA_STORAGE: z.enum(['disk', 's3']).default('disk'),
  MEDIA_DIR: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: address('http', 'https').optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  MEDIA_PUBLIC_URL: address('http', 'https').default('http://127.0.0.1:3003'),
  MEDIA_DEFAULT_QUOTA_MO: integer(0, 1_000_000_000).default(1000),
  MEDIA_MAX_FILE_MO: integer(1, 1_000).default(100),
  MEDIA_MAX_PIXELS: integer(1, 1_000_000_000).default(100_000_000),
  MEDIA_KEEP_METADATA: z.enum(['true', 'false']).default('false'),
}

/** Bytes per MO (mega-octet), the unit of quotas. */
export const bytesPerMo = 1_000_000

export function mediaConfig(env: Environment) {
  const read = readSettings(env, 'MEDIA', shape)
  return {
    databaseUrl: read.DATABASE_URL,
    /** A folder or a bucket, shared by all processes of the service. */
    storage: read.MEDIA_STORAGE === 's3' ? bucketOf(read) : folderOf(read),
    /** Prefix of file addresses, without a trailing slash. */
    publicUrl: read.MEDIA_PUBLIC_URL.replace(/\/+$/, ''),
    /** Quota of an ecosystem without its own quota. */
    defaultQuotaBytes: read.MEDIA_DEFAULT_QUOTA_MO * bytesPerMo,
    maxFileBytes: read.MEDIA_MAX_FILE_MO * bytesPerMo,
    maxPixels: read.MEDIA_MAX_PIXELS,
    keepsMetadata: read.MEDIA_KEEP_METADATA === 'true',
  }
}

type Read = z.infer<z.ZodObject<typeof shape>>

const folderOf = ({ MEDIA_DIR, DATA_DIR }: Read) => ({
  kind: 'disk' as const,
  folder: resolve(MEDIA_DIR ?? `${DATA_DIR}/media`),
})

function bucketOf(read: Read) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read
  if (!bucket) throw new ConfigError('S3_BUCKET: is required when MEDIA_STORAGE is s3')
  if (!accessKeyId !== !secretAccessKey)
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: must be set together')
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  return { kind: 's3' as const, bucket, region: read.S3_REGION, endpoint: read.S3_ENDPOINT, credentials }
}
