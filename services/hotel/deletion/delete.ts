import type { HandlerContext } from '@connectrpc/connect'
import { ecosystemOf, eventActorOf } from '../../kernel/access/access.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { auditHotel } from '../audit.ts'
import type { Context } from '../context.ts'
import { lockDeletedHotel, lockHotel, writeHotel } from '../hotels.sql.ts'
import { now } from '../rows.ts'
import { openRun } from '../sagas/worker.ts'
import { moveSubscription } from '../subscription/status.ts'
import type { HotelDb } from '../tables.ts'
import { continueLifeRun, exclusiveKey } from './life-run.ts'

type Parts = Pick<Context, 'dependencies' | 'sagas' | 'deletion' | 'restoration' | 'restoreDays'>

/** DELETE /hotel/delete/:id: the hotel disappears at once; effects outside are retried until they succeed. */
export async function deleteHotel({ dependencies, sagas, deletion }: Parts, context: HandlerContext) {
  const id = ecosystemOf(context).ecosystemId
  const openedRun = inTransaction(dependencies.db, async trx => {
    const hotel = await lockHotel(trx, id)
    if (!hotel) throw new NotFoundError('Hotel not found')
    const actor = eventActorOf(context)
    await moveSubscription(trx, id, { status: 'inactive' }, actor)
    await writeHotel(trx, id, { deleted_at: now })
    await auditHotel(trx, { hotelId: id, actor, action: 'deleted', before: { name: hotel.name } })
    const run = { hotelId: id, input: { name: hotel.name }, actor, exclusiveKey }
    return openRun(sagas, trx, deletion, run)
  })
  await continueLifeRun(sagas, openedRun)
  return { message: 'Hotel deleted', id }
}

/**
 * POST /hotel/restore/:id within the grace period, once the deletion is completed: the hotel is back at once, effects
 * outside follow.
 */
export async function restoreHotel(parts: Parts, id: string, context: HandlerContext) {
  const { dependencies, sagas, restoration, restoreDays } = parts
  const openedRun = inTransaction(dependencies.db, async trx => {
    const hotel = await lockDeletedHotel(trx, id, restoreDays)
    if (!hotel || hotel.ready_at === null) throw new NotFoundError('Hotel not found')
    if (hotel.deleted_at === null) throw new ConflictError('The hotel is not deleted')
    if (!hotel.is_restorable) throw new ConflictError('The grace period of the hotel has ended')
    await assertDeleted(trx, id)
    const actor = eventActorOf(context)
    const lease = await openRun(sagas, trx, restoration, {
      hotelId: id,
      input: { name: hotel.name },
      actor,
      exclusiveKey,
    })
    await writeHotel(trx, id, { deleted_at: null, is_active: 1 })
    await auditHotel(trx, { hotelId: id, actor, action: 'restored', after: { name: hotel.name } })
    return lease
  })
  await continueLifeRun(sagas, openedRun)
  return { message: 'Hotel restored', id }
}

/** Refuses until the hotel's last deletion is completed. */
async function assertDeleted(db: HotelDb, hotelId: string): Promise<void> {
  const run = await db
    .selectFrom('hotel_setups')
    .select('status')
    .where('hotel_id', '=', hotelId)
    .where('kind', '=', 'delete')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (run && run.status !== 'completed') throw new ConflictError('The hotel is still being deleted')
}
