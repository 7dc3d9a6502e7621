import { type Kysely, sql } from 'kysely'
import { fold } from '../../kernel/base/texts/fold.ts'

type Names = { workspace_id: string; member_id: string; sort_first: string; sort_last: string; search_text: Buffer }

const batch = 500

/** Names outside ASCII are folded as pages are: ð, þ and ħ by their letters, syllables of other scripts whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (let last: Names | undefined; ; ) {
    const { rows } = await sql<Names>`
      select workspace_id, member_id, sort_first, sort_last, search_text from workspace_members
      where (length(sort_first) > char_length(sort_first) or length(sort_last) > char_length(sort_last))
        and (workspace_id, member_id) > (${last?.workspace_id ?? ''}, ${last?.member_id ?? ''})
      order by workspace_id, member_id limit ${sql.lit(batch)}
    `.execute(db)
    for (const row of rows) {
      const address = row.search_text.subarray(row.search_text.indexOf('\n'))
      const text = Buffer.concat([Buffer.from(fold(`${row.sort_first} ${row.sort_last}`)), address]).subarray(0, 880)
      if (!text.equals(row.search_text))
        await sql`
          update workspace_members set search_text = ${text}, updated_at = updated_at
          where workspace_id = ${row.workspace_id} and member_id = ${row.member_id}
        `.execute(db)
    }
    last = rows.at(-1)
    if (rows.length < batch) return
  }
}
