import type { Page } from 'playwright-core'
import { hotelAccents, platformColour } from '../../services/kernel/base/colours/colours.ts'
import { comesTrue } from '../kit/browser.ts'
import { assert } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound } from './front-world.ts'

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
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Roster of the week' }).waitFor()
  assert.not(await page.evaluate(`document.fonts.check('1rem Figtree')`))
  letFontsArrive()
  await comesTrue(page, `document.fonts.check('1rem Figtree')`)
  await page.waitForTimeout(100)
  const shifts = await page.evaluate<number>('shifts')
  assert.ok(shifts <= 0.05, `${shifts}`)
})

const rgb = (colour: string) => `rgb(${[1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`

/** The ground of an element in light and dark. */
async function coloursOf(page: Page, selector: string): Promise<string[]> {
  const colours: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    colours.push(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`))
  }
  return colours
}

test('where no hotel is known, everything has the platform’s colour', async () => {
  const page = await world.visit('/')
  const { light, dark } = hotelAccents(platformColour)
  assert.equal(await coloursOf(page, '.button.main'), [rgb(light), rgb(dark)])
})

test('a hotel’s colour, made readable, is that of client, icon and manifest, also at the next sign-in', async () => {
  const { admin, ecosystemId, ask } = world
  const hotel = await ask('hotel', 'GET', `/hotel/get/${ecosystemId}`, { token: admin.token })
  const id = (hotel['settings'] as { id: string }).id
  const [body, { light, dark }] = [{ primary_color: '#ffe066' }, hotelAccents('#ffe066')]
  await ask('hotel', 'PATCH', `/setting/update/${id}`, { token: admin.token, body })
  const page = await world.openAs(admin)
  await comesTrue(page, `document.documentElement.style.getPropertyValue('--hotel').includes('${light}')`)
  assert.equal(await coloursOf(page, '.chip[aria-pressed=true]'), [rgb(light), rgb(dark)])
  await isSound(page, 'news in yellow')
  const manifest = await page.evaluate<{ name: string; theme_color: string; icons: { src: string }[] }>(
    `fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())`,
  )
  assert.equal([manifest.name, manifest.theme_color], ['Hôtel du Phare', light])
  const icon = await page.evaluate<string>(`fetch('${manifest.icons[0]?.src}').then(answer => answer.text())`)
  assert.match(icon, `fill="${light}"`)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Hôtel du Phare').waitFor()
  assert.equal(await coloursOf(page, '.button.main'), [rgb(light), rgb(dark)])
  await isSound(page, 'sign-in of a known hotel')
})

test.run()
