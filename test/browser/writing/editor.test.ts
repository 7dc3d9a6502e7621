import type { Route } from 'playwright-core'
import { password } from '../../../cli/tour/world.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isFocused, isSound, tabTo, wide } from '../front-world.ts'
import { blocksOf, content, idIn, publishPage, storedPage, waitForToast, waitUntilSaved } from './steps.ts'

let world: FrontWorld
/** Writing in the web client, as editors do it. */
const test = frontSuite('writing', startedWorld => {
  world = startedWorld
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
  await waitUntilSaved(page)
  const id = idIn(page)
  const line = await page.evaluate<string>('getSelection().anchorNode.textContent')
  assert.is(line, 'Please tell every guest.', 'the caret stays in the text')
  assert.ok(await isFocused(content(page).getByRole('textbox')), 'the focus stays in the text')
  assert.equal(await blocksOf(world, id), [
    { type: 'paragraph', data: { text: 'From Monday the spa opens at <b>seven</b>.' } },
    { type: 'paragraph', data: { text: 'Please tell every guest.' } },
  ])
  await isSound(page, 'editor')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await waitForToast(page, 'Published.')
  assert.is((await storedPage(world, id)).status, 'published')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Published' }).click()
  await page.getByRole('link', { name: 'Spa opens earlier', exact: true }).waitFor()
})

test('a page is previewed, pinned and made must-read, which its readers see and confirm', async () => {
  const flo = await world.join('flo', 'member', 'Flo')
  const id = await publishPage(world, 'Evacuation plan', 'The assembly point is the car park.')
  await publishPage(world, 'Later news', 'Nothing new.')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('article', { name: 'Preview' }).getByText('The assembly point is the car park.').waitFor()
  await isSound(page, 'preview')
  await page.getByRole('button', { name: 'Back to writing' }).click()
  await page.getByLabel('Pinned to the top').click()
  await page.getByLabel('Pinned until').waitFor()
  await page.getByLabel('Must read').click()
  await page.getByLabel('To be read by').waitFor()
  const news = await world.openAs(flo)
  const first = news.getByRole('main').getByRole('article').first()
  await first.getByText('Must read', { exact: true }).waitFor()
  await first.getByRole('link', { name: 'Evacuation plan' }).click()
  await heading(news, 'Evacuation plan').waitFor()
  await isSound(news, 'a page to confirm')
  await news.getByRole('button', { name: 'I have read this' }).click()
  await news.getByText('You have confirmed that you read this.').waitFor()
  await page.getByLabel('Must read').click()
  await page.getByLabel('Pinned to the top').click()
  await page.getByLabel('Pinned until').waitFor({ state: 'detached' })
  await news.reload()
  await heading(news, 'Evacuation plan').waitFor()
  assert.is(await news.getByText('Must read', { exact: true }).count(), 0)
})

test('deadlines that an editor sets reach readers, are shown in the editor again, and keep the focus', async () => {
  const gil = await world.join('gil', 'member', 'Gil')
  const id = await world.writePage('Fire doors')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  const [pinnedField, dueField] = [page.getByLabel('Pinned until'), page.getByLabel('To be read by')]
  await page.getByLabel('Pinned to the top').waitFor()
  assert.is(await page.getByLabel('Must read').count(), 0, 'of a draft, the publish dialog asks')
  await world.news('POST', `/api/v1/pages/${id}/publish`)
  await page.reload()
  await page.getByLabel('Pinned to the top').click()
  await pinnedField.fill('2020-01-01T10:00')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Choose a time in the future.').waitFor()
  await pinnedField.fill('2031-04-01T10:00')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' })
  await page.getByLabel('Must read').click()
  await dueField.fill('2031-05-01T10:00')
  await tabTo(page, page.getByRole('button', { name: 'Apply' }))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' })
  assert.ok(await eventually(() => isFocused(dueField)), 'the field has the focus once its button is gone')
  await isSound(page, 'prominence')
  const news = await world.openAs(gil)
  await news.getByRole('region', { name: 'Must read' }).getByText('by 1 May 2031').waitFor()
  // The deadline stays in the editor after its own author has confirmed the page.
  await world.news('POST', `/api/v1/must-read/${id}/acknowledge`)
  await page.reload()
  assert.ok(await eventually(async () => (await pinnedField.inputValue()) === '2031-04-01T10:00'))
  assert.ok(await eventually(async () => (await dueField.inputValue()) === '2031-05-01T10:00'))
})

test('a published page is changed only on request, and leaving it unsaved asks first', async () => {
  const id = await publishPage(world, 'Breakfast', 'Served from seven.')
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
  await waitUntilSaved(page)
  await page.getByRole('link', { name: 'All pages' }).click()
  await heading(page, 'Write').waitFor()
  assert.equal(await blocksOf(world, id), [{ type: 'paragraph', data: { text: 'Served from seven. Until ten.' } }])
})

test('two people who change the same text see both versions and choose one', async () => {
  const id = await world.writePage('Menu')
  const colleague = await world.join('dana', 'admin', 'Dana')
  const ownPage = await world.openAs(world.admin, `/write/${id}`, wide)
  const otherPage = await world.openAs(colleague, `/write/${id}`, wide)
  await otherPage.getByLabel('Title').fill('Menu of the week')
  await waitUntilSaved(otherPage)
  // Another field is joined without a question.
  await ownPage.getByLabel('Summary').fill('Fresh fish.')
  await waitUntilSaved(ownPage)
  await eventually(async () => (await ownPage.getByLabel('Title').inputValue()) === 'Menu of the week')
  await otherPage.getByLabel('Summary').fill('Fresh meat.')
  const dialog = otherPage.getByRole('dialog', { name: 'Somebody else has changed this page' })
  await dialog.getByText('Fresh fish.').waitFor()
  await dialog.getByText('Fresh meat.').waitFor()
  await isSound(otherPage, 'conflict')
  assert.is((await storedPage(world, id)).excerpt, 'Fresh fish.')
  await otherPage.keyboard.press('Escape')
  await otherPage.getByRole('button', { name: 'More' }).click()
  await otherPage.getByRole('menuitem', { name: 'Archive' }).click()
  await waitForToast(otherPage, 'First choose which version to keep.')
  await otherPage.getByRole('button', { name: 'Compare both versions' }).click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await waitUntilSaved(otherPage)
  assert.is((await storedPage(world, id)).excerpt, 'Fresh meat.')
  await ownPage.getByLabel('Summary').fill('Fresh eggs.')
  await ownPage.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click()
  await eventually(async () => (await ownPage.getByLabel('Summary').inputValue()) === 'Fresh meat.')
  await waitUntilSaved(ownPage)
  assert.is((await storedPage(world, id)).excerpt, 'Fresh meat.')
})

test('what somebody was writing when their session ended waits for them, and for nobody else', async () => {
  const author = await world.join('noa', 'admin', 'Noa')
  const id = await publishPage(world, 'Pool', 'Opens at nine.')
  const page = await world.openAs(author, `/write/${id}`, wide)
  const summary = page.getByLabel('Summary')
  let secret = password
  /** Changes the password elsewhere, which ends the session here. */
  const endSession = async () => {
    const body = { currentPassword: secret, newPassword: `${secret}8` }
    await world.ask('auth', 'POST', '/password/change', { token: author.token, body })
    secret = body.newPassword
    await page.getByText('You have been signed out').waitFor()
  }
  await summary.fill('From eight now.')
  await endSession()
  await world.enter(page, author, secret)
  await page.getByRole('status').getByText('Not saved yet').waitFor()
  assert.is(await summary.inputValue(), 'From eight now.')
  await page.getByRole('button', { name: 'Update' }).click()
  await waitUntilSaved(page)
  assert.is((await storedPage(world, id)).excerpt, 'From eight now.')
  await summary.fill('From seven now.')
  await endSession()
  await world.enter(page, world.admin)
  await waitUntilSaved(page)
  assert.is(await summary.inputValue(), 'From eight now.')
})

test('who loses the right to write is told so, keeps the text, and sees no buttons for it', async () => {
  const author = await world.join('elle', 'manager', 'Elle')
  const page = await world.openAs(author, '/write/new', wide)
  await page.getByLabel('Title').fill('Draft of Elle')
  await waitUntilSaved(page)
  // The right ends while the change is under way.
  const endRight = async (route: Route) => {
    await world.ask('member', 'PATCH', `/workspaces/${world.workspaceId}/update-member/${author.memberId}`, {
      token: world.admin.token,
      body: { workspaceRole: 'viewer' },
    })
    await route.continue()
  }
  await page.route('**/api/v1/pages/*', endRight, { times: 1 })
  await page.getByLabel('Title').fill('Draft of Elle, longer')
  await page.getByRole('alert').filter({ hasText: 'Your permissions have changed' }).waitFor()
  assert.is(await page.getByLabel('Title').inputValue(), 'Draft of Elle, longer')
  await isSound(page, 'a right that is lost while writing')
  await page.getByRole('button', { name: 'Publish' }).waitFor({ state: 'detached' })
  const authorPage = await world.openAs(author, '/write')
  const isTitled = async (title: string) => {
    await heading(authorPage, title).waitFor()
    assert.ok(await eventually(async () => (await authorPage.title()) === title), `the window is called “${title}”`)
  }
  await isTitled('You can’t write here')
  await isSound(authorPage, 'no right to write')
  assert.is(await authorPage.getByRole('link', { name: 'Write' }).count(), 0)
  const draftId = await world.writePage('Draft of Ada')
  for (const [place, title] of [
    [`/write/${draftId}`, 'You can’t write here'],
    ['/write/new', 'You can’t write here'],
    [`/write/${idIn(page)}/figures`, 'You don’t have access to these statistics'],
  ] as const) {
    await authorPage.goto(world.platform.frontUrl + place)
    await isTitled(title)
  }
})

test.run()
