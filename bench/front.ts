import { type Browser, type CDPSession, chromium } from 'playwright-core'
import { seedDemo } from '../cli/seed.ts'
import { programsFor } from '../cli/test-run/programs.ts'
import { password } from '../cli/tour/world.ts'
import { silentLog } from '../services/kernel/process/log.ts'
import { quietBrowser } from '../test/kit/browser.ts'
import { line, median } from './support/figures.ts'
import { bySize } from './support/size.ts'
import { startPlatform, withServers } from './support/world.ts'

const rounds = bySize(7, 3, 1)
/** Chromium's "Fast 3G", and a processor a quarter as fast. */
const fast3G = { offline: false, latency: 562.5, downloadThroughput: 188_743, uploadThroughput: 86_400 }
const slowdown = 4

/** What a person waits for; times in ms. */
type Visit = { lcp: number; blocking: number; shift: number; kB: number }

/** Collects the largest paint, long tasks and layout shifts from the start of a document. */
const observer = `
  globalThis.seen = { lcp: 0, element: '', blocking: 0, shift: 0 }
  const watch = (type, note) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => {
    seen.lcp = entry.startTime
    seen.element = entry.element?.outerHTML.slice(0, 80) ?? ''
  })
  watch('longtask', ({ duration }) => (seen.blocking += duration - 50))
  watch('layout-shift', ({ hadRecentInput, value }) => (seen.shift += hadRecentInput ? 0 : value))
`

async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', fast3G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** Bytes on the wire of the page, its scripts, styles and fonts. */
function countBytes(session: CDPSession): () => number {
  const types = new Map<string, string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/Document|Script|Stylesheet|Font/.test(types.get(requestId) ?? '')) bytes += encodedDataLength
  })
  return () => bytes / 1_000
}

/** Opens the news twice as somebody who stays signed in: with empty caches, then with those of the first visit. */
async function visitTwice(browser: Browser, url: string): Promise<Visit[]> {
  const screen = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
  const phone = { ...screen, locale: 'en-GB', serviceWorkers: 'block' } as const
  const context = await browser.newContext(phone)
  await context.addInitScript(observer)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('E-mail address').fill('bo@demo.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Stay signed in on this device').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.news li').first().waitFor()
  await page.reload()
  await page.waitForLoadState('networkidle')
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await slowDown(session)
  const visits: Visit[] = []
  for (let n = 0; n < 2; n++) {
    // The first visit has nothing of an earlier one but the sign-in.
    if (n === 0) await page.evaluate(`localStorage.removeItem('front.answer')`)
    await page.goto('about:blank')
    const kB = countBytes(session)
    await page.goto(url)
    await page.locator('.news li').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(1_000)
    const figures = await page.evaluate<Omit<Visit, 'kB'>>('seen')
    visits.push({ ...figures, kB: kB() })
  }
  await context.close()
  return visits
}

/** The web client on a slow phone. */
export const benchFront = (): Promise<string> =>
  withServers(async () => {
    const { TEST_CHROMIUM: executablePath } = await programsFor(['browser'], console.log)
    if (!executablePath) throw new Error('Chromium is missing')
    const platform = await startPlatform('one')
    await seedDemo({ ...platform.env, SEED_DEMO: 'true' }, platform.urls, silentLog)
    const browser = await chromium.launch({ executablePath, args: quietBrowser })
    const visits: Visit[][] = []
    try {
      for (let round = 0; round < rounds; round++) visits.push(await visitTwice(browser, platform.frontUrl))
    } finally {
      await browser.close()
      await platform.stop()
    }
    const rowOf = (title: string, index: number): string => {
      const medianOf = (figureOf: (visit: Visit) => number, digits = 0) =>
        median(visits.flatMap(visit => visit[index] ?? []).map(figureOf)).toFixed(digits)
      return line(
        title,
        medianOf(one => one.lcp),
        medianOf(one => one.blocking),
        medianOf(one => one.shift, 3),
        medianOf(one => one.kB, 1),
      )
    }
    return [
      line('visit', 'largest paint, ms', 'blocked, ms', 'layout shift', 'page, scripts, styles and fonts, kB'),
      line('-', '-', '-', '-', '-'),
      rowOf('cold', 0),
      rowOf('warm, without the service worker', 1),
    ].join('\n')
  })
