import type { Environment } from '../../services/kernel/process/config.ts'
import { openBrowser } from '../kit/browser.ts'
import { startPlatform } from '../kit/platform/platform.ts'

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
