import { suite } from 'uvu'
import { startPlatform } from '../kit/platform/platform.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { addKindsOfCallers } from '../kit/requests/caller-kinds.ts'

/* In one process: negatives.test.ts. */
const test = suite('kinds of callers, each service in its own process')
const platform = await startPlatform('split')
let hotels: TwoHotels
test.before(async () => {
  hotels = await twoHotels(platform)
})
test.after(() => platform.stop())

addKindsOfCallers(test, () => hotels)

test.run()
