import type { Kysely } from 'kysely'
import { StorageMediaSchema } from '../../../gen/platform/events/v1/storage_pb.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { type BusMessage, claimEvent, readBody } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { fromJson } from '../../kernel/json/decode.ts'
import { validator } from '../../kernel/rpc/validator.ts'
import { bytesPerMo } from '../config.ts'
import type { MediaTables } from '../tables.ts'
import { setQuota } from './storage.sql.ts'

export const storageSubject = 'platform.storage.media'
export const storageConsumer = 'media-storage'

/**
 * Applies the quota of a platform.storage.media event. Throws PermanentFailure when the message breaks its contract.
 */
export async function applyStorageEvent(db: Kysely<MediaTables>, { id, body }: BusMessage): Promise<void> {
  const { ecosystemId, bytes } = quotaOf(body)
  await inTransaction(db, async trx => {
    if (!(await claimEvent(trx, storageConsumer, id))) return
    await setQuota(trx, systemTenant('', ecosystemId, 'the storage event names its ecosystem'), bytes)
  })
}

const hasSize = (body: unknown): boolean => Object.hasOwn((body as { payload: object }).payload, 'max_size')

const quotaOf = (body: unknown): { ecosystemId: string; bytes: number } =>
  readBody('a storage event', () => {
    const event = fromJson(StorageMediaSchema, body)
    const result = validator.validate(StorageMediaSchema, event)
    if (result.kind !== 'valid') throw result.error ?? new Error('the message is not valid')
    // A missing number would read as 0 and close the hotel's storage.
    if (!hasSize(body)) throw new Error('payload.max_size: value is required')
    return { ecosystemId: event.ecosystemId, bytes: Math.round((event.payload?.maxSize ?? 0) * bytesPerMo) }
  })
