import { type CompiledQuery, Kysely, MysqlDialect, sql } from 'kysely'
import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { testDatabase } from '../../test/kit/database.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { newId } from '../kernel/base/ids.ts'
import { dialectConfig, inTransaction } from '../kernel/database/database.ts'
import { migrate } from '../kernel/database/migrate.ts'
import { countHotels, type HotelFilter, hotelsOfSetting, listHotels, lockOverdueHotel } from './hotels.sql.ts'
import { countByGroup, hotelsOfGroup } from './references/groups.sql.ts'
import { claimRun } from './sagas/runs.sql.ts'
import { listRuns } from './sagas/setups.sql.ts'
import type { HotelTables } from './tables.ts'

const test = suite('query plans of hotel lists')
const database = await testDatabase(new URL('./migrations/', import.meta.url))
await migrate(database.url, new URL('./migrations/', import.meta.url))
const seen: CompiledQuery[] = []
const db = new Kysely<HotelTables>({
  dialect: new MysqlDialect(dialectConfig(database.url)),
  log: ({ query }) => void seen.push(query),
})
test.after(async () => {
  await db.destroy()
  await database.drop()
})

const ids = Array.from({ length: 3000 }, () => newId())
const groups = Array.from({ length: 60 }, () => newId())
const settings = Array.from({ length: 60 }, () => newId())
const letters = (i: number) => `${'abcdefghij'[i % 10]}${i}`
await db
  .insertInto('hotels')
  .values(
    ids.map((id, i) => ({
      id,
      name: letters(i * 7),
      city: `City ${i % 50}`,
      group_id: groups[i % 60] ?? null,
      setting_id: settings[i % 60] ?? null,
      ready_at: new Date(),
      deleted_at: i % 20 === 0 ? new Date() : null,
    })),
  )
  .execute()
await db
  .insertInto('hotel_groups')
  .values(groups.map((id, i) => ({ id, name: letters(i) })))
  .execute()
const run = { kind: 'create', actor: '{}', input: '{}' }
await db
  .insertInto('hotel_setups')
  .values(
    ids.map((id, i) => ({
      ...run,
      id: newId(),
      hotel_id: id,
      hotel_name: letters(i),
      status: i % 100 === 0 ? ('parked' as const) : ('completed' as const),
      created_at: new Date(Date.now() - i * 1000),
    })),
  )
  .execute()
for (const table of ['hotels', 'hotel_groups', 'hotel_setups']) await sql`analyze table ${sql.table(table)}`.execute(db)

type Step = { table: string; key: string | null; Extra: string; rows: number }

/** The query plans of a call's statements. */
async function plansOf(call: () => Promise<unknown>): Promise<Step[][]> {
  seen.length = 0
  await call()
  const statements = seen.filter(each => each.sql.startsWith('select'))
  const plans: Step[][] = []
  for (const { sql: text, parameters } of statements)
    plans.push(
      (await db.executeQuery<Step>({ ...sql``.compile(db), sql: `explain format=traditional ${text}`, parameters }))
        .rows,
    )
  return plans
}
const page = { page: 1, limit: 20, offset: 0 }
const sorts = /filesort|temporary/i

test('hotels are read in order from an index, by name alone, of a group and of a city', async () => {
  const cases: [Partial<HotelFilter>, string][] = [
    [{}, 'hotels_name'],
    [{ isActive: true }, 'hotels_name'],
    [{ groupId: groups[3] }, 'hotels_group'],
    [{ city: 'City 7' }, 'hotels_city'],
  ]
  for (const [filter, key] of cases) {
    const [plan = []] = await plansOf(() => listHotels(db, { own: undefined, ...filter }, page))
    const hotels = plan.find(({ table }) => table === 'h')
    assert.is(hotels?.key, key, JSON.stringify(filter))
    for (const { Extra } of plan) assert.not.match(Extra ?? '', sorts)
  }
})

test('the hotels of one caller are read and counted by their ids', async () => {
  const own = ids.slice(1, 4)
  const [list = []] = await plansOf(() => listHotels(db, { own }, page))
  assert.is(list.find(({ table }) => table === 'h')?.key, 'PRIMARY')
  const [count = []] = await plansOf(() => countHotels(db, { own }))
  assert.is(count[0]?.key, 'PRIMARY')
})

test('the total of all hotels is counted in an index without reading the hotels', async () => {
  for (const filter of [{}, { isActive: true }]) {
    const [plan = []] = await plansOf(() => countHotels(db, { own: undefined, ...filter }))
    assert.is(plan[0]?.key, 'hotels_total')
    assert.match(plan[0]?.Extra ?? '', 'Using index')
  }
})

test('hotels past their grace period are found in an index, the earliest first', async () => {
  const [plan = []] = await plansOf(() => inTransaction(db, trx => lockOverdueHotel(trx, 30)))
  assert.is(plan[0]?.key, 'hotels_overdue')
  for (const { Extra } of plan) assert.not.match(Extra ?? '', sorts)
})

test('totals of a group and of a city read only their rows', async () => {
  for (const [filter, key, most] of [
    [{ groupId: groups[3] }, 'hotels_group', 100],
    [{ city: 'City 7' }, 'hotels_city', 120],
  ] as const) {
    const [plan = []] = await plansOf(() => countHotels(db, { own: undefined, ...filter }))
    assert.is(plan[0]?.key, key)
    assert.ok(Number(plan[0]?.rows) <= most)
  }
})

// The list of groups reads the whole table: a scan is its best plan.
test('the hotels of a group are read by name, and the counts of all groups from their index', async () => {
  const [hotels = []] = await plansOf(() => hotelsOfGroup(db, groups[3] ?? '', undefined))
  assert.equal([hotels[0]?.key, sorts.test(hotels[0]?.Extra ?? '')], ['hotels_group', false])
  const [counts = []] = await plansOf(() => countByGroup(db, undefined))
  assert.equal([counts[0]?.key, /Using index/.test(counts[0]?.Extra ?? '')], ['hotels_group', true])
  const [users = []] = await plansOf(() => hotelsOfSetting(db, settings[3] ?? ''))
  assert.is(users[0]?.key, 'hotels_setting')
})

test('runs are read newest first, also of one status or hotel, and the next due one without a scan', async () => {
  const cases = [
    [{}, 'hotel_setups_newest'],
    [{ status: 'parked' }, 'hotel_setups_status'],
    [{ hotelId: ids[5] }, 'hotel_setups_hotel'],
  ] as const
  for (const [filter, key] of cases) {
    const [plan = []] = await plansOf(() => listRuns(db, filter, page))
    assert.equal([plan[0]?.key, sorts.test(plan[0]?.Extra ?? '')], [key, false], JSON.stringify(filter))
  }
  const [due = []] = await plansOf(() => inTransaction(db, trx => claimRun(trx, 1000)))
  assert.ok(Number(due[0]?.rows) < 100, `${due[0]?.key} ${due[0]?.rows}`)
})

test('every list of the service is tested here or is read whole', async () => {
  const here = ['ListHotels', 'ListSetups']
  // Few rows, which every caller may read: a scan is their best plan.
  const whole = ['ListGroups', 'ListSettings', 'ListTypes']
  const declared = (await rpcsOfPackage('platform.hotel.v1'))
    .map(({ name }) => name)
    .filter(name => name.startsWith('List'))
  assert.equal(
    declared.toSorted(),
    [...here, ...whole].toSorted(),
    'Test the plan of a new list in this file and add it to `here`, or add it to `whole`.',
  )
})

test.run()
