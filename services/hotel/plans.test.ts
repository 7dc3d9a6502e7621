import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { databaseWithPlans, sortsIn } from '../../test/kit/plans.ts'
import { newId } from '../kernel/base/ids.ts'
import { inTransaction } from '../kernel/database/database.ts'
import { countHotels, type HotelFilter, hotelsOfSetting, listHotels, lockOverdueHotel } from './hotels.sql.ts'
import { countByGroup, hotelsOfGroup } from './references/groups.sql.ts'
import { claimRun } from './sagas/runs.sql.ts'
import { listRuns } from './sagas/setups.sql.ts'
import type { HotelTables } from './tables.ts'

const test = suite('query plans of hotel lists')
const { db, fill, plansOf, end } = await databaseWithPlans<HotelTables>(new URL('./migrations/', import.meta.url))
test.after(end)

const ids = Array.from({ length: 3000 }, () => newId())
const groups = Array.from({ length: 60 }, () => newId())
const settings = Array.from({ length: 60 }, () => newId())
const letters = (i: number) => `${'abcdefghij'[i % 10]}${i}`
await fill('hotels', ids.length, i => ({
  id: ids[i],
  name: letters(i * 7),
  city: `City ${i % 50}`,
  group_id: groups[i % 60],
  setting_id: settings[i % 60],
  ready_at: new Date(),
  deleted_at: i % 20 === 0 ? new Date() : null,
}))
await fill('hotel_groups', groups.length, i => ({ id: groups[i], name: letters(i) }))
await fill('hotel_types', 60, i => ({ id: newId(), name: letters(i) }))
const profile = { timezone: 'UTC', language: 'fr', currency: 'EUR', check_in_time: '15:00', check_out_time: '11:00' }
const colours = { primary_color: '#000000', secondary_color: '#ffffff' }
await fill('hotel_settings', settings.length, i => ({ id: settings[i], ...profile, ...colours }))
await fill('hotel_setups', ids.length, i => ({
  ...{ kind: 'create', actor: '{}', input: '{}' },
  id: newId(),
  hotel_id: ids[i],
  hotel_name: letters(i),
  status: i % 100 === 0 ? 'parked' : 'completed',
  created_at: new Date(Date.now() - i * 1000),
}))

const page = { page: 1, limit: 20, offset: 0 }

test('hotels are read in order from an index, by name alone, of a group and of a city', async () => {
  const cases: [Partial<HotelFilter>, string][] = [
    [{}, 'hotels_name'],
    [{ isActive: true }, 'hotels_name'],
    [{ groupId: groups[3] }, 'hotels_group'],
    [{ city: 'City 7' }, 'hotels_city'],
  ]
  for (const [filter, key] of cases) {
    const [plan = []] = await plansOf(() => listHotels(db, { ownIds: undefined, ...filter }, page))
    const hotels = plan.find(({ table }) => table === 'h')
    assert.is(hotels?.key, key, JSON.stringify(filter))
    assert.is(sortsIn(plan), false)
  }
})

test('the hotels of one caller are read and counted by their ids', async () => {
  const ownIds = ids.slice(1, 4)
  const [list = []] = await plansOf(() => listHotels(db, { ownIds }, page))
  assert.is(list.find(({ table }) => table === 'h')?.key, 'PRIMARY')
  const [count = []] = await plansOf(() => countHotels(db, { ownIds }))
  assert.is(count[0]?.key, 'PRIMARY')
})

test('the total of all hotels is counted in an index without reading the hotels', async () => {
  for (const filter of [{}, { isActive: true }]) {
    const [plan = []] = await plansOf(() => countHotels(db, { ownIds: undefined, ...filter }))
    assert.is(plan[0]?.key, 'hotels_total')
    assert.match(plan[0]?.Extra ?? '', 'Using index')
  }
})

test('hotels past their grace period are found in an index, the earliest first', async () => {
  const [plan = []] = await plansOf(() => inTransaction(db, trx => lockOverdueHotel(trx, 30)))
  assert.is(plan[0]?.key, 'hotels_overdue')
  assert.is(sortsIn(plan), false)
})

test('totals of a group and of a city read only their rows', async () => {
  for (const [filter, key, maxRows] of [
    [{ groupId: groups[3] }, 'hotels_group', 100],
    [{ city: 'City 7' }, 'hotels_city', 120],
  ] as const) {
    const [plan = []] = await plansOf(() => countHotels(db, { ownIds: undefined, ...filter }))
    assert.is(plan[0]?.key, key)
    assert.ok(Number(plan[0]?.rows) <= maxRows)
  }
})

// The list of groups reads the whole table: a scan is its best plan.
test('the hotels of a group are read by name, and the counts of all groups from their index', async () => {
  const [hotels = []] = await plansOf(() => hotelsOfGroup(db, groups[3] ?? '', undefined))
  assert.equal([hotels[0]?.key, sortsIn(hotels)], ['hotels_group', false])
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
    assert.equal([plan[0]?.key, sortsIn(plan)], [key, false], JSON.stringify(filter))
  }
  const [duePlan = []] = await plansOf(() => inTransaction(db, trx => claimRun(trx, 1000)))
  assert.ok(Number(duePlan[0]?.rows) < 100, `${duePlan[0]?.key} ${duePlan[0]?.rows}`)
})

test('every list of the service is tested here or is read whole', async () => {
  const testedLists = ['ListHotels', 'ListSetups']
  // Few rows, which every caller may read: a scan is their best plan.
  const wholeLists = ['ListGroups', 'ListSettings', 'ListTypes']
  const declaredLists = (await rpcsOfPackage('platform.hotel.v1'))
    .map(({ name }) => name)
    .filter(name => name.startsWith('List'))
  assert.equal(
    declaredLists.toSorted(),
    [...testedLists, ...wholeLists].toSorted(),
    'Test the plan of a new list in this file and add it to `testedLists`, or add it to `wholeLists`.',
  )
})

test.run()
