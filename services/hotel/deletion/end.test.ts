import { type Hotels, killing, portsApart } from '../../../test/kit/hotel/apart.ts'
import { hotelForTest, traces } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'

const test = suite('kill -9 during the final removal of a hotel')

const { entries, settings } = await portsApart()
// Only the process that is to die starts the end of hotels.
const world = await hotelForTest({ ...settings, HOTEL_END_LOOK_MS: '86400000' })
const { asRoot, wish } = world
test.after(() => world.end())
const killedAt = killing(world, entries)

test('a process killed during the final removal of a hotel leaves the rest to another one', async () => {
  for (const failpoint of ['end-files-effect', 'end-chat-effect']) {
    const hotel = await asRoot.hotels.createHotel(wish())
    await asRoot.hotels.deleteHotel({ id: hotel.id })
    await world.deletedEarlier(hotel.id, 31)
    // The process ends the hotel by itself; the call, which is refused, only waits for that.
    const call = (hotels: Hotels) => hotels.restoreHotel({ id: hotel.id })
    const signal = await killedAt([{ failpoint, name: hotel.name, call }])
    assert.is(signal, 'SIGKILL', failpoint)
    await eventually(async () => {
      const { data } = await asRoot.setups.listSetups({ hotelId: hotel.id })
      return data.find(({ kind, status }) => kind === 'end' && status === 'completed')
    }, 60_000)
    const { files, strays, chat } = await traces(world, hotel.id, hotel.name, '')
    assert.equal({ files, strays, chat }, { files: 0, strays: 0, chat: 0 }, failpoint)
  }
})

test.run()
