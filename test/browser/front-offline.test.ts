import type { Page } from 'playwright-core'
import { comesTrue } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontPerson, type FrontWorld, frontSuite, heading, isSound, offline } from './front-world.ts'

let world: FrontWorld
let bo: FrontPerson
/** What the web client keeps for times without a connection, and what it removes when somebody leaves. */
const test = frontSuite('offline, gaps and departures', async startedWorld => {
  world = startedWorld
  bo = await world.join('bo', 'member', 'Bo')
})

const card = (page: Page, name: string) => page.getByRole('main').getByRole('article').getByRole('link', { name })
const asAdmin = (method: 'POST' | 'DELETE', path: string, body?: object) =>
  world.ask(path.startsWith('/api') ? 'news' : 'member', method, path, {
    token: world.admin.token,
    ...(body ? { body } : {}),
  })

async function publish(title: string): Promise<string> {
  const content = { blocks: [{ type: 'paragraph', data: { text: `About ${title}` } }] }
  const body = { title, content, workspaceId: world.workspaceId, status: 'published' }
  return String((await asAdmin('POST', '/api/v1/pages', body))['id'])
}

/** A page of the client whose answers the service worker keeps. */
async function openKept(person: FrontPerson, path = '/'): Promise<Page> {
  const page = await world.openAs(person, path, offline)
  assert.ok(await comesTrue(page, 'navigator.serviceWorker.controller !== null'))
  await page.reload()
  return page
}

test('a comment without a connection says that it was not sent, and a message opens among the notifications', async () => {
  const id = await publish('Ferry')
  const message = await world.ask('notification', 'POST', '/api/v1/notifications', {
    token: world.admin.token,
    body: { workspaceId: world.workspaceId, receiverIds: [bo.memberId], title: 'Crew photo', body: 'At six' },
  })
  const page = await world.openAs(bo, `/pages/${id}`)
  await page.getByText('About Ferry').waitFor()
  await page.context().setOffline(true)
  await page.getByPlaceholder('Write a comment…').fill('On time?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('You’re offline, so this was not sent.').waitFor()
  assert.is(await page.getByPlaceholder('Write a comment…').inputValue(), 'On time?')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: /^Notifications, / }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByText('Crew photo').click()
  await heading(page, 'Notifications').waitFor()
  assert.match(page.url(), `/notifications/${String(message['id'])}`)
})

test('the news, a page with its comments and the inbox are read offline; what was not read is said', async () => {
  const id = await publish('Tide table')
  await publish('Never opened')
  await asAdmin('POST', '/api/v1/comments', { pageId: id, content: 'Low at noon' })
  await world.ask('notification', 'POST', '/api/v1/notifications', {
    token: world.admin.token,
    body: { workspaceId: world.workspaceId, receiverIds: [bo.memberId], title: 'Boat trip', body: 'At noon' },
  })
  const page = await openKept(bo)
  const bell = page.getByRole('button', { name: /^Notifications, / })
  const inbox = page.getByRole('dialog', { name: 'Notifications' })
  await bell.click()
  await inbox.getByText('Boat trip').waitFor()
  await page.keyboard.press('Escape')
  await card(page, 'Tide table').click()
  await page.getByRole('main').getByText('Low at noon').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  // The news are loaded again, with what was read since.
  await card(page, 'Tide table').waitFor()
  await page.reload()
  await card(page, 'Tide table').waitFor()
  await page.context().setOffline(true)
  await page.reload()
  await card(page, 'Tide table').click()
  await page.getByText('About Tide table').waitFor()
  await page.getByRole('main').getByText('Low at noon').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await card(page, 'Never opened').click()
  await page.getByText('You’re offline. Only what you have already read is available.').first().waitFor()
  await isSound(page, 'offline')
  await bell.click()
  await inbox.getByText('Boat trip').waitFor()
  await page.context().setOffline(false)
  // The client goes on by itself, although it started without a token.
  await page.getByText('About Never opened').waitFor({ timeout: 120_000 })
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
})

test('once the browser was closed, what was read is shown offline only to who stays signed in', async () => {
  await publish('Wind forecast')
  for (const staysSignedIn of [true, false]) {
    const page = await world.visit('/', offline)
    await page.getByLabel('Stay signed in on this device').setChecked(staysSignedIn)
    await world.enter(page, bo)
    assert.ok(await comesTrue(page, 'navigator.serviceWorker.controller !== null'))
    await page.reload()
    await card(page, 'Wind forecast').waitFor()
    // With a connection, another tab is signed in, too.
    const tab = await page.context().newPage()
    await tab.goto(world.platform.frontUrl)
    await card(tab, 'Wind forecast').waitFor()
    await page.context().setOffline(true)
    await page.reload()
    await card(page, 'Wind forecast').waitFor()
    // A new tab knows nothing of this browser's earlier ones, as after its end.
    const later = await page.context().newPage()
    await later.goto(world.platform.frontUrl)
    await (staysSignedIn ? card(later, 'Wind forecast') : later.getByRole('button', { name: 'Sign in' })).waitFor()
    assert.is(await later.evaluate(`caches.has('readings')`), staysSignedIn)
  }
})

test('who stays signed in sees the last news until the platform answers, and nobody else does', async () => {
  await publish('Lost gloves')
  const page = await world.visit()
  const enter = async (person: { email: string }) => {
    await page.goto(world.platform.frontUrl)
    await page.getByLabel('Stay signed in on this device').check()
    await world.enter(page, person)
    await card(page, 'Lost gloves').waitFor()
  }
  const readStoredAnswer = () => page.evaluate<string | null>(`localStorage.getItem('front.answer')`)
  /** Opens the client again. @returns a function that lets the platform answer */
  const openUnanswered = async (): Promise<() => void> => {
    const answer = Promise.withResolvers<void>()
    await page.route(/\/session\/refresh$/, route => answer.promise.then(() => route.continue()))
    await page.reload()
    return answer.resolve
  }
  await enter(bo)
  const answerBo = await openUnanswered()
  await card(page, 'Lost gloves').waitFor()
  await publish('Found gloves')
  assert.is(await card(page, 'Found gloves').count(), 0)
  answerBo()
  await card(page, 'Found gloves').waitFor()
  const newsOfBo = await readStoredAnswer()
  assert.match(newsOfBo ?? '', /Lost gloves/)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(page, 'Sign in').waitFor()
  assert.is(await readStoredAnswer(), null)
  await enter(world.admin)
  await page.evaluate(`localStorage['front.answer'] = ${JSON.stringify(newsOfBo)}`)
  const answerAdmin = await openUnanswered()
  await page.getByText('Loading…').waitFor()
  assert.is(await card(page, 'Lost gloves').count(), 0)
  answerAdmin()
  await card(page, 'Lost gloves').waitFor()
})

test('a page whose session may not be refreshed for a while shows what was read and when it goes on, and goes on', async () => {
  await publish('Night shift')
  const page = await openKept(bo)
  await card(page, 'Night shift').waitFor()
  let refusals = 0
  const refresh = /\/session\/refresh$/
  await page.context().route(refresh, async route => {
    refusals++
    const json = { error: 'TooManyRequestsError', message: 'Too many requests', statusCode: 429 }
    await route.fulfill({ status: 429, headers: { 'retry-after': '8' }, json })
  })
  await page.reload()
  await page.getByText('Too many requests. This page goes on by itself at').waitFor()
  await card(page, 'Night shift').waitFor()
  assert.is(refusals, 1)
  await page.context().unroute(refresh)
  await publish('Early shift')
  await card(page, 'Early shift').waitFor({ timeout: 60_000 })
  await page.getByText('Too many requests').waitFor({ state: 'detached' })
})

test('after an interruption whose frames cannot be replayed, the news load again', async () => {
  const page = await world.visit()
  let isCut = false
  const open: (() => Promise<void>)[] = []
  await page.routeWebSocket(/\/services\/ws/, socket => {
    if (isCut) return void socket.close({ code: 1011 })
    const platform = socket.connectToServer()
    open.push(async () => void (await Promise.all([platform.close(), socket.close({ code: 1012 })])))
  })
  await world.enter(page, bo)
  await card(page, 'Tide table').waitFor()
  isCut = true
  for (const close of open.splice(0)) await close()
  await page.getByText('Connection lost').waitFor()
  // Frames from before somebody's rights began are never replayed.
  await asAdmin('POST', `/workspaces/${world.workspaceId}/suspend-member/${bo.memberId}`, {})
  await publish('While away')
  await asAdmin('POST', `/workspaces/${world.workspaceId}/reactivate-member/${bo.memberId}`, {})
  isCut = false
  await card(page, 'While away').waitFor({ timeout: 60_000 })
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
})

test('somebody who is removed while reading sees that they belong nowhere, and keeps nothing', async () => {
  const cy = await world.join('cy', 'member', 'Cy')
  const page = await openKept(cy)
  await card(page, 'Tide table').click()
  await page.getByText('About Tide table').waitFor()
  assert.ok(await comesTrue(page, `caches.has('readings')`))
  await asAdmin('DELETE', `/workspaces/${world.workspaceId}/remove-member/${cy.memberId}`)
  await page.getByText('You don’t belong to a hotel yet').waitFor({ timeout: 60_000 })
  assert.not.match(await page.content(), /Tide table|Hôtel du Phare/)
  assert.ok(
    await eventually(async () => {
      const storage = await page.evaluate<string>(`(async () => {
        const cache = await caches.open('readings')
        const answers = await Promise.all((await cache.keys()).map(async key => (await cache.match(key)).text()))
        // The device keeps the hotel's name for the next sign-in.
        return JSON.stringify({ ...localStorage, 'front.brand': '' }) + answers.join()
      })()`)
      return !/Tide table|Hôtel du Phare/.test(storage)
    }),
  )
  await page.goto(world.platform.frontUrl)
  await heading(page, 'You don’t belong to a hotel yet').waitFor()
})

test('somebody whom the platform cannot answer is told so, and goes on once it can', async () => {
  const page = await world.openAs(bo)
  await page.route(/\/session\/refresh$/, route => route.fulfill({ status: 503 }))
  await page.reload()
  await heading(page, 'No connection').waitFor()
  await isSound(page, 'no connection')
  await page.unroute(/\/session\/refresh$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'News').waitFor()
})

test.run()
