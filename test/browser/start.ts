import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { atEnd } from '../../cli/test-run/at-end.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { openBrowser } from '../kit/browser.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'

/** A platform and a browser for one test file. If one fails to start, stops the other before throwing. */
export async function startWithBrowser(executablePath: string, settings: Environment = {}) {
  const [platform, browser] = await Promise.allSettled([startPlatform('one', settings), openBrowser(executablePath)])
  if (platform.status === 'fulfilled' && browser.status === 'fulfilled')
    return { platform: platform.value, browser: browser.value }
  // A leftover would keep the test file from ending.
  if (platform.status === 'fulfilled') await platform.value.stop()
  if (browser.status === 'fulfilled') await browser.value.end()
  throw [platform, browser].find(one => one.status === 'rejected')?.reason
}

/** A separate profile in a browser that several test files use. */
export function newProfile(
  { context }: Awaited<ReturnType<typeof openBrowser>>,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const browser = context.browser()
  if (!browser) throw new Error('the browser has no contexts')
  return browser.newContext(options)
}

let opened: ReturnType<typeof openBrowser> | undefined

/** The platform and the browser that test files of one process share; they end after the last file. */
export async function sharedWithBrowser(executablePath: string) {
  opened ??= openBrowser(executablePath).then(browser => {
    atEnd(() => browser.end())
    return browser
  })
  const [platform, browser] = await Promise.all([sharedPlatform(), opened])
  return { platform, browser }
}
