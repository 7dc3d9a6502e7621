import { type Kysely, sql } from 'kysely'
import type { Bus } from './bus.ts'
import { header } from './message.ts'

const chunk = 200

/**
 * A broker that loses power can lose the end of its stream, although it had confirmed it. Compares the rows published
 * last with their places in the stream and marks the lost ones as unpublished. Call it while no relay publishes from
 * this database.
 * @returns the number of lost rows
 */
export async function requeueLostEvents<T>(db: Kysely<T>, bus: Bus): Promise<number> {
  const { first, last } = await bus.bounds(bus.stream)
  const beyond = await sql`
    update outbox set published_at = null, stream_seq = null where stream_seq > ${last}
  `.execute(db)
  let missing = Number(beyond.numAffectedRows ?? 0)
  for (;;) {
    const { rows } = await sql<{ position: number; id: string; stream_seq: number }>`
      select position, id, stream_seq from outbox
      where stream_seq between ${first} and ${last} order by stream_seq desc limit ${chunk}
    `.execute(db)
    const isStored = await Promise.all(rows.map(async row => (await idAt(bus, row.stream_seq)) === row.id))
    const lostPositions = rows.filter((_, i) => !isStored[i]).map(row => row.position)
    if (lostPositions.length > 0) {
      await sql`
        update outbox set published_at = null, stream_seq = null
        where position in (${sql.join(lostPositions)})
      `.execute(db)
    }
    missing += lostPositions.length
    // Only the end can be lost: below a row that still exists, all exist.
    if (lostPositions.length < rows.length || rows.length < chunk) return missing
  }
}

async function idAt(bus: Bus, sequence: number): Promise<string | undefined> {
  return (await bus.read(bus.stream, sequence))?.headers[header.id]
}
