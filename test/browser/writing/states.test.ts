import type { Page } from 'playwright-core'
import { assert, eventually } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isSound, wide } from '../front-world.ts'
import { publishPage, storedPage, waitForToast } from './steps.ts'

let world: FrontWorld
/** What happens to a page as a whole, as editors do it. */
const test = frontSuite('states and versions of pages', startedWorld => {
  world = startedWorld
})

const chooseAction = async (page: Page, choice: string) => {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: choice }).click()
}

test('a page is scheduled in the person’s own time zone, whatever the browser’s, listed, and unscheduled', async () => {
  const id = await world.writePage('Summer party')
  const page = await world.openAs(world.admin, `/write/${id}`, { ...wide, timezoneId: 'Asia/Tokyo' })
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('At a time of your choice').check()
  await dialog.getByText('Europe/Paris').waitFor()
  await dialog.getByLabel('Date and time').fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('in the future').waitFor()
  await isSound(page, 'a refused schedule')
  for (const [time, note] of [
    ['2031-03-30T02:30', 'there is no 02:30: 03:30 is meant'],
    ['2031-10-26T02:30', '02:30 comes twice: the first one is meant'],
  ] as const) {
    await dialog.getByLabel('Date and time').fill(time)
    await dialog.getByText(note).waitFor()
  }
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await waitForToast(page, 'Will be published 26 Oct 2031, 02:30')
  assert.is((await storedPage(world, id)).scheduledAt, '2031-10-26T00:30:00.000Z')
  await page.getByText('26 Oct 2031, 02:30').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog.getByLabel('Date and time').fill('2031-07-14T18:30')
  await dialog.getByLabel('Must read').check()
  await dialog.getByLabel('To be read by').fill('2031-07-14T12:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('after the publication').waitFor()
  await isSound(page, 'a must-read with a deadline')
  await dialog.getByLabel('To be read by').fill('2031-07-15T12:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await waitForToast(page, 'Will be published 14 Jul 2031, 18:30')
  assert.is((await storedPage(world, id)).scheduledAt, '2031-07-14T16:30:00.000Z')
  const { dueAt } = await world.news('GET', `/api/v1/must-read/${id}`)
  assert.is(dueAt, '2031-07-15T10:00:00.000Z')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Scheduled' }).click()
  await page.getByRole('link', { name: 'Summer party' }).click()
  await chooseAction(page, 'Cancel the schedule')
  await waitForToast(page, 'The schedule was cancelled.')
  assert.is((await storedPage(world, id)).scheduledAt, null)
})

test('a page that is published silently is in the feed and in no inbox', async () => {
  const reader = await world.join('sam', 'member', 'Sam')
  const [id, loud] = [await world.writePage('New paint'), await world.writePage('Fire drill')]
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByLabel('Publish silently').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await waitForToast(page, 'Published.')
  await world.news('POST', `/api/v1/pages/${loud}/publish`)
  const { token } = reader
  const titles = async () => {
    const { data } = await world.ask('notification', 'GET', '/api/v1/notifications?type=page', { token })
    return (data as { title: string }[]).map(({ title }) => title).join()
  }
  await eventually(async () => /Fire drill/.test(await titles()))
  assert.not.match(await titles(), 'New paint')
  const news = await world.openAs(reader)
  await news.getByRole('link', { name: 'New paint' }).waitFor()
})

test('a page is taken back, archived, deleted and restored', async () => {
  const id = await publishPage(world, 'Old notice', 'Gone soon.')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await chooseAction(page, 'Revert to draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to draft' }).click()
  await waitForToast(page, 'The page is a draft again.')
  await chooseAction(page, 'Archive')
  await waitForToast(page, 'Archived. Readers')
  await page.getByRole('button', { name: 'Unarchive' }).click()
  await waitForToast(page, 'Unarchived.')
  assert.is((await storedPage(world, id)).status, 'draft')
  await chooseAction(page, 'Move to the trash')
  await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click()
  await heading(page, 'Write').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await isSound(page, 'trash')
  await page.getByRole('button', { name: 'Restore “Old notice”' }).click()
  await waitForToast(page, 'was restored')
  assert.is((await storedPage(world, id)).status, 'draft')
})

test('an earlier version is read and restored', async () => {
  const id = await world.writePage('House rules', { excerpt: 'The first text.' })
  await world.news('PATCH', `/api/v1/pages/${id}`, { excerpt: 'The second text.' })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await chooseAction(page, 'Versions')
  const rows = page.getByRole('list', { name: 'Versions of the page' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  assert.match(await rows.first().innerText(), 'Ada Chef')
  await isSound(page, 'revisions')
  await rows.nth(1).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The first text.').waitFor()
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await waitForToast(page, 'The version was restored.')
  await eventually(async () => (await page.getByLabel('Summary').inputValue()) === 'The first text.')
  assert.is((await storedPage(world, id)).excerpt, 'The first text.')
})

test.run()
