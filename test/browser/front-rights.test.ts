import { assert } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isSound } from './front-world.ts'

let world: FrontWorld
/** Roles, rights and access of a person, and what that person notices in another browser. */
const test = frontSuite('rights', startedWorld => {
  world = startedWorld
})

test('a new role, single rights and a suspension reach the other browser at once', async () => {
  const kim = await world.join('kim', 'manager', 'Kim')
  const theirs = await world.openAs(kim, '/members')
  await theirs.getByRole('link', { name: 'Invite people' }).waitFor()
  const page = await world.openAs(world.admin, `/members/${kim.memberId}`)
  await page.getByText('Online', { exact: true }).first().waitFor()
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  // Both lines disappear after a few seconds.
  const notice = theirs.getByText('Your permissions have changed.').waitFor()
  await page.getByRole('button', { name: 'Change role' }).click()
  await Promise.all([page.getByText('The role was changed.').waitFor(), notice])
  await theirs.getByRole('link', { name: 'Invite people' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change permissions' }).click()
  await page.getByRole('dialog').getByLabel('Invite people').check()
  await isSound(page, 'single rights')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Granted directly' }).waitFor()
  await theirs.getByRole('link', { name: 'Invite people' }).waitFor()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await theirs.getByText('Your access is suspended').waitFor()
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await theirs.getByRole('navigation', { name: 'Main' }).waitFor()
  await isSound(page, 'a person')
})

test('what somebody is writing stays when their rights change', async () => {
  const lou = await world.join('lou', 'manager', 'Lou')
  const id = await world.writePage('Parking', { status: 'published' })
  const page = await world.openAs(lou, `/pages/${id}`)
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  await comment.fill('Where can guests')
  const path = `/workspaces/${world.workspaceId}/update-member/${lou.memberId}`
  await world.ask('member', 'PATCH', path, { token: world.admin.token, body: { workspaceRole: 'member' } })
  await page.getByText('Your permissions have changed.').waitFor()
  assert.is(await comment.inputValue(), 'Where can guests')
})

test('refusals are told in plain words, and what cannot be undone has to be typed', async () => {
  const lee = await world.join('lee', 'member', 'Lee')
  const boss = await world.join('boss', 'manager', 'Bea')
  const manager = await world.openAs(boss, `/members/${lee.memberId}`)
  await manager.getByRole('button', { name: 'Suspend' }).click()
  await manager.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await manager.getByRole('alert').filter({ hasText: 'only people who report to you' }).waitFor()
  await isSound(manager, 'a refusal')
  const page = await world.openAs(world.admin, `/members/${world.admin.memberId}`)
  await page.getByLabel('Role', { exact: true }).selectOption('member')
  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('alert').filter({ hasText: 'the last administrator' }).waitFor()
  await page.goto(`${world.platform.frontUrl}/members/${lee.memberId}`)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export personal data' }).click()
  assert.is((await saved).suggestedFilename(), `${lee.memberId}.json`)
  await page.getByRole('button', { name: 'Erase personal data' }).click()
  const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase personal data' })
  assert.ok(await erase.isDisabled())
  await isSound(page, 'erasure')
  await page.getByLabel(/Type “/).fill(lee.email)
  await erase.click()
  await page.getByText('The personal data was erased.').waitFor()
  await heading(page, 'People').waitFor()
  assert.is(await page.getByRole('link', { name: 'Lee Martin' }).count(), 0)
})

test.run()
