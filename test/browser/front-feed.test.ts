import type { Page } from 'playwright-core'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontPerson, type FrontWorld, frontSuite, heading, isSound } from './front-world.ts'

let world: FrontWorld
let bo: FrontPerson
/** The news of a hotel in the web client, as its staff read them. */
const test = frontSuite('the news', async startedWorld => {
  world = startedWorld
  bo = await world.join('bo', 'member', 'Bo')
})

const cards = (page: Page) => page.getByRole('main').getByRole('article')
const titles = (page: Page) => cards(page).getByRole('heading', { level: 2 }).allInnerTexts()

const open = (): Promise<Page> => world.openAs(bo)

/** Publishes a page as the administrator. */
const publish = (title: string, fields: object = {}): Promise<string> => {
  const content = { blocks: [{ type: 'paragraph', data: { text: `About ${title}` } }] }
  return world.writePage(title, { content, status: 'published', ...fields })
}

test('somebody new sees an empty place that says what will be there', async () => {
  const page = await open()
  await page.getByText('No news yet').waitFor()
  await isSound(page, 'empty news')
  await page.getByRole('link', { name: 'Saved pages' }).click()
  await page.getByText('Nothing here yet').waitFor()
})

test('a page that starts again gets its session and its first screen in one answer', async () => {
  const page = await open()
  await page.getByText('No news yet').waitFor()
  await page.reload()
  await page.getByText('No news yet').waitFor()
  await page.waitForLoadState('networkidle')
  const calls: string[] = []
  page.on('request', request => void calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.reload()
  // The stored news are shown before any call.
  await page.waitForLoadState('networkidle')
  await page.getByText('No news yet').waitFor()
  const reads = calls.filter(call => /\/(users\/me|get\/mine|pages|pins|must-read|categories)\b/.test(call))
  assert.equal([reads, calls.filter(call => call.includes('/session'))], [[], ['POST /session/refresh']])
})

test('cards show what a page is, pinned ones first, and what was read loses its mark', async () => {
  const { workspaceId } = world
  const category = await world.news('POST', '/api/v1/categories', {
    name: 'Kitchen',
    icon: '🍽️',
    color: '#B4532A',
    workspaceId,
  })
  const roster = await publish('Roster of the week', { excerpt: 'Who works when' })
  const menu = await publish('Menu of the day', { excerpt: 'Fennel and fish', categoryId: category['id'] })
  await world.news('POST', '/api/v1/pins', { pageId: roster, workspaceId })
  await world.news('PUT', `/api/v1/must-read/${roster}`, { dueAt: '2031-05-01T10:00:00Z' })
  await world.news('POST', '/api/v1/comments', { pageId: menu, content: 'Bon appétit' })
  const page = await open()
  await eventually(async () => (await titles(page)).join() === 'Roster of the week,Menu of the day')
  const [pinned, second] = [cards(page).nth(0), cards(page).nth(1)]
  for (const text of ['New', 'Must read', 'Pinned', 'Who works when', 'Ada Chef'])
    await pinned.getByText(text, { exact: true }).waitFor()
  for (const text of ['Kitchen', '1 comment']) await second.getByText(text, { exact: true }).waitFor()
  assert.is(await second.getByText('0 reactions').count(), 0)
  const strip = page.getByRole('region', { name: 'Must read' })
  await strip.getByText('by 1 May 2031').waitFor()
  await isSound(page, 'news')

  await cards(page).getByRole('link', { name: 'Menu of the day' }).click()
  await heading(page, 'Menu of the day').waitFor()
  await page.getByText('About Menu of the day').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await heading(page, 'News').waitFor()
  await eventually(async () => (await second.getByText('New', { exact: true }).count()) === 0)
  await page.getByRole('button', { name: 'Unread', exact: true }).click()
  await eventually(async () => (await titles(page)).join() === 'Roster of the week')

  await strip.getByRole('link').click()
  await page.getByRole('button', { name: 'I have read this' }).click()
  await page.getByText('You have confirmed that you read this.').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByText('You have read everything').waitFor()
  await strip.waitFor({ state: 'detached' })
})

test('a category and a search narrow the news down, and the address keeps both', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Kitchen' }).click()
  await eventually(async () => (await titles(page)).join() === 'Menu of the day')
  await page.getByLabel('Search the news').fill('ROSTER')
  await page.getByText('No results').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await eventually(async () => (await titles(page)).join() === 'Roster of the week')
  await page.reload()
  await eventually(async () => (await titles(page)).join() === 'Roster of the week')
  assert.is(await page.getByLabel('Search the news').inputValue(), 'ROSTER')
})

test('what others publish, react to, comment and withdraw arrives by itself', async () => {
  const page = await open()
  await cards(page).first().waitFor()
  const first = await publish('Fire drill')
  await publish('Second helping')
  await page.getByRole('button', { name: '2 new pages' }).click()
  await eventually(async () => (await titles(page)).includes('Fire drill'))
  await page.getByRole('button', { name: /new page/ }).waitFor({ state: 'detached' })
  const drill = cards(page).filter({ hasText: 'Fire drill' })
  await drill.scrollIntoViewIfNeeded()
  // A card's room is joined when it has been in view for a moment.
  await eventually(async () => {
    await world.news('POST', '/api/v1/comments', { pageId: first, content: 'At noon' })
    return (await drill.getByText(/^\d+ comments?$/).count()) > 0
  })
  await world.news('POST', '/api/v1/likes', { pageId: first })
  await drill.getByText('1 reaction', { exact: true }).waitFor()
  await world.news('DELETE', `/api/v1/likes/${first}`)
  await drill.getByText('1 reaction', { exact: true }).waitFor({ state: 'detached' })
  await world.news('PATCH', `/api/v1/pages/${first}`, { title: 'Fire drill at noon' })
  await drill.getByRole('heading', { name: 'Fire drill at noon' }).waitFor()
  await world.news('POST', `/api/v1/pages/${first}/unpublish`)
  await drill.waitFor({ state: 'detached' })
})

test('long lists are shown part by part, and a way back leads to where one was', async () => {
  const before = (await world.news('GET', `/api/v1/pages?workspaceId=${world.workspaceId}&status=published`))['meta']
  const missing = 30 - Number(before?.['total'])
  for (let number = 1; number <= missing; number++) await publish(`Note ${number}`)
  const page = await open()
  await cards(page).first().waitFor()
  const count = () => cards(page).count()
  const first = await count()
  await page.getByRole('button', { name: 'Show more' }).click()
  await eventually(async () => (await count()) > first)
  const link = cards(page).getByRole('link').nth(24)
  const name = await link.innerText()
  await link.click()
  await heading(page, name).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await heading(page, 'News').waitFor()
  await eventually(async () => {
    const box = await link.boundingBox()
    return box && box.y > 0 && box.y < 844
  })
  await eventually(async () => (await count()) === 30)
  assert.is(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test.run()
