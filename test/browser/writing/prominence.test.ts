import type { Page } from 'playwright-core'
import { assert, eventually } from '../../kit/kit.ts'
import { frontSuite, isFocused, isSound, type World, wide } from '../front-world.ts'
import { published, told } from './steps.ts'

let world: World
/** Must-read pages and their deadlines, as editors set them. */
const test = frontSuite('prominence', started => {
  world = started
})

const due = (page: Page) => page.getByLabel('To be read by')
/** Waits for the day in the field of the deadline. */
const shows = (page: Page, day: string) => eventually(async () => (await due(page).inputValue()).startsWith(day))
const apply = (page: Page) => page.getByRole('button', { name: 'Apply' })

/** Opens a published page in the editor. The fields are those of its must-read. */
async function edit(title: string, mustRead: object): Promise<{ id: string; page: Page }> {
  const id = await published(world, title, 'For everyone.')
  await world.news('PUT', `/api/v1/must-read/${id}`, mustRead)
  const page = await world.openAs(world.admin, '/', wide)
  await page.addInitScript(`{
    const go = fetch
    globalThis.holding = {}
    globalThis.fetch = async (url, init) => {
      if (/must-read/.test(url)) await holding[init?.method ?? 'GET']
      return go(url, init)
    }
  }`)
  await page.goto(`${world.platform.frontUrl}/write/${id}`)
  await due(page).waitFor()
  return { id, page }
}

/** Holds the page's calls of one method about must-reads until `answer()` in the page. */
async function hold(page: Page, method: string): Promise<void> {
  await page.evaluate(`{ holding.${method} = new Promise(resolve => (globalThis.answer = resolve)) } undefined`)
}

test('a deadline that cannot be loaded is told, and loaded at the next try', async () => {
  const { page } = await edit('Fire doors', { dueAt: '2031-05-01T10:00:00Z' })
  await page.addInitScript(`{
    const go = fetch
    globalThis.isBroken = true
    globalThis.fetch = async (url, init) =>
      isBroken && /must-read/.test(url) ? new Response('{}', { status: 500 }) : go(url, init)
  }`)
  await page.reload()
  const problem = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  await problem.waitFor()
  assert.is(await due(page).count(), 0, 'no empty field for a deadline that exists')
  await isSound(page, 'a deadline that was not loaded')
  await page.evaluate('isBroken = false')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await shows(page, '2031-05-01')
  await problem.waitFor({ state: 'detached' })
})

test('a page that is made must-read again has no former deadline', async () => {
  const { page } = await edit('Assembly point', { dueAt: '2031-05-01T10:00:00Z' })
  await shows(page, '2031-05-01')
  await page.getByLabel('Must read').click()
  await due(page).waitFor({ state: 'detached' })
  await hold(page, 'GET')
  await page.getByLabel('Must read').click()
  await due(page).waitFor()
  assert.is(await due(page).inputValue(), '')
  await page.evaluate('answer()')
})

test('a slow answer leaves the focus and the time that were chosen meanwhile', async () => {
  const { id, page } = await edit('Night keys', {})
  const stored = async () => String((await world.news('GET', `/api/v1/must-read/${id}`))['dueAt'])
  await hold(page, 'PUT')
  await due(page).fill('2031-05-01T10:00')
  await apply(page).click()
  await due(page).fill('2031-06-01T10:00')
  await page.getByLabel('Summary').focus()
  await page.evaluate('answer()')
  await told(page, 'Saved.')
  assert.ok((await stored()).startsWith('2031-05-01'))
  assert.is(await due(page).inputValue(), '2031-06-01T10:00')
  assert.ok(await isFocused(page.getByLabel('Summary')), 'the focus stays where it went')
  await apply(page).click()
  await apply(page).waitFor({ state: 'detached' })
  assert.ok((await stored()).startsWith('2031-06-01'))
})

test('a deadline in the past is refused in plain words', async () => {
  const { page } = await edit('Winter tyres', {})
  await due(page).fill('2020-01-01T10:00')
  await apply(page).click()
  await page.getByText('Choose a time in the future.').waitFor()
})

test.run()
