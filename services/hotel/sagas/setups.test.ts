import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { SetupService } from '../../../gen/platform/hotel/v1/setups_pb.ts'
import { hotelForTest } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { type HotelTables, tenantTables } from '../tables.ts'
import { deleteOldRuns } from './retention.ts'

const test = suite('stored runs')
const world = await hotelForTest()
const { asRoot, rows, sandbox, wish, host } = world
const db = openDatabase<HotelTables>(host.databaseUrl('hotel'), { tables: tenantTables })
test.after(async () => {
  await closeDatabase(db)
  await world.end()
})

const keeping = { keptDays: 90, restoreDays: 120 }
const runOf = async (hotelId: string) => (await asRoot.setups.listSetups({ hotelId })).data.map(({ kind }) => kind)
const age = (days: number, hotelId: string) =>
  rows('hotel', 'update hotel_setups set created_at = date_sub(now(3), interval ? day) where hotel_id = ?', [
    days,
    hotelId,
  ])
/** All stored data of a hotel's runs, as one text. */
async function loadRuns(name: string): Promise<string> {
  const runs = await rows('hotel', 'select * from hotel_setups where hotel_name = ?', [name])
  const ids = runs.map(row => row['id'])
  const steps = await rows('hotel', 'select * from hotel_setup_steps where setup_id in (?)', [ids])
  return JSON.stringify([runs, steps])
}

test('a set-up shows its progress while it runs, and removes person and address once it is over', async () => {
  const request = wish({ address: '7 rue du Port', phone: '0611223344' })
  const letGoOn = await world.overtaken(request.name, 'chat')
  const answer = asRoot.hotels.createHotel(request)
  const currentSetup = await eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ status: 'running' })
    return data.find(({ hotelName, steps }) => hotelName === request.name && steps[3]?.status === 'started')
  })
  assert.equal(
    currentSetup.steps.map(({ status }) => status),
    ['done', 'done', 'done', 'started', 'pending', 'pending', 'pending', 'pending', 'pending'],
  )
  assert.match(await loadRuns(request.name), request.administrator.email)
  await letGoOn()
  const hotel = await answer
  const remainingText = await loadRuns(request.name)
  for (const word of ['7 rue du Port', '0611223344', 'Chef']) assert.not.match(remainingText, word)
  // For a day its Idempotency-Key returns the response, which contains the administrator's address.
  await deleteOldRuns(db, keeping)
  assert.match(await loadRuns(request.name), request.administrator.email)
  await age(2, hotel.id)
  await deleteOldRuns(db, keeping)
  assert.not.match(await loadRuns(request.name), request.administrator.email)
  assert.equal(await runOf(hotel.id), ['create'])
})

test('an undone set-up removes the person’s data at once', async () => {
  const request = wish()
  await sandbox.control({ provider: 'payment', mode: '500', path: '/v1/subscriptions', times: 4 })
  await refusal(asRoot.hotels.createHotel(request))
  await eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ status: 'undone' })
    return data.some(({ hotelName }) => hotelName === request.name)
  })
  assert.not.match(await loadRuns(request.name), request.administrator.email)
})

test('a key is free again once its run is removed', async () => {
  const request = wish()
  const headers = { 'idempotency-key': newId() }
  const first = await asRoot.hotels.createHotel(request, { headers })
  await age(2, first.id)
  await deleteOldRuns(db, keeping)
  assert.is.not((await asRoot.hotels.createHotel(request, { headers })).id, first.id)
})

test('old runs are removed; a deletion is kept while its hotel can be restored, and restores it', async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await eventually(async () => (await asRoot.setups.listSetups({ hotelId: hotel.id })).data[0]?.status === 'completed')
  await age(100, hotel.id)
  await deleteOldRuns(db, keeping)
  assert.equal(await runOf(hotel.id), ['delete'])
  await asRoot.hotels.restoreHotel({ id: hotel.id })
  const [member] = await rows('member', 'select is_active from members where id = ?', [hotel.administrator?.id])
  assert.is(member?.['is_active'], 1)
  await age(122, hotel.id)
  await deleteOldRuns(db, keeping)
  assert.equal(await runOf(hotel.id), [])
})

test('unfinished runs are never removed', async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  for (const status of ['running', 'undoing', 'parked']) {
    const foreignLease = "lease_until = date_add(now(3), interval 1 day), lease_owner = 'x'"
    await rows('hotel', `update hotel_setups set status = ?, ${foreignLease} where hotel_id = ?`, [status, hotel.id])
    await age(1000, hotel.id)
    await deleteOldRuns(db, keeping)
    assert.equal(await runOf(hotel.id), ['create'], status)
  }
})

test('runs are listed page by page for platform administrators', async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  const { data, meta } = await asRoot.setups.listSetups({ hotelId: hotel.id })
  assert.equal([meta?.total, data[0]?.kind, data[0]?.status], [1, 'create', 'completed'])
  assert.equal(
    data[0]?.steps.map(({ position, status }) => [position, status]),
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(position => [position, 'done']),
  )
  assert.is((await asRoot.setups.getSetup({ id: data[0]?.id ?? '' })).setup?.hotelName, hotel.name)
  assert.is((await asRoot.setups.listSetups({ limit: 1 })).data.length, 1)
  assert.is((await refusal(asRoot.setups.resumeSetup({ id: data[0]?.id ?? '' }))).info.status, 409)
  const member = host.as(SetupService, await world.administratorOf(hotel))
  assert.is((await refusal(member.listSetups({}))).info.status, 403)
  assert.is((await refusal(asRoot.setups.getSetup({ id: newId() }))).info.status, 404)
  assert.is((await refusal(host.as(HotelService).listHotels({}))).info.status, 401)
})

test('a run whose error is in no known form is listed and shown with a general message', async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  for (const error of ['connect ECONNREFUSED', 'null', '{"class":"ConflictError"}', '{"class":"ValidationError"}']) {
    await rows('hotel', 'update hotel_setups set error = ? where hotel_id = ?', [error, hotel.id])
    const { data } = await asRoot.setups.listSetups({ hotelId: hotel.id })
    const { setup } = await asRoot.setups.getSetup({ id: data[0]?.id ?? '' })
    assert.equal([data[0]?.error, setup?.error], Array(2).fill('Internal server error'), error)
  }
})

test.run()
