import type { Page } from 'playwright-core'
import { addressOf, takeUpInvitation } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, wide } from './front-world.ts'

let world: FrontWorld
/** The switches of the web client that no test of a screen flips. */
const test = frontSuite('switches', startedWorld => {
  world = startedWorld
})

type Flip = {
  label: string
  /** How the switch is before. */
  isOn: boolean
  /** Saves a form. */
  save?: () => Promise<unknown>
  /** Whether what the switch says is so. */
  observe: () => Promise<boolean>
}

/** Flips a switch and waits until what it says is so; then flips it back. */
async function flip(page: Page, { label, isOn, save, observe }: Flip) {
  const box = page.getByLabel(label, { exact: true })
  for (const state of [!isOn, isOn]) {
    await box.click()
    await eventually(async () => (await box.isChecked()) === state)
    await save?.()
    assert.ok(await eventually(async () => (await observe()) === state), `${label}: ${state}`)
  }
}

test('comments, reactions and pushes of a page are switched off and on while it is written', async () => {
  const id = await world.writePage('Menu of the week', { status: 'published' })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  const reader = await world.openAs(await world.join('rosa'), `/pages/${id}`, wide)
  const save = () => page.getByRole('button', { name: 'Update' }).click()
  /** Whether the reader has a control. */
  const shows = async (name: string): Promise<boolean> => {
    await reader.reload()
    await reader.getByRole('button', { name: 'Bookmark' }).waitFor()
    return (await reader.getByLabel(name).count()) > 0
  }
  await flip(page, { label: 'Comments', isOn: true, save, observe: () => shows('Write a comment…') })
  await flip(page, { label: 'Reactions', isOn: true, save, observe: () => shows('Like') })
  const isPushed = async () => (await world.news('GET', `/api/v1/pages/${id}`))['enableNotifications'] === true
  await flip(page, { label: 'Push notifications', isOn: true, save, observe: isPushed })
})

test('favourites, bookmarks and followed pages are listed', async () => {
  const id = await world.writePage('Staff canteen', { status: 'published' })
  const page = await world.openAs(world.admin, `/pages/${id}`, wide)
  const choices = { 'Follow comments': 'isFollowing', Bookmark: 'isBookmarked', Favourite: 'isFavorite' }
  for (const [name, field] of Object.entries(choices)) {
    const toggle = page.getByRole('button', { name })
    for (const isOn of [true, false]) {
      await toggle.click()
      await page.locator(`[aria-pressed=${isOn}]`).and(toggle).waitFor()
      const { data } = await world.news('GET', `/api/v1/page-preferences?${field}=true`)
      assert.is((data as unknown[]).length, isOn ? 1 : 0, name)
    }
  }
})

test('somebody who hides is online for nobody', async () => {
  const ines = await world.join('ines', 'member', 'Ines')
  const list = await world.openAs(world.admin, '/members', wide)
  const row = list.getByRole('listitem').filter({ hasText: 'Ines' })
  await row.waitFor()
  const page = await world.openAs(ines, '/account', wide)
  await row.getByText('Online', { exact: true }).waitFor({ state: 'attached' })
  const label = 'Don’t show my colleagues when I’m online'
  const isHidden = async () => (await row.getByText('Online', { exact: true }).count()) === 0
  await flip(page, { label, isOn: false, observe: isHidden })
})

test('the hotel switches its pushes and mails off and on', async () => {
  const page = await world.openAs(world.admin, '/hotel/settings', wide)
  const { data } = await world.ask('hotel', 'GET', '/setting/get/all', { token: world.admin.token })
  const [setting] = data as { id: string }[]
  for (const [label, field] of [
    ['Send push notifications', 'enable_push'],
    ['Send notifications by e-mail', 'enable_email'],
  ] as const) {
    const isOn = await page.getByLabel(label).isChecked()
    const save = () => page.getByRole('button', { name: 'Save' }).click()
    const path = `/setting/get/${setting?.id}`
    const observe = async () => (await world.ask('hotel', 'GET', path, { token: world.admin.token }))[field] === true
    await flip(page, { label, isOn, save, observe })
  }
})

test('a default role is that of who joins without one, and a team chosen for an invitation has its person', async () => {
  const page = await world.openAs(world.admin, '/members/roles', wide)
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('Night shift')
  await page.getByLabel('Default role').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The role was saved.').waitFor()
  const team = { workspaceId: world.workspaceId, name: 'Porters' }
  const { token } = world.admin
  const { id: teamId } = await world.ask('member', 'POST', '/teams', { token, body: team })
  await page.goto(`${world.platform.frontUrl}/members/invite`)
  const email = addressOf(world.tour, 'noor')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('First name').fill('Noor')
  await page.getByLabel('Last name').fill('Martin')
  await page.getByLabel('Porters').check()
  assert.is(await page.getByLabel('Role').locator('option:checked').innerText(), 'Night shift')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText(/is on its way/).waitFor()
  await takeUpInvitation(world.tour, email)
  const { data } = await world.ask('member', 'GET', `/teams/${teamId}/members`, { token })
  assert.is((data as unknown[]).length, 1)
})

test('a password is shown while it is typed', async () => {
  const page = await world.visit('/reset-password?token=x')
  const isShown = async () => (await page.getByLabel('New password').getAttribute('type')) === 'text'
  await flip(page, { label: 'Show the password', isOn: false, observe: isShown })
})

test.run()
