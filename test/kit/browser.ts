import { type Browser, chromium, type Page } from 'playwright-core'
import { atEnd } from '../../cli/test-run/at-end.ts'
import { eventually, suite } from './kit.ts'

/** Path of Chromium, set by `npm test`, which installs it if it may. Undefined without one. */
export const browserPath = process.env['TEST_CHROMIUM']

/** Switches that keep Chromium from calling home. */
export const quietBrowser = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let launched: Promise<Browser> | undefined

/**
 * The browser that test files of one process share; it ends after the last file. Each file opens its own contexts in
 * it, which share no cookies, caches or storage.
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}

async function launch(): Promise<Browser> {
  if (!browserPath) throw new Error('Chromium is missing')
  const browser = await chromium.launch({ executablePath: browserPath, args: quietBrowser })
  atEnd(() => browser.close())
  return browser
}

/**
 * A suite that needs a browser. Without one its tests are skipped and nothing is prepared, which is reported: skipped
 * tests mustn't look like passed ones.
 */
export function browserSuite(name: string): ReturnType<typeof suite> {
  const test = suite(name)
  if (browserPath) return test
  console.error(`NOT PROVEN: Chromium is missing, so this is not tested: ${name}`)
  const never = Object.assign(() => undefined, { each: () => undefined })
  return Object.assign(test.skip, test, { before: never })
}

/**
 * Waits until an expression is true in a page. It polls from here: `waitForFunction` polls from within the page, where
 * a policy without `unsafe-eval` refuses it from the second time on.
 */
export const comesTrue = (page: Page, expression: string): Promise<boolean> =>
  eventually(() => page.evaluate<boolean>(expression), 60_000)
