import type { Page } from 'playwright-core'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound } from './front-world.ts'

let world: FrontWorld
/** Teams, departments and roles in the web client. */
const test = frontSuite('teams, departments, roles', startedWorld => {
  world = startedWorld
})

/** Picks somebody in a field that finds people by name, with the keyboard alone. */
async function pick(page: Page, label: string, typed: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(typed)
  await page.getByRole('option', { name: new RegExp(typed) }).waitFor()
  await field.press('Enter')
}

test('a team is made, gets people and a leader, and is deleted', async () => {
  const ivo = await world.join('ivo', 'member', 'Ivo')
  const page = await world.openAs(world.admin, '/members/teams')
  await page.getByText('No teams yet').waitFor()
  await page.getByRole('button', { name: 'New team' }).click()
  await page.getByLabel('Name').fill('Night shift <script>alert(1)</script>')
  await page.getByRole('button', { name: 'Save' }).click()
  const opener = page.getByRole('button', { name: /^Night shift/ })
  await opener.click()
  await pick(page, 'Add a person', 'Ivo')
  await page.getByRole('link', { name: 'Ivo Martin' }).waitFor()
  await page.getByRole('button', { name: 'Make leader' }).click()
  await page.getByText('Leader', { exact: true }).waitFor()
  await isSound(page, 'teams')
  const theirs = await world.openAs(ivo, '/members/teams')
  await theirs.getByRole('button', { name: /^Night shift/ }).click()
  await theirs.getByText('Leader', { exact: true }).waitFor()
  assert.is(await theirs.getByRole('button', { name: /Edit|Delete|New team|Remove/ }).count(), 0)
  await page.getByRole('button', { name: 'Remove Ivo Martin' }).click()
  await page.getByText('Nobody yet.').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No teams yet').waitFor()
})

test('the tree of departments is walked, opened and changed with the keyboard alone', async () => {
  const { token } = world.admin
  const make = async (name: string, parentId?: string) =>
    String(
      (
        await world.ask('member', 'POST', '/departments', {
          token,
          body: { workspaceId: world.workspaceId, name, parentId },
        })
      )['id'],
    )
  const rooms = await make('Rooms')
  await make('Reception', rooms)
  await make('Housekeeping', rooms)
  await make('Kitchen')
  const page = await world.openAs(world.admin, '/members/departments')
  const tree = page.getByRole('tree', { name: 'Departments' })
  await tree.waitFor()
  await isSound(page, 'departments')
  const focused = () =>
    page.evaluate<string>(`document.activeElement.querySelector('.tree-name bdi')?.textContent ?? ''`)
  const press = async (key: string, name: string) => {
    await page.keyboard.press(key)
    assert.ok(
      await eventually(async () => (await focused()) === name),
      `${key} leads to ${name}, not ${await focused()}`,
    )
  }
  await page.getByRole('treeitem', { name: 'Kitchen' }).focus()
  await press('End', 'Reception')
  await press('ArrowLeft', 'Rooms')
  await press('ArrowRight', 'Housekeeping')
  await press('ArrowDown', 'Reception')
  await press('ArrowDown', 'Reception')
  await press('ArrowLeft', 'Rooms')
  await press('ArrowLeft', 'Rooms')
  await page.getByRole('treeitem', { name: 'Rooms', expanded: false }).waitFor()
  assert.is(await page.getByRole('treeitem', { name: 'Reception' }).count(), 0)
  await press('ArrowRight', 'Rooms')
  await press('k', 'Kitchen')
  await press('r', 'Rooms')
  await press('Home', 'Kitchen')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Kitchen' }).waitFor()
  // Moves it below Rooms, renames it and gives it a manager.
  await page.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('Pastry')
  await page.getByLabel('Part of').selectOption({ label: 'Rooms' })
  await pick(page, 'Manager', 'Ada')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: /Pastry.*Ada/ }).waitFor()
  assert.is(await page.getByRole('treeitem', { name: 'Pastry' }).getAttribute('aria-level'), '2')
  await isSound(page, 'a department')
  await page.getByRole('treeitem', { name: 'Rooms' }).focus()
  await page.keyboard.press(' ')
  await page.getByRole('heading', { name: 'Rooms' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('treeitem', { name: 'Rooms' }).waitFor({ state: 'detached' })
  assert.is(await page.getByRole('treeitem', { name: 'Pastry' }).getAttribute('aria-level'), '1')
})

test('a role of the hotel is made, given and kept while somebody has it', async () => {
  const uma = await world.join('uma', 'member', 'Uma')
  const page = await world.openAs(world.admin, '/members/roles')
  await page.getByRole('heading', { name: /Administrator/ }).waitFor()
  await isSound(page, 'roles')
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('Writers')
  await page.getByLabel('Write pages').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The role was saved.').waitFor()
  await page.goto(`${world.platform.frontUrl}/members/${uma.memberId}`)
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Writers' })
  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('The role was changed.').waitFor()
  await page.goto(`${world.platform.frontUrl}/members/roles`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').filter({ hasText: 'Somebody still has this role' }).waitFor()
})

test.run()
