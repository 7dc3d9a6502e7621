import type { Page } from 'playwright-core'
import { invitationToken } from '../../cli/tour/client.ts'
import { addressOf, createHotel } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontPerson, type FrontWorld, frontSuite, heading, isSound } from './front-world.ts'

let world: FrontWorld
let bo: FrontPerson
let annexe: string
/** Somebody in two workspaces. */
const test = frontSuite('two workspaces', async startedWorld => {
  world = startedWorld
  bo = await world.join('bo', 'member', 'Bo')
  const { token } = world.admin
  const { ecosystemId } = world
  const workspace = await world.ask('member', 'POST', '/workspaces', { token, body: { name: 'Annexe', ecosystemId } })
  annexe = String(workspace['id'])
  await world.ask('member', 'POST', `/workspaces/${annexe}/add-member`, { token, body: { memberId: bo.memberId } })
})

const publish = async (title: string, workspaceId: string): Promise<string> => {
  const body = { title, content: { blocks: [] }, workspaceId, status: 'published' }
  return String((await world.ask('news', 'POST', '/api/v1/pages', { token: world.admin.token, body }))['id'])
}
const shownIn = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name }).waitFor()

test('links to a person, a text and a hotel of another workspace enter that workspace', async () => {
  const { token } = world.admin
  const ask = (path: string, body: object) => world.ask('member', 'POST', path, { token, body })
  const body = { firstName: 'Lea', lastName: 'Roux', email: addressOf(world.tour, 'lea'), workspaceId: annexe }
  const lea = await ask('/members', { ...body, workspaceRole: 'member' })
  const text = await publish('Cellar', annexe)
  const newest = () => invitationToken(world.platform.sandboxUrl, bo.email)
  const before = await newest()
  const hotelFields = { email: addressOf(world.tour, 'lake'), type: 'lake' }
  const lake = await createHotel(world.tour, 'Hôtel du Lac', bo.email, hotelFields)
  await eventually(async () => (await newest()) !== before)
  await world.ask('member', 'POST', `/onboarding/accept/${await newest()}`, { token: bo.token, body: {} })
  const page = await world.openAs(bo)
  const comes = async (path: string, title: string, to: string) => {
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Hôtel du Phare' })
    await shownIn(page, 'Hôtel du Phare')
    await page.goto(world.platform.frontUrl + path)
    await heading(page, title).waitFor()
    await shownIn(page, to)
  }
  await comes(`/members/${lea['id']}`, 'Lea Roux', 'Annexe')
  await comes(`/write/${text}`, 'Cellar', 'Annexe')
  await comes(`/hotels/${lake['id']}`, 'Hotel', 'Hôtel du Lac')
})

test('choosing the other workspace on a page leads to its news', async () => {
  await publish('Lobby', world.workspaceId)
  const pageId = await publish('Roof', annexe)
  const page = await world.openAs(bo, `/pages/${pageId}`)
  await heading(page, 'Roof').waitFor()
  await shownIn(page, 'Annexe')
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Hôtel du Phare' })
  await shownIn(page, 'Hôtel du Phare')
  await page.getByRole('article').getByRole('link', { name: 'Lobby' }).waitFor()
  assert.is(await page.getByRole('article').getByRole('link', { name: 'Roof' }).count(), 0)
})

test('the news count what is published in their workspace alone, also while another one rests', async () => {
  const { token } = world.admin
  const rest = (isActive: boolean) =>
    world.ask('member', 'PATCH', `/workspaces/update/${annexe}`, { token, body: { isActive } })
  await rest(false)
  const page = await world.openAs(bo)
  await shownIn(page, 'Hôtel du Phare')
  await page.getByRole('article').first().waitFor()
  const fresh = page.getByRole('button', { name: '1 new page' })
  await publish('Pool', world.workspaceId)
  await fresh.waitFor()
  await rest(true)
  await page.reload()
  await page.getByRole('article').getByRole('link', { name: 'Pool' }).waitFor()
  const gym = await publish('Gym', world.workspaceId)
  await fresh.waitFor()
  await publish('Attic', annexe)
  await world.news('DELETE', `/api/v1/pages/${gym}`)
  await page.getByRole('button', { name: /new page/ }).waitFor({ state: 'detached' })
})

test('a workspace that comes to rest is left on a page that was opened from its news', async () => {
  const page = await world.openAs(bo)
  await shownIn(page, 'Hôtel du Phare')
  await page.getByRole('article').first().waitFor()
  await page.getByRole('link', { name: 'Your account' }).click()
  await heading(page, 'Your account').waitFor()
  const rest = (isActive: boolean) =>
    world.ask('member', 'PATCH', `/workspaces/update/${world.workspaceId}`, {
      token: world.admin.token,
      body: { isActive },
    })
  await rest(false)
  await page.getByRole('banner').getByRole('link', { name: 'Hôtel du Phare' }).waitFor({ state: 'detached' })
  await rest(true)
})

/** The path of an invitation into the annexe for somebody who has an account. */
async function invitationFor({ email }: { email: string }, firstName = 'Cy'): Promise<string> {
  const body = { email, firstName, lastName: 'Martin', workspaceId: annexe, workspaceRole: 'member' }
  const before = await invitationToken(world.platform.sandboxUrl, email)
  await world.ask('member', 'POST', '/onboarding/invite', { token: world.admin.token, body })
  const newest = async () => {
    const token = await invitationToken(world.platform.sandboxUrl, email)
    return token === before ? undefined : token
  }
  return `/invitation?token=${await eventually(newest)}`
}
const accept = (page: Page) => page.getByRole('button', { name: /Accept the invitation|Accepter l’invitation/ }).click()

test('a signed-in person accepts an invitation with one click and enters its workspace', async () => {
  const cy = await world.join('cy', 'member', 'Cy')
  const page = await world.openAs(cy)
  await page.goto(world.platform.frontUrl + (await invitationFor(cy)))
  await page.getByText(`You are signed in as ${cy.email}`).waitFor()
  assert.is(await page.getByLabel('New password').count(), 0)
  await isSound(page, 'invitation of a signed-in person')
  await accept(page)
  await heading(page, 'News').waitFor()
  await shownIn(page, 'Annexe')
})

test('somebody with an account is led to the sign-in and back to the invitation', async () => {
  const di = await world.join('di', 'member', 'Di')
  const page = await world.visit(await invitationFor(di))
  await page.getByLabel('New password').fill('another long password 8')
  await accept(page)
  await page.getByRole('alert').filter({ hasText: 'already has an account' }).waitFor()
  await page.getByRole('link', { name: 'Already have an account? Sign in' }).click()
  await heading(page, 'Sign in').waitFor()
  await world.sendForm(page, di)
  await heading(page, 'Welcome to the team').waitFor()
  await accept(page)
  await shownIn(page, 'Annexe')
})

test('an invitation for another address says so, and lets the person change the account', async () => {
  const [ed, flo] = [await world.join('ed'), await world.join('flo', 'member', 'Flo')]
  const page = await world.openAs(ed)
  await page.goto(world.platform.frontUrl + (await invitationFor(flo)))
  await accept(page)
  await page.getByRole('alert').filter({ hasText: 'another e-mail address' }).waitFor()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await world.sendForm(page, flo)
  await accept(page)
  await shownIn(page, 'Annexe')
})

test.run()
