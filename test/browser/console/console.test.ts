import { setTimeout } from 'node:timers/promises'
import { call } from '../../../cli/tour/client.ts'
import { password } from '../../../cli/tour/world.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { addHotel, type ConsoleSite, lettersOf, looksRight, publishPoison, startConsole } from './site.ts'

/** The operator's console over a whole platform: all data comes through the API or the bus. */
const test = browserSuite("the operator's console in a browser")
const pages = [
  'overview',
  'hotels',
  'events',
  'dead-letters',
  'deliveries',
  'requests',
  'audit',
  'people',
  'sessions',
  'legacy',
  'nowhere',
] as const

let site: ConsoleSite
let page: ConsoleSite['page']
let main: ConsoleSite['main']
let open: ConsoleSite['open']
let fixture: Awaited<ReturnType<typeof fill>>

/** Creates a hotel whose administrator publishes a page, two messages without a template, and a legacy call. */
async function fill() {
  const { platform } = site
  const name = `Grand Hôtel Thermal et Résidence de la Côte d’Émeraude, annexe Nord, Le Phare ${newId().slice(-6)}`
  const hotel = await addHotel(site, name)
  const { token, root } = hotel
  const body = { workspaceId: hotel.workspace, title: 'Menu of the day', content: { blocks: [] } }
  const createdPage = await call(platform.urls, 'news', 'POST', '/api/v1/pages', { token, body })
  await call(platform.urls, 'news', 'POST', `/api/v1/pages/${createdPage.body['id']}/publish`, { token })
  const login = await fetch(`${platform.urls.legacyauth}/user/profile`, {
    headers: { 'user-agent': 'KitchenDisplay/2' },
  })
  assert.is(login.status, 401)
  for (const type of ['console.odd', 'console.odd']) await publishPoison(site, type)
  // The edge reports legacy calls every other second, and a delivery is counted after it has arrived.
  type Told = { channel?: string; status?: string; client?: string }
  const awaitRow = async (service: 'legacyauth' | 'notification', path: string, fits: (row: Told) => boolean) =>
    eventually(async () => {
      const answer = await call(platform.urls, service, 'GET', path, { token: root })
      return (answer.body['data'] as unknown as Told[]).some(fits)
    }, 30_000)
  await awaitRow('legacyauth', '/user/legacyUsage', ({ client }) => client === 'KitchenDisplay')
  const arrived = ({ channel, status }: Told) => channel === 'email' && status === 'success'
  await awaitRow('notification', '/api/v1/deliveries/statistics', arrived)
  return { name, staff: hotel.staff }
}

test.before(async () => {
  site = await startConsole()
  ;({ page, main, open } = site)
  fixture = await fill()
})
test.after(() => site?.end())

test('a member of a hotel learns that the console is not for them', async () => {
  await page.getByLabel('E-mail').waitFor()
  assert.equal(site.refusals, [], 'to come for the first time is no fault')
  await site.enter({ email: fixture.staff, password })
  await page.getByRole('heading', { name: 'No access' }).waitFor()
  assert.match(await main().innerText(), 'The console is for platform administrators')
  assert.is(await page.locator('#nav').count(), 0)
  await page.getByRole('button', { name: 'Sign in as another user' }).click()
})

test('an administrator signs in after a wrong password, and remains signed in after a reload', async () => {
  const { email } = site.platform.administrator
  await site.enter({ email, password: 'not the password' })
  await page.getByText('Wrong e-mail or password.').waitFor()
  await site.enter()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const storage = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.is(storage, '[{},{},""]')
})

test('each page shows the data created through the API, and a session is ended', async () => {
  await open('overview')
  await main().getByRole('link', { name: '2 dead letters', exact: true }).waitFor()
  await main().getByText('page.created').first().waitFor()
  await main().getByRole('region', { name: 'Consumers' }).getByText('notification_queue', { exact: true }).waitFor()
  await open('hotels')
  await main().getByRole('region', { name: 'Hotels' }).getByRole('link', { name: fixture.name }).waitFor()
  const run = main().getByRole('region', { name: 'Runs' }).locator('tr', { hasText: fixture.name })
  await run.getByText('9 of 9 steps').waitFor()
  await open('events')
  await main().getByRole('region', { name: 'Events' }).getByText('platform.notification.page.created').first().waitFor()
  await open('deliveries')
  await main().locator('.figure', { hasText: 'E-mail' }).getByText('100% accepted · 0 failed').waitFor()
  await open('sessions')
  await main().getByRole('region', { name: 'Sessions' }).getByText('current', { exact: true }).waitFor()
  await main().getByLabel('E-mail').fill(fixture.staff.slice(1, -3).toUpperCase())
  await page.keyboard.press('Enter')
  await main().getByText('current', { exact: true }).waitFor({ state: 'detached' })
  assert.match(await main().getByRole('region', { name: 'Sessions' }).innerText(), fixture.staff)
  const end = main().getByRole('button', { name: `End the session of ${fixture.staff}` })
  const sessions = await end.count()
  await end.first().click()
  await page.getByRole('dialog', { name: 'End this session?' }).getByRole('button', { name: 'End session' }).click()
  await page.getByText(`Ended the session of ${fixture.staff}.`).waitFor()
  await eventually(async () => (await end.count()) === sessions - 1)
  await open('legacy')
  await main().getByRole('region', { name: 'Routes and clients' }).getByText('KitchenDisplay').waitFor()
  await main().getByText('31 Dec 2027').waitFor()
})

test('a dead letter is shown, redriven and discarded, and its content is never markup', async () => {
  await open('dead-letters')
  const rows = main().getByRole('region', { name: 'Dead letters' }).getByRole('button', { name: 'console.odd' })
  await eventually(async () => (await rows.count()) === 2)
  await rows.first().click()
  const sheet = page.getByRole('dialog', { name: 'console.odd' })
  await sheet.getByText('Template not found: console_odd').waitFor()
  assert.match(await sheet.locator('pre').innerText(), '"title": "<img src=x onerror=alert(1)>"')
  assert.is(await sheet.locator('img').count(), 0)
  const before = await lettersOf(site, 2)
  await sheet.getByRole('button', { name: 'Redrive' }).click()
  await page.getByRole('dialog', { name: 'Redrive this message?' }).getByRole('button', { name: 'Redrive' }).click()
  // The cause isn't fixed, so the consumer dead-letters it again.
  const repeatedLetter = await eventually(async () => {
    const [newest] = await lettersOf(site, 2)
    return newest?.redrivenFrom ? newest : undefined
  })
  await main()
    .getByRole('button', { name: `Discard dead letter ${repeatedLetter.id}` })
    .click()
  const ask = page.getByRole('dialog', { name: 'Discard this message?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await lettersOf(site, 2)
  await main()
    .getByRole('button', { name: `Discard dead letter ${repeatedLetter.id}` })
    .click()
  await ask.getByRole('button', { name: 'Discard' }).click()
  await page.getByText(`Dead letter ${repeatedLetter.id} discarded.`).waitFor()
  assert.equal(
    (await lettersOf(site, 1)).map(one => one.id),
    [before[1]?.id],
  )
})

test('an expired session keeps the page open, and a letter handled by another is reported', async () => {
  const [letter] = await lettersOf(site, 1)
  const rows = main().getByRole('button', { name: 'console.odd' })
  // The discarded one stays in the list until the next refresh.
  await eventually(async () => (await rows.count()) === 1)
  await rows.click()
  const sheet = page.getByRole('dialog', { name: 'console.odd' })
  await sheet.getByRole('button', { name: 'Redrive' }).click()
  const ask = page.getByRole('dialog', { name: 'Redrive this message?' })
  await ask.waitFor()
  const { platform } = site
  const token = await site.rootToken()
  const path = '/sessions?isActive=true&limit=100'
  const { body } = await call(platform.urls, 'auth', 'GET', path, { token })
  type Session = { id: string; email: string; isCurrent: boolean }
  for (const one of body['data'] as unknown as Session[])
    if (one.email === platform.administrator.email && !one.isCurrent)
      await call(platform.urls, 'auth', 'DELETE', `/sessions/${one.id}`, { token })
  await call(platform.urls, 'notification', 'POST', `/api/v1/dead-letters/${letter?.id}/redrive`, { token })
  // Simulates a return to the tab, which refreshes the page at once.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  const signInDialog = page.getByRole('dialog', { name: 'Sign in again' })
  // The page is out of date, and its buttons are off, until it is refreshed after the sign-in.
  const isStatus = (url: URL) => url.pathname === '/console/api/status'
  await page.route(isStatus, async route => {
    await setTimeout(2_000)
    await route.continue()
  })
  await signInDialog.getByLabel('Password').fill(platform.administrator.password)
  await page.keyboard.press('Enter')
  await signInDialog.waitFor({ state: 'detached' })
  await ask.getByRole('button', { name: 'Redrive' }).click()
  await ask.getByText('Another user has already redriven or discarded it.').waitFor()
  await page.unroute(isStatus)
  await ask.getByRole('button', { name: 'Close' }).click()
  await sheet.waitFor({ state: 'detached' })
})

test('a parked set-up is found and resumed', async () => {
  const db = await connectDatabase(site.platform.env['HOTEL_DATABASE_URL'] ?? '')
  await db.query("update hotel_setups set status = 'parked' where hotel_name = ?", [fixture.name])
  await db.end()
  await open('hotels?status=parked')
  await main()
    .getByRole('button', { name: `Resume the setup of ${fixture.name}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText(`Resumed the run of ${fixture.name}.`).waitFor()
  await main().getByText('Nothing matches the filter.').waitFor()
})

test('a limit of requests is shown with the time to wait; nothing is asked until then, and the session stays', async () => {
  await open('deliveries')
  const requestedPaths: string[] = []
  const isData = (url: URL) => /^\/(console\/api|console\/session|api|hotel|sessions)\b/.test(url.pathname)
  let isLimited = true
  let seconds = 10
  await page.route(isData, async route => {
    requestedPaths.push(new URL(route.request().url()).pathname)
    if (!isLimited) return route.continue()
    const body = JSON.stringify({ statusCode: 429, error: 'TooManyRequestsError', message: 'Too many requests' })
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': String(seconds) },
      contentType: 'application/json',
      body,
    })
  })
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  const note = page.getByRole('status').getByText(/^Too many requests\. Updates resume in \d+ s\.$/)
  await note.waitFor()
  const began = Date.now()
  const before = requestedPaths.length
  await looksRight(site, 'limited')
  assert.is(await main().locator('.figure', { hasText: 'E-mail' }).count(), 1, 'the page stays')
  // Neither a return to the tab nor another page asks earlier.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.evaluate("location.hash = '#/audit'")
  await note.waitFor()
  isLimited = false
  await note.waitFor({ state: 'detached' })
  assert.ok(Date.now() - began > (seconds - 2) * 1_000, 'it waited')
  assert.is(requestedPaths.slice(before)[0], '/console/api/status')
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  assert.is(await page.locator('dialog.again').count(), 0)

  // The same while the session is resumed.
  isLimited = true
  seconds = 4
  requestedPaths.length = 0
  await page.reload()
  await page.getByRole('heading', { name: 'Too many requests' }).waitFor()
  await page.getByText(`Try again in ${seconds} s.`).waitFor()
  await setTimeout((seconds - 1) * 1_000)
  assert.equal(requestedPaths, ['/console/session/refresh'])
  isLimited = false
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  await page.unroute(isData)
})

test('every page is accessible in light and dark, on a desktop and a phone', async () => {
  // Updates would redraw the page during the check.
  await page.getByRole('button', { name: 'Pause updates' }).click()
  for (const name of pages) {
    if (name === 'nowhere') await page.evaluate("location.hash = '#/nowhere'")
    else await open(name)
    await looksRight(site, name)
  }
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
})

test('dark is chosen by hand, and the system’s theme when it is the same', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  const theme = () => page.evaluate<string | null>("localStorage.getItem('front.theme')")
  await page.getByRole('button', { name: 'Dark theme' }).click()
  assert.is(await theme(), 'dark')
  assert.is(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  await page.getByRole('button', { name: 'Light theme' }).click()
  assert.is(await theme(), 'system')
})

test('signing out ends the session in the browser and on the platform', async () => {
  await page.setViewportSize({ width: 1_440, height: 900 })
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await page.context().setOffline(true)
  await signOut.click()
  await page.getByText('You are still signed in. The platform is not responding.').waitFor()
  await page.context().setOffline(false)
  await signOut.click()
  await page.getByRole('heading', { name: 'Operator’s console' }).waitFor()
  await page.reload()
  await page.getByLabel('Password').waitFor()
  const { name = '' } = (await site.context.cookies()).find(cookie => cookie.name.startsWith('console')) ?? {}
  assert.is(name, '')
  assert.equal(site.problems, [])
})

test.run()
