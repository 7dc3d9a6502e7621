import type { Page } from 'playwright-core'
import { addressOf } from '../../cli/tour/world.ts'
import { hotelAccents, platformColour } from '../../services/kernel/base/colours/colours.ts'
import { comesTrue } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound } from './front-world.ts'

let world: FrontWorld
const test = frontSuite('its look', startedWorld => {
  world = startedWorld
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
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
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
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('Hôtel du Phare').waitFor()
  assert.equal(await coloursOf(page, '.button.main'), [rgb(light), rgb(dark)])
  await isSound(page, 'sign-in of a known hotel')
})

test('an invitation greets in the hotel’s name and colour', async () => {
  const email = addressOf(world.tour, 'guest')
  const body = { email, firstName: 'Guest', lastName: 'Martin', workspaceId: world.workspaceId }
  await world.ask('member', 'POST', '/onboarding/invite', { token: world.admin.token, body })
  const page = await world.visit(await world.mailedLink(email, '/invitation'))
  await page.locator('.greeting').getByText('Hôtel du Phare').waitFor()
  const { light, dark } = hotelAccents('#ffe066')
  assert.equal(await coloursOf(page, '.button.main'), [rgb(light), rgb(dark)])
})

test('the news begin within the first 200 pixels, and a wide window has what is due, coming and new beside them', async () => {
  const { admin } = world
  await world.join('bo', 'member', 'Bo')
  const event = { pageType: 'event', eventStartsAt: '2031-06-05T18:00:00Z', status: 'published' }
  await world.writePage('Summer party', event)
  for (const title of ['Fire drill', 'Hygiene'])
    await world.news('PUT', `/api/v1/must-read/${await world.writePage(title, { status: 'published' })}`, {})
  const page = await world.openAs(admin)
  const duties = page.getByRole('region', { name: 'Must read' })
  for (const width of [320, 390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 })
    await duties.waitFor()
    const top = (await page.getByRole('article').first().boundingBox())?.y ?? 0
    assert.ok(top > 60 && top < 200, `${top} at ${width} px`)
    await eventually(async () => (await duties.getByRole('link').count()) === (width < 1200 ? 1 : 2))
  }
  await page.getByRole('region', { name: 'Coming up' }).getByRole('link', { name: 'Summer party' }).waitFor()
  await page.getByRole('region', { name: 'New colleagues' }).getByRole('link', { name: 'Bo Martin' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: '1 more' }).click()
  assert.is(await duties.getByRole('link').count(), 2)
  await isSound(page, 'news with duties')
})

test('the search in the header opens the news from any page', async () => {
  const page = await world.openAs(world.admin, '/members')
  const search = page.getByLabel('Search the news')
  await search.fill('roster')
  await search.press('Enter')
  await page.getByRole('article').filter({ hasText: 'Roster of the week' }).waitFor()
  assert.is(await page.getByRole('article').count(), 1)
})

test('a printed notice is the hotel’s name, the text and nothing to click; a toast ends with its page', async () => {
  const content = { blocks: [{ type: 'paragraph', data: { text: 'Leave by the stairs' } }] }
  const id = await world.writePage('In case of fire', { status: 'published', content })
  await world.news('PUT', `/api/v1/must-read/${id}`, {})
  const page = await world.openAs(world.admin, `/pages/${id}`)
  const toast = page.getByText('Thank you. Your confirmation has been recorded.')
  await page.getByRole('button', { name: 'I have read this' }).click()
  await toast.waitFor()
  const box = await toast.boundingBox()
  assert.ok(box && box.y + box.height < 140, 'the toast is at the top')
  await page.waitForTimeout(1_100)
  await page.getByRole('button', { name: 'Back' }).click()
  await toast.waitFor({ state: 'detached', timeout: 2_000 })
  await page.goBack()
  await page.getByText('Leave by the stairs').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const text of ['In case of fire', 'Leave by the stairs', 'Hôtel du Phare'])
    assert.ok(await page.getByText(text, { exact: true }).first().isVisible(), text)
  for (const role of ['button', 'textbox', 'navigation'] as const)
    assert.is(await page.getByRole(role).count(), 0, role)
  const ground = await page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)
  assert.is(ground, 'rgb(255, 255, 255)')
})

test('pictures come in three widths, and keep their room while they load', async () => {
  const fileUrl = `${world.platform.urls.media}/media/files/65f0c0ffee65f0c0ffee65f0`
  const medias = [{ fileUrl, thumbnailUrl: `${fileUrl}?variant=thumbnail`, type: 'image' }]
  const id = await world.writePage('A picture', { status: 'published', medias })
  const page = await world.openAs(world.admin, `/pages/${id}`)
  const picture = page.locator('.gallery img')
  await picture.waitFor()
  assert.match((await picture.getAttribute('srcset')) ?? '', /small 160w, .*medium 480w, .*large 1280w$/)
  const box = await picture.boundingBox()
  assert.ok(box && Math.abs(box.width / box.height - 1.5) < 0.1, JSON.stringify(box))
})

test('pictures in a text come in their own widths, and keep their room while they load', async () => {
  const url = `${world.platform.urls.media}/media/files/65f0c0ffee65f0c0ffee65f0`
  const file = { url, thumbnailUrl: `${url}?variant=thumbnail`, width: 3_000, height: 4_000 }
  const content = { blocks: [{ type: 'image', data: { file } }] }
  const id = await world.writePage('A tower', { status: 'published', content })
  for (const path of [`/pages/${id}`, `/write/${id}`]) {
    const page = await world.openAs(world.admin, path)
    const picture = page.locator('figure img')
    await picture.waitFor()
    const widths = [...((await picture.getAttribute('srcset')) ?? '').matchAll(/(\d+)w/g)].map(([, width]) => width)
    assert.equal(widths, ['120', '360', '960'], path)
    const box = await picture.boundingBox()
    assert.ok(box && box.height > 300 && Math.abs(box.width / box.height - 0.75) < 0.02, JSON.stringify(box))
  }
})

test.run()
