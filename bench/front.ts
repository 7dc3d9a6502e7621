import { strict as assert } from 'node:assert'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { programsFor } from '../cli/test-run/programs.ts'
import { password } from '../cli/tour/world.ts'
import { quietBrowser } from '../test/kit/browser.ts'
import { median } from './support/figures.ts'
import { isSmallest, sized } from './support/size.ts'
import { slowLink } from './support/slow-link.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const rounds = sized(9, 5, 1)

/** A slow mobile network: 150 ms to the server and back, 1.6 Mbit/s down. */
const network = { roundTripMs: 150, downBytesPerSecond: 1_600_000 / 8, upBytesPerSecond: 750_000 / 8 }

/** A phone: a fourth of this processor. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/** Time until the largest piece of content is painted, in ms, once `text` is shown. */
async function painted(context: BrowserContext, url: string, text: string): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript(`new PerformanceObserver(list => {
    for (const { startTime } of list.getEntries()) globalThis.lastPaint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })`)
  await slowDown(page)
  await page.goto(url)
  await page.getByText(text, { exact: true }).first().waitFor()
  await page.waitForTimeout(500)
  const last = await page.evaluate<number>('globalThis.lastPaint')
  await page.close()
  return last
}

/** What a phone on a slow network waits for: the first visit, and the news on every later one. */
export async function benchFront(): Promise<string> {
  return withServers(async () => {
    const { TEST_CHROMIUM: executablePath } = await programsFor(['browser'], console.log)
    if (!executablePath) throw new Error('Chromium is missing: apt-get install chromium-headless-shell')
    const platform = await startPlatform('one')
    const link = await slowLink(Number(new URL(platform.frontUrl).port), network)
    const frontUrl = `http://127.0.0.1:${link.port}`
    const browser = await chromium.launch({ executablePath, args: quietBrowser })
    try {
      const { email } = await seed(platform, 20, isSmallest ? 30 : 1_000)
      const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB' }
      const [first, later]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        const context = await browser.newContext(phone)
        first.push(await painted(context, frontUrl, 'Sign in'))
        const page = await context.newPage()
        await page.addInitScript(`localStorage['front.language'] ??= 'en'`)
        await page.goto(frontUrl)
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('navigation').waitFor()
        await page.evaluate('navigator.serviceWorker.ready')
        await page.close()
        later.push(await painted(context, frontUrl, `Weekly news number ${isSmallest ? 29 : 999}`))
        await context.close()
      }
      const index = await (await fetch(platform.frontUrl, { headers: { accept: 'text/html' } })).text()
      const named = [...index.matchAll(/(?:src|href)="(assets\/[^"]+\.(?:js|css)[^"]*)"/g)].map(([, path]) => path)
      const sizes = await Promise.all(
        ['', ...named].map(async path => {
          const response = await fetch(`${platform.frontUrl}/${path}`, {
            headers: { accept: 'text/html', 'accept-encoding': 'gzip' },
          })
          assert.equal(response.status, 200)
          return Number(response.headers.get('content-length'))
        }),
      )
      const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000
      const row = (name: string, values: number[]) =>
        `| ${name} | ${Math.round(median(values))} ms | ${Math.round(Math.max(...values))} ms |`
      return [
        '| largest contentful paint | median | slowest |',
        '|-|-|-|',
        row('first visit: sign-in', first),
        row('later visit: the news', later),
        '',
        `First load: ${kilobytes.toFixed(0)} kB compressed.`,
      ].join('\n')
    } finally {
      await browser.close()
      link.close()
      await platform.stop()
    }
  })
}
