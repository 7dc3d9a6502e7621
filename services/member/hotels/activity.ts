import { inTransaction } from '../../kernel/database/database.ts'
import { pagesOf } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { type HotelState, setWorkspacesClosed } from '../hotel-memberships/closing.sql.ts'
import { endRests, type HotelMembersPart, restLoneMembers } from '../hotel-memberships/rests.sql.ts'
import { invalidateRights, publishAccessChange } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { auditActivity } from './audit.ts'

/** Default number of members in one transaction. */
const maxPerTransaction = 1000

type Request = { hotelId: string; after?: string | undefined; limit?: number | undefined }
type Page<P> = { people: P[]; next?: string | undefined }

/** Closes a hotel and deactivates its members, one page per transaction: all pages, or one when a limit is set. */
export const deactivateHotelMembers = (context: Context, request: Request & { isDeleted: boolean }) =>
  change(context, request, request.isDeleted ? 'deleted' : 'suspended', restLoneMembers)

/**
 * Opens a restored or reopened hotel, then reactivates its members. In the other order, an active member of a closed hotel would
 * count as lone and be deactivated again.
 */
export const reactivateHotelMembers = (context: Context, request: Request) => change(context, request, 'open', endRests)

async function change<P extends { id: string }>(
  { db, bus }: Context,
  { hotelId, after, limit }: Request,
  state: HotelState,
  changePart: (trx: Trx, part: HotelMembersPart) => Promise<Page<P>>,
): Promise<Page<P>> {
  if (after === undefined)
    await inTransaction(db, async trx => {
      // Applies to everyone: members who are active elsewhere lose or regain their rights here too.
      if (await setWorkspacesClosed(trx, hotelId, state))
        await publishAccessChange(trx, bus, { memberIds: [], ecosystemId: hotelId })
    })
  const changePage = (from: string | undefined) =>
    inTransaction(db, async trx => {
      const result = await changePart(trx, { hotelId, after: from, limit: limit ?? maxPerTransaction })
      const memberIds = result.people.map(({ id }) => id)
      await auditActivity(trx, hotelId, memberIds, state === 'open')
      if (memberIds.length > 0) invalidateRights(trx, bus, { memberIds })
      return result
    })
  if (limit !== undefined) return changePage(after)
  const people: P[] = []
  for await (const result of pagesOf(from => changePage(from ?? after))) people.push(...result.people)
  return { people }
}
