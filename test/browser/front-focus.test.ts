import type { Locator, Page } from 'playwright-core'
import { addressOf } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isFocused, tabTo, wide } from './front-world.ts'

let world: FrontWorld
/** Where the focus goes once its element is gone, and when another page is shown. */
const test = frontSuite('focus', startedWorld => {
  world = startedWorld
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

test.run()
