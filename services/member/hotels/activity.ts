import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { pagesOf } from '../../kernel/rpc/paging.ts'
import { deactivateLoneMembers, type Part, reactivateMembers, setClosed } from '../hotel-memberships/rests.sql.ts'
import { announceAccess, invalidateRights } from '../rights/announce.ts'
import type { Db, Trx } from '../tables.ts'
import { auditActivity } from './audit.ts'

/** Default number of members in one transaction. */
const mostAtOnce = 1000

type Request = { hotelId: string; after?: string | undefined; limit?: number | undefined }
type Page<P> = { people: P[]; next?: string | undefined }

/**
 * Closes a deleted hotel and deactivates its members, one page per transaction: all pages, or one when a limit is set.
 */
export const deactivate = (parts: { db: Db; bus: Bus }, request: Request) =>
  change(parts, request, false, deactivateLoneMembers)

/**
 * Opens a restored hotel, then reactivates its members. In the other order, an active member of a closed hotel would
 * count as lone and be deactivated again.
 */
export const reactivate = (parts: { db: Db; bus: Bus }, request: Request) =>
  change(parts, request, true, reactivateMembers)

async function change<P extends { id: string }>(
  { db, bus }: { db: Db; bus: Bus },
  { hotelId, after, limit }: Request,
  isActive: boolean,
  act: (trx: Trx, part: Part) => Promise<Page<P>>,
): Promise<Page<P>> {
  if (after === undefined)
    await inTransaction(db, async trx => {
      // Applies to everyone: members who are active elsewhere lose or regain their rights here too.
      if (await setClosed(trx, hotelId, !isActive))
        await announceAccess(trx, bus, { memberIds: [], ecosystemId: hotelId })
    })
  const page = (from: string | undefined) =>
    inTransaction(db, async trx => {
      const done = await act(trx, { hotelId, after: from, limit: limit ?? mostAtOnce })
      const memberIds = done.people.map(({ id }) => id)
      await auditActivity(trx, hotelId, memberIds, isActive)
      if (memberIds.length > 0) invalidateRights(trx, bus, { memberIds })
      return done
    })
  if (limit !== undefined) return page(after)
  const people: P[] = []
  for await (const done of pagesOf(from => page(from ?? after))) people.push(...done.people)
  return { people }
}
