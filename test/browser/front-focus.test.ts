import type { Locator, Page } from 'playwright-core'
import { addressOf } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { frontSuite, heading, isFocused, tabTo, type World, wide } from './front-world.ts'
import { saved } from './writing/steps.ts'

let world: World
/** Where the focus goes once its element is gone, and when another page is shown. */
const test = frontSuite('focus', started => {
  world = started
})

/** Deletes something by keyboard, with its button and that of the dialog. The focus must go to the heading. */
async function removeByKeyboard(page: Page, opener: Locator, confirm: string, title: string): Promise<void> {
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await opener.waitFor({ state: 'detached' })
  assert.ok(await eventually(() => isFocused(heading(page, title))), `the focus is on “${title}”`)
}

test('the heading has the focus after something is deleted by keyboard', async () => {
  const { workspaceId, admin } = world
  const { token } = admin
  const content = { blocks: [] }
  await world.news('POST', '/api/v1/templates', { name: 'Weekly menu', pageType: 'article', content, workspaceId })
  const id = await world.writePage('Lost umbrella', { status: 'published' })
  await world.news('POST', '/api/v1/comments', { pageId: id, content: 'Is it blue?' })
  await world.ask('member', 'POST', '/teams', { token, body: { name: 'Night shift', workspaceId } })
  const email = addressOf(world.tour, 'otto')
  const body = { email, firstName: 'Otto', lastName: 'Lang', workspaceId, workspaceRole: 'member' }
  await world.ask('member', 'POST', '/onboarding/invite', { token, body })
  const page = await world.openAs(admin, '/write/templates', wide)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const open = (path: string) => page.goto(world.platform.frontUrl + path)
  await removeByKeyboard(page, button('Delete the template “Weekly menu”'), 'Delete', 'Templates')
  await open(`/pages/${id}`)
  const comment = page.getByRole('article', { name: 'Ada Chef' })
  await removeByKeyboard(page, comment.getByRole('button', { name: 'Delete' }), 'Delete', 'Lost umbrella')
  await open('/members/teams')
  await page.getByRole('button', { name: /^Night shift/ }).press('Enter')
  await removeByKeyboard(page, button('Delete'), 'Delete', 'Teams')
  await open('/members/invitations')
  await removeByKeyboard(page, button(`Withdraw: ${email}`), 'Withdraw', 'Invitations')
})

test('the link to the content moves the focus there and stays on the page', async () => {
  const page = await world.openAs(world.admin, '/account')
  await heading(page, 'Your account').waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Enter')
  assert.ok(await isFocused(page.getByRole('main')))
  await heading(page, 'Your account').waitFor()
  assert.match(page.url(), /\/account$/)
})

test('a choice made as soon as a menu opens returns the focus to its button after the dialog', async () => {
  const id = await world.writePage('Fire drill', { status: 'published' })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  const more = page.getByRole('button', { name: 'More' })
  await more.focus()
  await page.evaluate(`(async () => {
    const found = () => [...document.querySelectorAll('[role=menuitem]')].at(-1)
    document.activeElement.click()
    // Microtasks run before the browser shows anything.
    for (let turn = 0; turn < 100 && !found(); turn++) await Promise.resolve()
    found().focus()
    found().click()
  })()`)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.ok(await isFocused(more), 'the focus is back on the menu')
})

test('a page that changes later leaves the focus to the element that was chosen, and listeners don’t pile up', async () => {
  const page = await world.openAs(world.admin, '/', wide)
  const cdp = await page.context().newCDPSession(page)
  const listeners = async () => {
    const { result } = await cdp.send('Runtime.evaluate', { expression: 'window' })
    const { listeners } = await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
    return listeners.filter(({ type }) => type === 'keydown').length
  }
  const before = await listeners()
  // As screen readers do, which send no keys and no pointers.
  const activate = (target: Locator) => target.evaluate(one => (one as unknown as { click(): void }).click())
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  for (const name of ['People', 'Write', 'Hotel', 'Write']) {
    await activate(link(name))
    assert.ok(await eventually(() => isFocused(heading(page, name))), `the focus on ${name}`)
  }
  await link('People').focus()
  await page.evaluate(`(async () => {
    document.querySelector('main').append(document.createElement('p'))
    await new Promise(resolve => setTimeout(resolve))
  })()`)
  assert.ok(await isFocused(link('People')), 'the focus stays in the header')
  assert.is(await listeners(), before)
})

test('a page that was created and is opened again takes the focus', async () => {
  const page = await world.openAs(world.admin, '/write/new', wide)
  await page.getByLabel('Title').fill('Opening hours')
  await saved(page)
  assert.ok(await isFocused(page.getByLabel('Title')), 'the focus stays while the page gets its address')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Opening hours', exact: true }).click()
  assert.ok(await eventually(() => isFocused(heading(page, 'Opening hours'))), 'the focus is on the heading')
})

test.run()
