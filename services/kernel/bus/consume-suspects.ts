import { type Kysely, sql } from 'kysely'

/** The record of a message that failed or was redelivered. */
export interface Trouble {
  failures: number
  /** Deliveries that a stopping process returned before its handler began. */
  givenBack: number
  reason: string | null
  /** It ran alone, and the process died before recording the end. */
  diedAlone: boolean
}

export type Suspects = ReturnType<typeof suspects>

/** The records of one durable consumer, shared by all its processes. */
export function suspects<T>(db: Kysely<T>, durable: string) {
  return {
    async recall(message: string): Promise<Trouble> {
      const { rows } = await sql<{
        failures: number
        given_back: number
        reason: string | null
        alone_since: Date | null
      }>`
        select failures, given_back, reason, alone_since from bus_suspects where durable = ${durable} and message = ${message}
      `.execute(db)
      const row = rows[0]
      return {
        failures: row?.failures ?? 0,
        givenBack: row?.given_back ?? 0,
        reason: row?.reason ?? null,
        diedAlone: (row?.alone_since ?? null) !== null,
      }
    },

    async failed(message: string, reason: string): Promise<void> {
      await sql`
        insert into bus_suspects (durable, message, failures, reason) values (${durable}, ${message}, 1, ${reason})
        on duplicate key update failures = failures + 1, reason = values(reason), alone_since = null
      `.execute(db)
    },

    async givenBack(messages: readonly string[]): Promise<void> {
      if (messages.length === 0) return
      const rows = messages.map(message => sql`(${durable}, ${message}, 1)`)
      await sql`
        insert into bus_suspects (durable, message, given_back) values ${sql.join(rows)}
        on duplicate key update given_back = given_back + 1
      `.execute(db)
    },

    /** Written before a suspect runs alone; if the process dies, the next one finds it. */
    async runsAlone(message: string): Promise<void> {
      await sql`
        insert into bus_suspects (durable, message, alone_since) values (${durable}, ${message}, now(3))
        on duplicate key update alone_since = now(3)
      `.execute(db)
    },

    async survived(message: string): Promise<void> {
      await sql`
        update bus_suspects set alone_since = null where durable = ${durable} and message = ${message}
      `.execute(db)
    },

    async forget(message: string): Promise<void> {
      await sql`delete from bus_suspects where durable = ${durable} and message = ${message}`.execute(db)
    },
  }
}
