import type { Page } from 'playwright-core'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { frontSuite, heading, isFocused, isSound, tabTo, type World, wide } from '../front-world.ts'
import { published, storedPage, told } from './steps.ts'

let world: World
/** What happens to a page as a whole, as editors do it. */
const test = frontSuite('states and versions of pages', started => {
  world = started
})

const more = async (page: Page, choice: string) => {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: choice }).click()
}

test('a page is scheduled in the browser’s time zone, listed, and unscheduled', async () => {
  const id = await world.writePage('Summer party')
  const page = await world.openAs(world.admin, `/write/${id}`, { ...wide, timezoneId: 'Asia/Tokyo' })
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('At a time of your choice').check()
  await dialog.getByText('Asia/Tokyo').waitFor()
  await dialog.getByLabel('Date and time').fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('in the future').waitFor()
  await isSound(page, 'a refused schedule')
  await dialog.getByLabel('Date and time').fill('2031-07-14T18:30')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await told(page, 'Will be published')
  assert.is((await storedPage(world, id)).scheduledAt, '2031-07-14T09:30:00.000Z')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Scheduled' }).click()
  await page.getByRole('link', { name: 'Summer party' }).click()
  await more(page, 'Cancel the schedule')
  await told(page, 'The schedule was cancelled.')
  assert.is((await storedPage(world, id)).scheduledAt, null)
})

test('a page is published and taken back with the keyboard alone, and the focus stays near', async () => {
  const id = await world.writePage('Night shift')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  const { keyboard } = page
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await tabTo(page, button('Publish'))
  await keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('radio', { name: /^Now/ }))
  await keyboard.press('ArrowDown')
  await dialog.getByLabel('Date and time').waitFor()
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.ok(await eventually(() => isFocused(button('Publish'))), 'the focus is back where it was')
  await keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Publish now' }))
  await keyboard.press('Enter')
  await told(page, 'Published.')
  // The button that opened the dialog is gone.
  assert.ok(await eventually(() => isFocused(heading(page, 'Night shift'))), 'the focus is on the heading')
  await tabTo(page, button('More'))
  await keyboard.press('Enter')
  const choice = page.getByRole('menuitem', { name: 'Revert to draft' })
  for (let presses = 0; !(await isFocused(choice)); presses++) {
    assert.ok(presses < 12, 'the arrows reach the choice')
    await keyboard.press('ArrowDown')
  }
  await keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Revert to draft' }))
  await keyboard.press('Enter')
  await told(page, 'The page is a draft again.')
  assert.ok(await eventually(() => isFocused(button('More'))), 'the focus is back on the menu')
  assert.is((await storedPage(world, id)).status, 'draft')
})

test('a page is taken back, archived, deleted and restored', async () => {
  const id = await published(world, 'Old notice', 'Gone soon.')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await more(page, 'Revert to draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to draft' }).click()
  await told(page, 'The page is a draft again.')
  await more(page, 'Archive')
  await told(page, 'Archived. Readers')
  await page.getByRole('button', { name: 'Unarchive' }).click()
  await told(page, 'Unarchived.')
  assert.is((await storedPage(world, id)).status, 'draft')
  await more(page, 'Move to the trash')
  await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click()
  await heading(page, 'Write').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await isSound(page, 'trash')
  await page.getByRole('button', { name: 'Restore “Old notice”' }).click()
  await told(page, 'was restored')
  assert.is((await storedPage(world, id)).status, 'draft')
})

test('an earlier version is read and restored', async () => {
  const id = await world.writePage('House rules', { excerpt: 'The first text.' })
  await world.news('PATCH', `/api/v1/pages/${id}`, { excerpt: 'The second text.' })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await more(page, 'Versions')
  const rows = page.getByRole('list', { name: 'Versions of the page' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  assert.match(await rows.first().innerText(), 'Ada Chef')
  await isSound(page, 'revisions')
  await rows.nth(1).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The first text.').waitFor()
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await told(page, 'The version was restored.')
  await eventually(async () => (await page.getByLabel('Summary').inputValue()) === 'The first text.')
  assert.is((await storedPage(world, id)).excerpt, 'The first text.')
})

test('the way back to the list keeps its search after a look at the versions, and after staying', async () => {
  await world.writePage('House rules of summer')
  const id = await published(world, 'House rules of winter', 'Wipe your feet.')
  const page = await world.openAs(world.admin, '/write?status=all', wide)
  await page.getByLabel('Search').fill('winter')
  await page.getByText('1 page', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'House rules of winter', exact: true }).click()
  await more(page, 'Versions')
  await page.getByRole('link', { name: 'Back to the page' }).click()
  await page.getByLabel('Summary').fill('Dry feet.')
  await page.getByText('Not saved yet').waitFor()
  await page.goBack()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep writing' }).click()
  assert.match(page.url(), id)
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByText('1 page', { exact: true }).waitFor()
  assert.is(await page.getByLabel('Search').inputValue(), 'winter')
})

test('more than a hundred versions and deleted pages are shown part by part', async () => {
  const id = await world.writePage('Long story')
  const gone = await world.writePage('Gone')
  await world.news('DELETE', `/api/v1/pages/${gone}`)
  const db = await connectDatabase(world.platform.env['NEWS_DATABASE_URL'] ?? '')
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000)
  const many = Array.from({ length: 110 }, (_, minute) => minute)
  const versions = many.map(one => [
    newId(),
    world.workspaceId,
    id,
    1000 + one,
    'Long story',
    '{"blocks":[]}',
    '[]',
    '["content"]',
    world.admin.memberId,
    at(one),
  ])
  await db.query(
    'insert into page_revisions (id, workspace_id, page_id, version, title, content, medias, changed_fields, created_by_id, created_at) values ?',
    [versions],
  )
  const pages = many.map(one => [
    newId(),
    world.workspaceId,
    `Gone ${one}`,
    'article',
    world.admin.memberId,
    '[]',
    'draft',
    at(one),
    at(one),
    at(one),
  ])
  await db.query(
    'insert into pages (id, workspace_id, title, page_type, created_by_id, medias, status, created_at, updated_at, deleted_at) values ?',
    [pages],
  )
  await db.end()
  const page = await world.openAs(world.admin, `/write/${id}/revisions`, wide)
  const showAll = async (list: string, count: number) => {
    const rows = page.getByRole('list', { name: list }).getByRole('listitem')
    await rows.first().waitFor()
    while ((await rows.count()) < count) {
      const before = await rows.count()
      await page.getByRole('button', { name: 'Show more' }).click()
      assert.ok(await eventually(async () => (await rows.count()) > before), `${list}: more than ${before}`)
    }
    assert.is(await rows.count(), count)
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  }
  await showAll('Versions of the page', 111)
  await page.goto(`${world.platform.frontUrl}/write?status=trash`)
  const trashed = (await world.news('GET', `/api/v1/pages/trash?workspaceId=${world.workspaceId}`))['meta']
  await showAll('Deleted pages', Number(trashed['total']))
})

test.run()
