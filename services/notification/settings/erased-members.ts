import { z } from 'zod'
import { type BusMessage, PermanentFailure } from '../../kernel/bus/consume.ts'
import { removeDevicesOf } from './subscriptions.sql.ts'
import type { Db } from '../tables.ts'

const envelope = z.object({ payload: z.object({ memberId: z.string() }) })

/** Members who were erased: no device is theirs any more (R9). */
export const erasedMembers = (db: Db) => ({
  subject: 'platform.member.erased',
  async handle({ body }: BusMessage): Promise<void> {
    const parsed = envelope.safeParse(body)
    if (!parsed.success) throw new PermanentFailure('member.erased without a member id')
    await removeDevicesOf(db, parsed.data.payload.memberId)
  },
})
