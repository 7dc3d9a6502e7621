import { suite } from 'uvu'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { addKindsOfCallers } from '../kit/requests/caller-kinds.ts'

/* In one process: access/negatives.test.ts. */
const test = suite('kinds of callers, each service in its own process')
const platform = await sharedPlatform('split')
let hotels: TwoHotels
test.before(async () => {
  hotels = await twoHotels(platform)
})

addKindsOfCallers(test, () => hotels)

test.run()
