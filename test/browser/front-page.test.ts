import type { Page } from 'playwright-core'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontPerson, type FrontWorld, frontSuite, heading, isFocused, isSound, tabTo } from './front-world.ts'

let world: FrontWorld
let bo: FrontPerson
/** A page in the web client: what it holds, and what its readers do with it. */
const test = frontSuite('a page', async startedWorld => {
  world = startedWorld
  bo = await world.join('bo', 'member', 'Bo')
})

/** Publishes a page as the administrator. */
const publish = (title: string, fields: object = {}): Promise<string> => {
  const content = { blocks: [{ type: 'paragraph', data: { text: `About <b>${title}</b>` } }] }
  return world.writePage(title, { content, status: 'published', ...fields })
}

const open = async (person: FrontPerson, id: string): Promise<Page> => {
  const page = await world.openAs(person, `/pages/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('a page of every kind of block is shown and accessible, with its event and its files', async () => {
  const parent = await publish('Handbook')
  const id = await publish('Opening night', {
    pageType: 'event',
    parentId: parent,
    eventStartsAt: '2031-05-01T18:00:00Z',
    eventEndsAt: '2031-05-01T22:00:00Z',
    eventLocation: 'Terrace',
    medias: [{ fileUrl: 'https://files.example/plan%20of%20tables.pdf', type: 'file' }],
    content: {
      blocks: [
        { type: 'header', data: { text: 'Programme', level: 1 } },
        {
          type: 'list',
          data: { style: 'ordered', items: [{ content: 'Welcome', items: [{ content: 'Speech', items: [] }] }] },
        },
        {
          type: 'checklist',
          data: {
            items: [
              { text: 'Flowers', checked: true },
              { text: 'Candles', checked: false },
            ],
          },
        },
        { type: 'quote', data: { text: 'Be our guest', caption: 'Ada' } },
        {
          type: 'table',
          data: {
            withHeadings: true,
            content: [
              ['Hour', 'Place'],
              ['18', 'Bar'],
            ],
          },
        },
        { type: 'delimiter', data: {} },
        { type: 'code', data: { code: 'a <b> c' } },
        { type: 'warning', data: { title: 'Mind', message: 'the step' } },
        { type: 'embed', data: { service: 'youtube', source: 'https://video.example/watch', caption: 'Last year' } },
        { type: 'paragraph', data: { text: 'مرحبا بكم في الفندق' } },
        { type: 'paragraph', data: { text: 'See <a href="/pages/1">the menu</a>.' } },
        { type: 'countdown', data: { message: 'Ten days left', id: 'x1' } },
      ],
    },
  })
  const page = await open(bo, id)
  const text = page.getByRole('main')
  await text.getByText('Terrace').waitFor()
  await text.getByText(/1 May 2031/).waitFor()
  await text
    .getByRole('listitem')
    .filter({ hasText: /^Speech$/ })
    .waitFor()
  await text.getByRole('columnheader', { name: 'Hour' }).waitFor()
  await text.getByText('Ten days left').waitFor()
  assert.is(await text.getByRole('link', { name: /Last year/ }).getAttribute('href'), 'https://video.example/watch')
  assert.is(await text.getByRole('link', { name: 'the menu' }).getAttribute('href'), '/pages/1')
  assert.is(await text.getByRole('link', { name: 'plan of tables.pdf' }).count(), 1)
  const direction =
    "getComputedStyle([...document.querySelectorAll('.blocks p')].find(one => /مرحبا/.test(one.textContent))).direction"
  assert.is(await page.evaluate(direction), 'rtl')
  await isSound(page, 'page of every block')
  await text.getByRole('link', { name: 'Handbook' }).click()
  await heading(page, 'Handbook').waitFor()
  await text.getByRole('link', { name: 'Opening night' }).click()
  await heading(page, 'Opening night').waitFor()
})

test('the pictures of a page are looked at one after the other, by pointer and by key', async () => {
  const picture = (name: string) => ({ fileUrl: `${world.platform.frontUrl}/assets/${name}`, type: 'image' })
  const id = await publish('Beach', {
    medias: [picture('icon-192.png'), picture('icon-512.png'), picture('icon-192.png?2')],
  })
  const page = await open(bo, id)
  await page.getByRole('button', { name: 'Show picture 1 of 3' }).click()
  const pictureDialog = (number: number) => page.getByRole('dialog', { name: `Picture ${number} of 3` })
  const isDrawn = (number: number) =>
    eventually(() =>
      pictureDialog(number)
        .getByRole('img')
        .evaluate(one => (one as unknown as { naturalWidth: number }).naturalWidth > 0),
    )
  await isDrawn(1)
  await isSound(page, 'a picture')
  await page.getByRole('button', { name: 'Next picture' }).click()
  await isDrawn(2)
  await page.keyboard.press('ArrowRight')
  await isDrawn(3)
  await page.keyboard.press('ArrowRight')
  await pictureDialog(1).waitFor()
  await page.keyboard.press('ArrowLeft')
  await pictureDialog(3).waitFor()
  const focused = 'document.activeElement.ariaLabel'
  // Later, the focus would be taken from what the reader does next.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.querySelector('dialog')) return
    globalThis.focusedOnceClosed = ${focused}
    observer.disconnect()
  }).observe(document.body, { childList: true, subtree: true })`)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.is(await page.evaluate('focusedOnceClosed'), 'Show picture 1 of 3')
  await page.getByRole('button', { name: 'Show picture 2 of 3' }).press('Enter')
  await pictureDialog(2).waitFor()
  // The keys work wherever the focus is in the dialog.
  await page.keyboard.press('ArrowLeft')
  await pictureDialog(1).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await eventually(async () => (await page.evaluate(focused)) === 'Show picture 2 of 3')
})

test('readers react, see who did, and keep a page where they find it again', async () => {
  const id = await publish('Sunset')
  const [ada, page] = [await open(world.admin, id), await open(bo, id)]
  await page.getByRole('button', { name: 'Love' }).click()
  await page.getByRole('button', { name: 'Love', pressed: true }).waitFor()
  await ada.getByRole('button', { name: '1 reaction' }).click()
  await ada.getByRole('dialog', { name: 'Who reacted' }).getByText('Bo Martin').waitFor()
  await ada.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Wow' }).click()
  await page.getByRole('button', { name: 'Wow', pressed: true }).click()
  for (const one of [page, ada]) await one.getByText('Be the first to react').waitFor()
  await page.getByRole('button', { name: 'Bookmark' }).click()
  await page.getByRole('button', { name: 'Bookmark', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Follow comments' }).click()
  await page.getByRole('button', { name: 'Follow comments', pressed: true }).waitFor()
  await page.getByRole('link', { name: 'News' }).click()
  await page.getByRole('link', { name: 'Saved pages' }).click()
  await page.getByRole('link', { name: 'Sunset' }).waitFor()
  await isSound(page, 'saved pages')
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByText('Nothing here yet').waitFor()
})

test('comments form a tree that grows under the eyes of others, and is changed by its authors', async () => {
  const id = await publish('Lost umbrella')
  const [ada, page] = [await open(world.admin, id), await open(bo, id)]
  const comment = (tab: Page, name: string) => tab.getByRole('article', { name })
  await page.getByLabel('Write a comment…').fill('Is it blue?')
  await page.getByRole('button', { name: 'Send' }).click()
  const foreignComment = comment(ada, 'Bo Martin')
  await foreignComment.getByText('Is it blue?').waitFor()
  await ada.getByText('1 comment', { exact: true }).waitFor()
  assert.is(await foreignComment.getByRole('button', { name: 'Edit' }).count(), 0)
  await foreignComment.getByRole('button', { name: 'Like' }).click()
  await foreignComment.getByText('Likes: 1').waitFor()
  await foreignComment.getByRole('button', { name: 'Reply' }).click()
  await ada.getByLabel('Reply to Bo Martin').fill('It is red')
  await ada.keyboard.press('Control+Enter')
  await page.getByRole('list', { name: 'Replies to Bo Martin' }).getByText('It is red').waitFor()
  const ownComment = comment(page, 'Bo Martin')
  await ownComment.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Edit your comment').fill('Is it dark blue?')
  await page.getByRole('button', { name: 'Save' }).click()
  await ownComment.getByText('edited').waitFor()
  await isSound(page, 'comments')
  await ownComment.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this comment?' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This comment was deleted.').first().waitFor()
  await ada.getByText('This comment was deleted.').first().waitFor()
  await ada.getByText('It is red').waitFor()
})

test('a comment that is sent twice in one moment is written once', async () => {
  const id = await publish('Double click')
  const page = await open(bo, id)
  await page.getByLabel('Write a comment…').fill('Only once')
  const form = page.locator('form').filter({ has: page.getByLabel('Write a comment…') })
  await form.evaluate(one => {
    const { requestSubmit } = one as unknown as { requestSubmit: () => void }
    requestSubmit.call(one)
    requestSubmit.call(one)
  })
  await page.getByText('1 comment', { exact: true }).waitFor()
  assert.is((await world.news('GET', `/api/v1/pages/${id}`))['commentCount'], 1 as unknown)
})

test('a vote is cast, changed and withdrawn, and its results reach other voters', async () => {
  const id = await publish('Which cake?', { pageType: 'poll' })
  await world.news('PUT', `/api/v1/polls/${id}`, { options: ['Lemon', 'Fig'] })
  const [ada, page] = [await open(world.admin, id), await open(bo, id)]
  const vote = async (tab: Page, label: string) => {
    await tab.getByRole('radio', { name: label }).check()
    await tab.getByRole('button', { name: 'Vote', exact: true }).click()
  }
  await vote(page, 'Fig')
  const fig = page.getByRole('listitem').filter({ hasText: 'Fig' })
  await fig.getByText('1 vote, 100%').waitFor()
  await fig.getByText('Your choice').waitFor()
  await vote(ada, 'Lemon')
  await fig.getByText('1 vote, 50%').waitFor()
  await isSound(page, 'results of a poll')
  await page.getByRole('button', { name: 'Change my vote' }).click()
  await vote(page, 'Lemon')
  await page.getByRole('listitem').filter({ hasText: 'Lemon' }).getByText('2 votes, 100%').waitFor()
  await page.getByRole('button', { name: 'Withdraw my vote' }).click()
  await page.getByRole('button', { name: 'Vote', exact: true }).waitFor()
  await page.getByText('1 person has voted').waitFor()
})

test('a page is found, read, voted on, reacted to, commented on and confirmed with the keyboard alone', async () => {
  const id = await publish('Summer party', { pageType: 'poll' })
  await world.news('PUT', `/api/v1/polls/${id}`, { options: ['June', 'July'] })
  await world.news('PUT', `/api/v1/must-read/${id}`, {})
  const page = await world.openAs(bo)
  const { keyboard } = page
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const card = page.getByRole('article').getByRole('link', { name: 'Summer party' })
  await tabTo(page, card)
  await keyboard.press('Enter')
  assert.ok(await eventually(() => isFocused(heading(page, 'Summer party'))), 'the focus on the title')
  await button('I have read this').waitFor()
  await isSound(page, 'a poll to confirm')
  await tabTo(page, page.getByRole('radio', { name: 'June' }))
  await keyboard.press('Space')
  await keyboard.press('ArrowDown')
  await tabTo(page, button('Vote'))
  await keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'July' }).getByText('Your choice').waitFor()
  await tabTo(page, button('I have read this'))
  await keyboard.press('Enter')
  await page.getByText('You have confirmed that you read this.').waitFor()
  await tabTo(page, button('Love'))
  await keyboard.press('Space')
  await page.getByRole('button', { name: 'Love', pressed: true }).waitFor()
  await tabTo(page, page.getByLabel('Write a comment…'))
  await keyboard.type('I bring the cake')
  await tabTo(page, button('Send'))
  await keyboard.press('Enter')
  await page.getByRole('article', { name: 'Bo Martin' }).getByText('I bring the cake').waitFor()
  await tabTo(page, button('Back'))
  await keyboard.press('Enter')
  await card.waitFor()
  assert.ok(await eventually(async () => (await isFocused(card)) || (await isFocused(heading(page, 'News')))))
})

test('a page that changes or is withdrawn while it is read says so', async () => {
  const id = await publish('Weather warning')
  const page = await open(bo, id)
  await page.getByText('About Weather warning').waitFor()
  let changes = 0
  // The first change may come before the page's room is joined.
  await eventually(async () => {
    await world.news('PATCH', `/api/v1/pages/${id}`, { title: 'Storm warning', excerpt: `Change ${changes++}` })
    return page.getByText('This page has been changed').isVisible()
  })
  await heading(page, 'Weather warning').waitFor()
  await page.getByRole('button', { name: 'Show the new version' }).click()
  await heading(page, 'Storm warning').waitFor()
  await world.news('POST', `/api/v1/pages/${id}/unpublish`)
  await page.getByText('This page is no longer available').waitFor()
  await isSound(page, 'a page that was withdrawn')
  await page.getByRole('main').getByRole('link', { name: 'Go to the news' }).click()
  await heading(page, 'News').waitFor()
})

test.run()
