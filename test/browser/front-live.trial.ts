import type { Page } from 'playwright-core'
import { call } from '../../cli/tour/client.ts'
import { password } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { frontSuite, type Person, type World } from './front-world.ts'

let world: World
let bo: Person
/** The web client through interruptions: what happens meanwhile is shown afterwards, once. */
const test = frontSuite(
  'interruptions',
  async started => {
    world = started
    bo = await world.join('bo', 'member', 'Bo')
  },
  {
    settings: { ACCESS_TOKEN_SECONDS: '8' },
  },
)

/** A fresh token of the administrator: tokens of this platform live for a few seconds. */
async function tokenOfNow(): Promise<string> {
  const { email } = world.admin
  return String((await world.ask('auth', 'POST', '/auth/login', { body: { email, password } }))['accessToken'])
}

async function publish(title: string): Promise<void> {
  const body = { workspaceId: world.workspaceId, title, content: { blocks: [] }, status: 'published' }
  await world.ask('news', 'POST', '/api/v1/pages', { token: await tokenOfNow(), body })
}

/** The titles of the feed, with what arrived since shown. */
async function titles(page: Page): Promise<string[]> {
  const fresh = page.getByRole('button', { name: /new page/ })
  // The list may load by itself meanwhile, which takes the button away.
  if (await fresh.count()) await fresh.click({ timeout: 1_000 }).catch(() => undefined)
  return page.locator('main article h2').allInnerTexts()
}

const shows = (page: Page, title: string) =>
  eventually(async () => (await titles(page)).filter(one => one === title).length === 1, 60_000)

test('what was published while the connection was cut arrives once it is back, each page once', async () => {
  const page = await world.openAs(bo)
  await publish('Before the cut')
  assert.ok(await shows(page, 'Before the cut'))
  await page.context().setOffline(true)
  await page.getByText('Connection lost').waitFor({ timeout: 60_000 })
  await publish('During the cut')
  await page.context().setOffline(false)
  assert.ok(await shows(page, 'During the cut'))
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
})

test('an expired token is exchanged without a word, for calls and sockets', async () => {
  const page = await world.openAs(bo)
  assert.ok(await shows(page, 'During the cut'))
  // A token that is younger than the page's is refused once both have expired.
  const token = await tokenOfNow()
  await eventually(async () => (await call(world.platform.urls, 'auth', 'GET', '/users/me', { token })).status === 401)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByText('This device', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'News' }).click()
  await publish('After the expiry')
  assert.ok(await shows(page, 'After the expiry'))
})

test('an edge that is replaced loses nobody and nothing', async () => {
  const first = await secondEdge(world.platform)
  const page = await world.visit(first.frontUrl)
  await world.enter(page, bo)
  assert.ok(await shows(page, 'After the expiry'))
  const port = new URL(first.frontUrl).port
  first.kill()
  await page.getByText('Connection lost').waitFor({ timeout: 60_000 })
  await publish('While it was replaced')
  const second = await secondEdge(world.platform, { FRONT_PORT: port })
  try {
    assert.ok(await shows(page, 'While it was replaced'))
  } finally {
    await second.stop()
  }
})

test.run()
