import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { eventually } from './kit.ts'

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

/**
 * A real browser with its own profile, for one test file.
 * @returns its context, and a function that ends it and removes the profile
 */
export async function openBrowser(executablePath: string) {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: quietBrowser,
    viewport: { width: 1200, height: 800 },
  })
  return {
    context,
    async end() {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/**
 * Waits until an expression is true in a page. It polls from here: `waitForFunction` polls from within the page, where
 * a policy without `unsafe-eval` refuses it from the second time on.
 */
export const comesTrue = (page: Page, expression: string): Promise<boolean> =>
  eventually(() => page.evaluate<boolean>(expression), 60_000)
