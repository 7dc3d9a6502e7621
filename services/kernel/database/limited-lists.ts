import type { SelectQueryBuilder } from 'kysely'

/** Reads lists in parts until all of them together have `mostBytes` as JSON. */
export function limitedLists(mostBytes: number) {
  let bytesLeft = mostBytes
  const truncated: string[] = []
  return {
    /** Names of the lists that didn't fit as a whole. */
    truncated,
    /** The first rows of a list, as many as fit. */
    async read<DB, TB extends keyof DB, Row>(
      name: string,
      query: SelectQueryBuilder<DB, TB, Row>,
      limit = 500,
    ): Promise<Row[]> {
      const rows: Row[] = []
      for (;;) {
        const part = await query.limit(limit).offset(rows.length).execute()
        for (const row of part) {
          bytesLeft -= Buffer.byteLength(JSON.stringify(row))
          if (bytesLeft < 0) {
            truncated.push(name)
            return rows
          }
          rows.push(row)
        }
        if (part.length < limit) return rows
      }
    },
  }
}
