import { type Kysely, sql } from 'kysely'
import type { Bus } from './bus.ts'
import { header } from './message.ts'

const batchSize = 200

/**
 * A broker that loses power can lose the last events of its stream, although it had confirmed them. Marks lost events as
 * unpublished in the outbox, newest first, until it finds one that the stream still has. Call it while no relay
 * publishes from this database.
 * @returns the number of lost events
 */
export async function requeueLostEvents<T>(db: Kysely<T>, bus: Bus): Promise<number> {
  const { first, last } = await bus.bounds(bus.stream)
  const rowsAfterEnd = await sql`
    update outbox set published_at = null, stream_seq = null where stream_seq > ${last}
  `.execute(db)
  let lostCount = Number(rowsAfterEnd.numAffectedRows ?? 0)
  for (;;) {
    const { rows } = await sql<{ position: number; id: string; stream_seq: number }>`
      select position, id, stream_seq from outbox
      where stream_seq between ${first} and ${last} order by stream_seq desc limit ${batchSize}
    `.execute(db)
    const isStored = await Promise.all(rows.map(async row => (await eventIdAt(bus, row.stream_seq)) === row.id))
    const lostPositions = rows.filter((_, i) => !isStored[i]).map(row => row.position)
    if (lostPositions.length > 0) {
      await sql`
        update outbox set published_at = null, stream_seq = null
        where position in (${sql.join(lostPositions)})
      `.execute(db)
    }
    lostCount += lostPositions.length
    // Only the end of a stream can be lost: all events before a stored one are stored.
    if (lostPositions.length < rows.length || rows.length < batchSize) return lostCount
  }
}

async function eventIdAt(bus: Bus, sequence: number): Promise<string | undefined> {
  return (await bus.read(bus.stream, sequence))?.headers[header.id]
}
