import { hotelAccents, platformColour } from '../../services/kernel/base/colours/colours.ts'
import { comesTrue } from '../kit/browser.ts'
import { assert } from '../kit/kit.ts'
import { type FrontWorld, frontSuite } from './front-world.ts'

let world: FrontWorld
const test = frontSuite('its look', started => {
  world = started
})

/** Sums what moved without a person's act (web.dev/cls). */
const watchShifts = `globalThis.shifts = 0
new PerformanceObserver(list => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifts += one.value
}).observe({ type: 'layout-shift', buffered: true })`

test('a font that arrives late moves next to nothing', async () => {
  for (const title of ['Une longue consigne pour toute l’équipe de l’hôtel', 'Roster of the week'])
    await world.writePage(title, { excerpt: `${title}. `.repeat(4), status: 'published' })
  const page = await world.openAs(world.admin)
  await page.addInitScript(watchShifts)
  const { promise: isShown, resolve: letFontsArrive } = Promise.withResolvers<void>()
  await page.route('**/*.woff2', route => isShown.then(() => route.continue()))
  await page.reload()
  await page.getByRole('heading', { name: 'Roster of the week' }).waitFor()
  assert.not(await page.evaluate(`document.fonts.check('1rem Figtree')`))
  letFontsArrive()
  await comesTrue(page, `document.fonts.check('1rem Figtree')`)
  await page.waitForTimeout(100)
  const shifts = await page.evaluate<number>('shifts')
  assert.ok(shifts <= 0.05, `${shifts}`)
})

test('without a hotel’s colour, everything has the platform’s', async () => {
  const page = await world.visit('/')
  const colours: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const button = page.getByRole('button', { name: 'Sign in' })
    colours.push(await button.evaluate(element => getComputedStyle(element).backgroundColor))
  }
  const { light, dark } = hotelAccents(platformColour)
  const rgb = (colour: string) =>
    `rgb(${[1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`
  assert.equal(colours, [rgb(light), rgb(dark)])
})

test.run()
