import type { Page } from 'playwright-core'
import { invitationToken } from '../../cli/tour/client.ts'
import { addressOf, createHotel } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { frontSuite, heading, type Person, type World } from './front-world.ts'

let world: World
let bo: Person
let annexe: string
/** Somebody in two workspaces. */
const test = frontSuite('two workspaces', async started => {
  world = started
  bo = await world.join('bo', 'member', 'Bo')
  const { token } = world.admin
  const { ecosystemId } = world
  const made = await world.ask('member', 'POST', '/workspaces', { token, body: { name: 'Annexe', ecosystemId } })
  annexe = String(made['id'])
  await world.ask('member', 'POST', `/workspaces/${annexe}/add-member`, { token, body: { memberId: bo.memberId } })
})

const publish = async (title: string, workspaceId: string): Promise<string> => {
  const body = { title, content: { blocks: [] }, workspaceId, status: 'published' }
  return String((await world.ask('news', 'POST', '/api/v1/pages', { token: world.admin.token, body }))['id'])
}
const shownIn = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name }).waitFor()

test('a link to a page of another workspace enters that workspace', async () => {
  const [here, there] = [await publish('Lobby', world.workspaceId), await publish('Boiler', annexe)]
  const page = await world.openAs(bo, `/pages/${here}`)
  await heading(page, 'Lobby').waitFor()
  await shownIn(page, 'Hôtel du Phare')
  await page.goto(`${world.platform.frontUrl}/pages/${there}`)
  await heading(page, 'Boiler').waitFor()
  await shownIn(page, 'Annexe')
  await page.getByText('You are now in “Annexe”.').waitFor()
  await page.getByRole('link', { name: 'News' }).click()
  await page.getByRole('article').getByRole('link', { name: 'Boiler' }).waitFor()
  assert.is(await page.getByRole('article').getByRole('link', { name: 'Lobby' }).count(), 0)
})

test('links to a person, a text and a hotel of another workspace enter that workspace', async () => {
  const { token } = world.admin
  const ask = (path: string, body: object) => world.ask('member', 'POST', path, { token, body })
  const body = { firstName: 'Lea', lastName: 'Roux', email: addressOf(world.tour, 'lea'), workspaceId: annexe }
  const lea = await ask('/members', { ...body, workspaceRole: 'member' })
  const text = await publish('Cellar', annexe)
  const newest = () => invitationToken(world.platform.sandboxUrl, bo.email)
  const before = await newest()
  const own = { email: addressOf(world.tour, 'lake'), type: 'lake' }
  const lake = await createHotel(world.tour, 'Hôtel du Lac', bo.email, own)
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
  const there = await publish('Roof', annexe)
  const page = await world.openAs(bo, `/pages/${there}`)
  await heading(page, 'Roof').waitFor()
  await shownIn(page, 'Annexe')
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Hôtel du Phare' })
  await shownIn(page, 'Hôtel du Phare')
  await page.getByRole('article').getByRole('link', { name: 'Lobby' }).waitFor()
  assert.is(await page.getByRole('article').getByRole('link', { name: 'Roof' }).count(), 0)
})

test.run()
