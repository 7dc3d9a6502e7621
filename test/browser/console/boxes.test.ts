import { browserSuite } from '../../kit/browser.ts'
import { assert } from '../../kit/kit.ts'
import { measureBoxes } from '../faulty-boxes.ts'
import { addHotel, type ConsoleSite, publishPoison, startConsole } from './site.ts'

const test = browserSuite('boxes of the console')

let site: ConsoleSite
test.before(async () => {
  site = await startConsole()
})
test.after(() => site?.end())

test('no word is cut and nothing overflows on any screen of the console', async () => {
  const faults = await measureBoxes(site.page, 'sign-in')
  const hotel = await addHotel(site, 'Grand Hôtel de la Pointe du Phare')
  await publishPoison(site, 'test.cut')
  await site.enter()
  await site.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await site.open('dead-letters')
  await site.main().getByText('test.cut').first().waitFor()
  await site.open('people')
  await site.main().getByLabel('Search').fill(hotel.staff)
  await site.page.keyboard.press('Enter')
  const person = site.main().locator('a[href^="#/people/"]').first()
  const [, personPage = ''] = (await person.getAttribute('href'))?.split('#/') ?? []
  const lists = ['overview', 'hotels', 'events', 'dead-letters', 'deliveries', 'requests', 'audit', 'people']
  for (const address of [...lists, 'sessions', 'legacy', 'missing', `hotels/${hotel.id}`, personPage]) {
    await site.open(address)
    faults.push(...(await measureBoxes(site.page, address)))
  }
  assert.equal(faults, [])
})

test.run()
