import type { Page, Request, Response } from 'playwright-core'
import { password } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { newBrowser } from '../kit/notification/browser.ts'
import { clickNotification, deliver, launchPushBrowser } from '../kit/notification/push-browser.ts'
import { type FrontPerson, type FrontWorld, frontSuite, heading, isSound } from './front-world.ts'

let world: FrontWorld
let bo: FrontPerson
/**
 * Notifications of the web client on a device. Subscription, permission, encryption and the shown notification are the
 * browser's and the platform's own. Google's push service is out of reach: the sandbox's takes its place, and the push
 * that it got is handed to the browser.
 */
const test = frontSuite('notifications on a device', async startedWorld => {
  world = startedWorld
  bo = await world.join('bo', 'member', 'Bo')
})

const program = process.env['TEST_FULL_CHROMIUM']
const proven = program ? test : test.skip
if (!program) console.error('NOT PROVEN: chromium is missing, so no browser receives a push')

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications, / })
const offer = (page: Page) => page.getByRole('region', { name: 'Turn on notifications' })
const choice = (page: Page) => page.getByLabel('Show notifications on this device')
const subscriptionOf = (page: Page) =>
  page.evaluate<string | null>(
    `navigator.serviceWorker.ready.then(one => one.pushManager.getSubscription()).then(one => one && one.endpoint)`,
  )
const readNotifications = (page: Page) =>
  page.evaluate<{ title: string; body: string; tag: string; icon: string; badge: string }[]>(
    `navigator.serviceWorker.ready.then(one => one.getNotifications()).then(all =>
      all.map(({ title, body, tag, icon, badge }) => ({ title, body, tag, icon, badge })))`,
  )

/** A page of Bo, who signs in and stays signed in unless told otherwise. */
async function openAsBo({ stays = true, isAllowed = true } = {}): Promise<Page> {
  const permission = isAllowed ? 'granted' : 'denied'
  const context = await launchPushBrowser(program ?? '', { origin: world.platform.frontUrl, permission })
  await context.addInitScript(`localStorage['front.language'] ??= 'en'`)
  const page = await context.newPage()
  await page.goto(world.platform.frontUrl)
  if (stays) await page.getByLabel('Stay signed in on this device').check()
  await world.enter(page, bo, password)
  await page.evaluate('navigator.serviceWorker.ready')
  return page
}

const isRegistration = (answer: Response): boolean =>
  answer.request().method() === 'PUT' && answer.url().endsWith('/browser-subscription')

/** The call with which the client registers the subscription of a page, and its headers. */
async function turnOn(page: Page): Promise<Request> {
  const registration = page.waitForResponse(isRegistration)
  await bell(page).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await offer(page).getByRole('button', { name: 'Turn on notifications' }).click()
  const answer = await registration
  assert.is(answer.status(), 200)
  await offer(page).waitFor({ state: 'detached' })
  return answer.request()
}

/** Registers a browser at the sandbox for the session of a page, by the call of the client. */
async function moveToSandbox(page: Page, request: Request) {
  const browser = newBrowser(world.platform.sandboxUrl)
  const { authorization = '' } = await request.allHeaders()
  const answer = await page.request.put(request.url(), { headers: { authorization }, data: browser.subscription })
  assert.is(answer.status(), 200)
  return browser
}

const pushesTo = async (name: string, waitMs = 0) => {
  const answer = await fetch(`${world.platform.sandboxUrl}/_pushes?to=${name}&wait=${waitMs}`)
  return ((await answer.json()) as { data: { data: { base64url: string } }[] }).data
}
const publish = (title: string) => world.writePage(title, { status: 'published', enableNotifications: true })

proven('notifications are offered after the inbox was opened, arrive encrypted, and lead to their page', async () => {
  const page = await openAsBo()
  await heading(page, 'News').waitFor()
  assert.is(await offer(page).count(), 0)
  assert.is(await subscriptionOf(page), null)
  await bell(page).click()
  await offer(page).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await isSound(page, 'the offer of notifications')
  const request = await turnOn(page)
  const endpoint = await subscriptionOf(page)
  assert.match(endpoint ?? '', /^https:\/\/(fcm\.googleapis|jmt17\.google)\.com\//)
  assert.is((request.postDataJSON() as { endpoint: string }).endpoint, endpoint)

  const browser = await moveToSandbox(page, request)
  const id = await publish('Fire drill')
  const [push] = await pushesTo(browser.name, 25_000)
  const payload = browser.decrypt(push?.data.base64url ?? '')
  assert.match(payload.title, 'Fire drill')
  await deliver(page, JSON.stringify(payload))
  await eventually(async () => (await readNotifications(page)).length > 0)
  const [notification, ...otherNotifications] = await readNotifications(page)
  const { title, body, id: tag } = payload
  assert.equal([notification?.title, notification?.body, notification?.tag, otherNotifications], [title, body, tag, []])
  for (const picture of [notification?.icon, notification?.badge])
    assert.is((await page.request.get(picture ?? '')).headers()['content-type'], 'image/png')
  // A second copy replaces the first.
  await deliver(page, JSON.stringify(payload))
  assert.is((await readNotifications(page)).length, 1)

  await clickNotification(page)
  await heading(page, 'Fire drill').waitFor()
  assert.is(new URL(page.url()).pathname, `/pages/${id}`)
  assert.equal(await readNotifications(page), [])
  const { authorization = '' } = await request.allHeaders()
  await eventually(async () => {
    const path = `${world.platform.urls.notification}/api/v1/notifications?limit=1`
    const answer = await page.request.get(path, { headers: { authorization } })
    const [first] = ((await answer.json()) as { data: { id: string; isRead: boolean }[] }).data
    return first?.id === payload.id && first?.isRead
  })
  await page.context().close()
})

proven('signing out ends the subscription and removes what is shown', async () => {
  const page = await openAsBo()
  const request = await turnOn(page)
  const browser = await moveToSandbox(page, request)
  await deliver(page, JSON.stringify({ id: 'a', title: 'Menu', body: '', language: 'en', address: '', unread: 1 }))
  await eventually(async () => (await readNotifications(page)).length === 1)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await eventually(async () => (await subscriptionOf(page)) === null && (await readNotifications(page)).length === 0)
  assert.is(await page.evaluate(`localStorage['front.push']`), undefined)
  await publish('After the sign-out')
  assert.equal(await pushesTo(browser.name, 3_000), [])
  await page.context().close()
})

proven('notifications are switched off where they were switched on, and are not offered again', async () => {
  const page = await openAsBo()
  const browser = await moveToSandbox(page, await turnOn(page))
  await page.getByRole('link', { name: 'Your account' }).click()
  assert.ok(await choice(page).isChecked())
  await choice(page).uncheck()
  await eventually(async () => (await subscriptionOf(page)) === null)
  await publish('After switching off')
  assert.equal(await pushesTo(browser.name, 3_000), [])
  await page.reload()
  await heading(page, 'Your account').waitFor()
  assert.not.ok(await choice(page).isChecked())
  await bell(page).click()
  await page.getByRole('button', { name: 'Close' }).click()
  assert.is(await offer(page).count(), 0)
  const registration = page.waitForResponse(isRegistration)
  await choice(page).check()
  assert.is((await registration).status(), 200)
  assert.ok(await subscriptionOf(page))
  await page.reload()
  await heading(page, 'Your account').waitFor()
  assert.ok(await choice(page).isChecked())
  await page.context().close()
})

proven('who does not stay signed in, or whose browser blocks notifications, is told so and not asked', async () => {
  for (const [circumstances, text] of [
    [{ stays: false }, /Sign in again and choose/],
    [{ isAllowed: false }, /blocks notifications/],
  ] as const) {
    const page = await openAsBo(circumstances)
    await bell(page).click()
    await page.getByRole('button', { name: 'Close' }).click()
    assert.is(await offer(page).count(), 0)
    await page.getByRole('link', { name: 'Your account' }).click()
    await page.getByText(text).waitFor()
    assert.ok(await choice(page).isDisabled())
    await page.context().close()
  }
})

test.run()
