import type { Page } from 'playwright-core'
import { call } from '../../../cli/tour/client.ts'
import { addressOf, createHotel, newWorld, signIn, takeUpInvitation } from '../../../cli/tour/world.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectBus } from '../../../services/kernel/bus/bus.ts'
import { hindrances } from '../../kit/axe.ts'
import { sharedBrowser } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { sharedPlatform } from '../../kit/platform/shared.ts'

export type ConsoleSite = Awaited<ReturnType<typeof startConsole>>

/** A browser at the console of the shared platform; not signed in. */
export async function startConsole() {
  const [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()])
  const bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'test' })
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  const page = await context.newPage()
  const watched = watch(page, platform.consoleUrl)
  const { administrator, urls } = platform
  let token: string | undefined
  const main = () => page.locator('main')
  await page.goto(platform.consoleUrl)
  return {
    platform,
    context,
    bus,
    page,
    main,
    ...watched,
    async end() {
      await context.close()
      await bus.close()
    },
    async enter({ email, password } = administrator) {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    /** Opens a page of the console by its address, such as hotels?status=parked. */
    async open(address: string) {
      await page.evaluate(`location.hash = '#/${address}'`)
      const [path = ''] = address.split('?')
      await page.locator(`main.page-${path.replace(/\/.*/, '-record')}`).waitFor()
      await main().locator('.loading').first().waitFor({ state: 'detached' })
    },
    /** A single sign-in for the whole test, because a list shows at most a hundred sessions. */
    async rootToken(): Promise<string> {
      const login = async () => (await call(urls, 'auth', 'POST', '/auth/login', { body: administrator })).body
      token ??= String((await login())['accessToken'])
      return token
    },
  }
}

/** Collects what the browser logs as errors, and requests to other hosts. */
function watch(page: Page, home: string) {
  const problems: string[] = []
  const refusals: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => {
    if (message.type() !== 'error') return
    // The browser logs refused sign-ins, malformed ids, missing records, 429, 500 or 503 of a failing platform and a
    // lost network by itself.
    const isExpected = /status of (400|401|403|404|429|500|503)|ERR_INTERNET_DISCONNECTED/.test(message.text())
    const log = isExpected ? refusals : problems
    log.push(message.text())
  })
  page.on('request', request => {
    if (!request.url().startsWith(home)) problems.push(`asked ${request.url()}`)
  })
  return { problems, refusals }
}

/** A hotel whose invited administrator has signed up, created through the API. */
export async function addHotel({ platform }: ConsoleSite, name: string) {
  const tour = newWorld({ ...platform, report: () => undefined })
  tour.tokens.root = await signIn(tour, platform.administrator.email, platform.administrator.password)
  const staff = addressOf(tour, 'ada')
  const hotel = await createHotel(tour, name, staff)
  const token = await takeUpInvitation(tour, staff)
  return { id: String(hotel['id']), workspace: String(hotel['workspace']), name, staff, token, root: tour.tokens.root }
}

/** Publishes a message that its consumer can't process: without a template, or with a body that is no JSON. */
export async function publishPoison({ bus }: ConsoleSite, type: string, raw?: string) {
  const metadata = {
    timestamp: new Date().toISOString(),
    actor: { id: 'system', name: 'system', type: 'system' },
    receiverIds: [],
    occurrenceId: newId(),
  }
  const payload = { id: newId(), title: '<img src=x onerror=alert(1)>' }
  const body = { type, workspaceId: '', payload, channels: ['socket'], metadata }
  await bus.publish(`platform.notification.${type}`, raw ?? JSON.stringify(body), { id: newId() })
}

/** Tables wider than their container. */
const tooWide = `[...document.querySelectorAll('.table-scroll')]
  .filter(one => one.scrollWidth > one.clientWidth).map(one => one.getAttribute('aria-label'))`

const forms = [
  { width: 390, colorScheme: 'light' },
  { width: 1_440, colorScheme: 'dark' },
] as const

/**
 * Checks the shown page on a phone in the light theme and in a wide window in the dark one: nothing is cut off, and
 * nothing hinders.
 */
export async function looksRight({ page }: ConsoleSite, name: string): Promise<void> {
  for (const { width, colorScheme } of forms) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    assert.is(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, `${name}, ${width}`)
    if (width > 1_000) assert.equal(await page.evaluate(tooWide), [], name)
    assert.equal(await hindrances(page), [], `${name} in ${colorScheme}, ${width}`)
  }
  await page.setViewportSize({ width: 1_440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Dead letters as the API returns them, once their number is as expected. */
export async function lettersOf({ platform, rootToken }: ConsoleSite, count: number) {
  const token = await rootToken()
  return eventually(async () => {
    const { body } = await call(platform.urls, 'notification', 'GET', '/api/v1/dead-letters?limit=100', { token })
    const data = body['data'] as unknown as { id: string; redrivenFrom?: string | null; type?: string | null }[]
    return data.length === count ? data : undefined
  })
}
