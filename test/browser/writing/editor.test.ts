import { assert, eventually } from '../../kit/kit.ts'
import { frontSuite, heading, isSound, type World, wide } from '../front-world.ts'
import { blocksOf, content, idIn, look, published, saved, storedPage, told } from './steps.ts'

let world: World
/** Writing in the web client, as editors do it. */
const test = frontSuite('writing', started => {
  world = started
})

test('an article is written by keyboard, saved by itself, and published', async () => {
  const page = await world.openAs(world.admin, '/write', wide)
  await page.getByRole('button', { name: 'New page' }).click()
  await page.getByLabel('Title').fill('Spa opens earlier')
  await page.keyboard.press('Enter')
  await page.keyboard.type('From Monday the spa opens at ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('seven')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Please tell every guest.')
  await saved(page)
  const id = idIn(page)
  const focused = await page.evaluate<string>('document.activeElement.textContent')
  assert.is(focused, 'Please tell every guest.', 'the focus stays in the text')
  assert.equal(await blocksOf(world, id), [
    { type: 'paragraph', data: { text: 'From Monday the spa opens at <b>seven</b>.' } },
    { type: 'paragraph', data: { text: 'Please tell every guest.' } },
  ])
  await look(page, 'editor')
  await isSound(page, 'editor')
  await page.getByRole('button', { name: 'Publish' }).click()
  await look(page, 'publish')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await told(page, 'Published.')
  assert.is((await storedPage(world, id)).status, 'published')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Published' }).click()
  await page.getByRole('link', { name: 'Spa opens earlier', exact: true }).waitFor()
})

test('a published page is changed only on request, and leaving it unsaved asks first', async () => {
  const id = await published(world, 'Breakfast', 'Served from seven.')
  const page = await world.openAs(world.admin, '/write?status=published', wide)
  await page.getByRole('link', { name: 'Breakfast', exact: true }).click()
  await content(page).getByRole('textbox').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Until ten.')
  await page.getByRole('status').getByText('Not saved yet').waitFor()
  await page.getByRole('link', { name: 'All pages' }).click()
  const ask = page.getByRole('dialog', { name: 'Leave without saving?' })
  await ask.getByRole('button', { name: 'Keep writing' }).click()
  assert.is(idIn(page), id)
  await page.goBack()
  await ask.waitFor()
  assert.is(idIn(page), id, 'the browser’s button asks too')
  await ask.getByRole('button', { name: 'Keep writing' }).click()
  await page.getByRole('button', { name: 'Update' }).click()
  await saved(page)
  await page.getByRole('link', { name: 'All pages' }).click()
  await heading(page, 'Write').waitFor()
  assert.equal(await blocksOf(world, id), [{ type: 'paragraph', data: { text: 'Served from seven. Until ten.' } }])
})

test('two people who change the same text see both versions and choose one', async () => {
  const id = await world.writePage('Menu')
  const colleague = await world.join('dana', 'admin', 'Dana')
  const mine = await world.openAs(world.admin, `/write/${id}`, wide)
  const theirs = await world.openAs(colleague, `/write/${id}`, wide)
  await theirs.getByLabel('Title').fill('Menu of the week')
  await saved(theirs)
  // Another field is joined without a question.
  await mine.getByLabel('Summary').fill('Fresh fish.')
  await saved(mine)
  await eventually(async () => (await mine.getByLabel('Title').inputValue()) === 'Menu of the week')
  await theirs.getByLabel('Summary').fill('Fresh meat.')
  const dialog = theirs.getByRole('dialog', { name: 'Somebody else has changed this page' })
  await dialog.getByText('Fresh fish.').waitFor()
  await dialog.getByText('Fresh meat.').waitFor()
  await look(theirs, 'conflict')
  await isSound(theirs, 'conflict')
  assert.is((await storedPage(world, id)).excerpt, 'Fresh fish.')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await saved(theirs)
  assert.is((await storedPage(world, id)).excerpt, 'Fresh meat.')
  await mine.getByLabel('Summary').fill('Fresh eggs.')
  await mine.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click()
  await eventually(async () => (await mine.getByLabel('Summary').inputValue()) === 'Fresh meat.')
  await saved(mine)
  assert.is((await storedPage(world, id)).excerpt, 'Fresh meat.')
})

test('who loses the right to write is told so, keeps the text, and sees no buttons for it', async () => {
  const author = await world.join('elle', 'manager', 'Elle')
  const page = await world.openAs(author, '/write/new', wide)
  await page.getByLabel('Title').fill('Draft of Elle')
  await saved(page)
  await world.ask('member', 'PATCH', `/workspaces/${world.workspaceId}/update-member/${author.memberId}`, {
    token: world.admin.token,
    body: { workspaceRole: 'viewer' },
  })
  await page.getByLabel('Title').fill('Draft of Elle, longer')
  await page.getByRole('alert').filter({ hasText: 'Your permissions have changed' }).waitFor()
  assert.is(await page.getByLabel('Title').inputValue(), 'Draft of Elle, longer')
  await page.getByRole('button', { name: 'Publish' }).waitFor({ state: 'detached' })
  const again = await world.openAs(author, '/write')
  await again.getByText('You can’t write here').waitFor()
  assert.is(await again.getByRole('link', { name: 'Write' }).count(), 0)
})

test.run()
