import { assert } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isSound, wide } from '../front-world.ts'
import { idIn, publishPage, waitForToast, waitUntilSaved } from './steps.ts'

let world: FrontWorld
/** Lists, figures and templates of pages, as editors use them. */
const test = frontSuite('lists, figures and templates', startedWorld => {
  world = startedWorld
})

test('the figures of a page show views, comments and who must still read it, and remind them', async () => {
  const reader = await world.join('rosa', 'member', 'Rosa')
  const pageId = await publishPage(world, 'Fire drill', 'On Thursday at ten.')
  await world.news('PUT', `/api/v1/must-read/${pageId}`, { dueAt: '2031-01-01T10:00:00Z' })
  await world.news('GET', `/api/v1/pages/${pageId}`, undefined, reader.token)
  await world.news('POST', '/api/v1/comments', { pageId, content: 'Where?' }, reader.token)
  await world.news('POST', '/api/v1/likes', { pageId, reactionType: 'wow' }, reader.token)
  const page = await world.openAs(world.admin, `/write/${pageId}/figures`, wide)
  await heading(page, 'Statistics · Fire drill').waitFor()
  const comments = page.locator('figure').filter({ hasText: 'Comments by day' })
  await comments.getByText('Show as a table').click()
  const today = comments.getByRole('row').last()
  assert.match(await today.innerText(), /\s1$/)
  await page.getByRole('listitem').filter({ hasText: 'Wow' }).waitFor()
  // In the evening of America, the hotel's day is already the next one.
  await page.clock.setFixedTime(Date.now() - 86_400_000)
  await page.reload()
  const views = page.locator('figure').filter({ hasText: 'Views by day' })
  await views.getByText('Show as a table').click()
  assert.match(await views.getByRole('row').last().innerText(), /\s1$/)
  const readers = page.locator('section', { has: page.getByRole('heading', { name: 'Must read' }) })
  await readers.getByText('Rosa Martin').waitFor()
  await world.ask('notification', 'POST', '/api/v1/preferences/do-not-disturb', {
    token: reader.token,
    body: { duration: 3_600 },
  })
  await isSound(page, 'figures')
  await readers.getByRole('button', { name: 'Remind them' }).click()
  await waitForToast(page, 'Reminded now: 0. When their quiet hours end: 1.')
  await readers.getByRole('button', { name: 'Remind them' }).click()
  await readers.getByText('within the last hour').waitFor()
  await world.news('POST', `/api/v1/must-read/${pageId}/acknowledge`, {}, reader.token)
  await readers.getByRole('button', { name: 'Read', exact: true }).click()
  await readers.getByText(/^Confirmed/).waitFor()
  const download = page.waitForEvent('download')
  await readers.getByRole('button', { name: 'Download CSV' }).click()
  assert.is((await download).suggestedFilename(), 'readers-fire-drill.csv')
  await waitForToast(page, 'hotel’s time zone')
})

test('pages are searched and filtered, in French too, and what a role doesn’t allow is not shown', async () => {
  const author = await world.join('lea', 'member', 'Léa')
  await world.ask('member', 'PATCH', `/workspaces/${world.workspaceId}/update-member/${author.memberId}`, {
    token: world.admin.token,
    body: { permissions: ['create_content'] },
  })
  await publishPage(world, 'Sauna hours', 'From noon.')
  const page = await world.openAs(author, '/write', wide)
  await page.evaluate(`localStorage['front.language'] = 'fr'`)
  await page.reload()
  await heading(page, 'Rédiger').waitFor()
  await page.getByText('Rien ici pour l’instant').waitFor()
  assert.is(await page.getByRole('link', { name: 'Corbeille' }).count(), 0)
  await page.getByRole('link', { name: 'Publiées' }).click()
  await page.getByLabel('Rechercher', { exact: true }).fill('SAUNA')
  await page.getByText('1 page', { exact: true }).waitFor()
  await isSound(page, 'list')
  await page.getByRole('link', { name: 'Sauna hours' }).click()
  await page.getByText('Vous pouvez lire cette page ici, mais pas la modifier.').waitFor()
  await page.getByRole('link', { name: 'Toutes les pages' }).click()
  await page.getByRole('button', { name: 'Nouvelle page' }).click()
  await page.getByLabel('Titre').first().fill('Idée de Léa')
  await page.getByRole('status').getByText('Enregistré', { exact: true }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Publier' }).count(), 0)
  assert.equal(await page.getByLabel('Type de page').locator('option').allInnerTexts(), [
    'Article',
    'Brève',
    'Événement',
  ])
})

test('a page becomes a template, a template a page, and the template is deleted', async () => {
  const id = await publishPage(world, 'Weekly menu', 'Starters, mains, desserts.')
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save as a template' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save the template' }).click()
  await waitForToast(page, 'The template was saved.')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('button', { name: 'From a template' }).click()
  await page.getByRole('button', { name: 'Use the template “Weekly menu”' }).waitFor()
  await isSound(page, 'templates')
  await page.getByRole('button', { name: 'Use the template “Weekly menu”' }).click()
  await page.getByRole('group', { name: 'Content' }).getByText('Starters, mains, desserts.').waitFor()
  assert.is.not(idIn(page), id)
  await page.getByLabel('Title').fill('Menu of week 30')
  await waitUntilSaved(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Delete the template “Weekly menu”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No templates yet').waitFor()
})

test.run()
