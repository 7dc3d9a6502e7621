import { sql } from 'kysely'
import { closeDatabase, openDatabase } from '../services/kernel/database/database.ts'
import { kernelMigrations } from '../services/kernel/database/migrate.ts'
import { addColumn, addIndex } from '../services/kernel/database/schema.ts'
import { testDatabase } from '../test/kit/database.ts'
import { bySize } from './support/size.ts'
import { withServers } from './support/world.ts'

const rows = bySize(1_000_000, 100_000, 1_000)

/** The longest wait of writes to a table of a million rows while a migration adds a column and an index to it. */
export const benchAlter = (): Promise<string> =>
  withServers(async () => {
    const database = await testDatabase(kernelMigrations)
    const [migrating, writing] = [openDatabase<unknown>(database.url), openDatabase<unknown>(database.url)]
    try {
      await sql`create table rows_of_bench (id int primary key auto_increment, text varchar(200) not null)`.execute(
        migrating,
      )
      await sql`insert into rows_of_bench (text) select repeat('x', 100) from seq_1_to_${sql.raw(String(rows))}`.execute(
        migrating,
      )
      const longest = async (step: () => Promise<void>): Promise<string> => {
        let [isDone, ms] = [false, 0]
        const began = performance.now()
        const altered = step().finally(() => (isDone = true))
        while (!isDone) {
          const start = performance.now()
          await sql`insert into rows_of_bench (text) values ('y')`.execute(writing)
          ms = Math.max(ms, performance.now() - start)
        }
        await altered
        return `${Math.round(ms)} ms (the step took ${Math.round(performance.now() - began)} ms)`
      }
      const column = await longest(() => addColumn(migrating, 'rows_of_bench', 'color', 'varchar(20) null'))
      const index = await longest(() => addIndex(migrating, 'rows_of_bench', 'rows_of_bench_text', 'text'))
      return `longest write while ${rows.toLocaleString('en')} rows get a column: ${column}; an index: ${index}`
    } finally {
      await Promise.all([closeDatabase(migrating), closeDatabase(writing)])
      await database.drop()
    }
  })
