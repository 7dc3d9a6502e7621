import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { atEnd } from '../../../cli/test-run/at-end.ts'
import { quietBrowser } from '../browser.ts'

/**
 * A whole Chromium whose pages can subscribe to pushes: it checks in and registers at a server of the test instead of
 * Google's. Its subscriptions are real, with the browser's keys. Pushes don't arrive by themselves: see `deliver`.
 * @param permission the answer to the browser's question at `origin`, which nobody can give in a window without a screen
 */
export async function launchPushBrowser(
  executablePath: string,
  { origin, permission }: { origin: string; permission: 'granted' | 'denied' },
): Promise<BrowserContext> {
  const google = createServer((request, response) => {
    request.resume()
    response.end(request.url === '/register' ? `token=device:${Date.now()}` : checkedIn)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => google.once('listening', resolve))
  const url = `http://127.0.0.1:${(google.address() as AddressInfo).port}`
  // Private windows, which playwright opens otherwise, can't subscribe.
  const folder = await mkdtemp(path.join(tmpdir(), 'chromium-'))
  const args = [
    // Without it, nothing checks in.
    ...quietBrowser.filter(one => one !== '--disable-background-networking'),
    `--gcm-checkin-url=${url}/checkin`,
    `--gcm-registration-url=${url}/register`,
    '--gcm-mcs-endpoint=https://127.0.0.1:9',
  ]
  const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB' }
  const context = await chromium.launchPersistentContext(folder, { executablePath, args, ...phone })
  const [page] = context.pages()
  const browser = page && (await context.newCDPSession(page))
  await browser?.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: permission, origin })
  const close = async () => {
    google.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  context.once('close', () => void close())
  atEnd(() => context.close())
  return context
}

/** Google's answer to a device: accepted (field 1), with an id (7) and a token (8). */
const checkedIn = Buffer.from('0801391122334455667701411122334455667702', 'hex')

/** Hands a decrypted push to the service worker of a page, as the browser does when one arrives. */
export async function deliver(page: Page, data: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const registrationId = new Promise<string>(resolve =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    }),
  )
  await browser.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registrationId, data })
  await browser.detach()
}

/** Clicks the notification that is shown: the browser's own window can't be reached. */
export const clickNotification = (page: Page): Promise<unknown> | undefined =>
  page
    .context()
    .serviceWorkers()[0]
    ?.evaluate(
      `self.registration.getNotifications().then(([notification]) =>
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
    )
