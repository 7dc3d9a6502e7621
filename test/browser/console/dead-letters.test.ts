import { call } from '../../../cli/tour/client.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { type ConsoleSite, lettersOf, looksRight, publishPoison, startConsole } from './site.ts'

/** Dead letters and events in the operator's console, over a whole platform. */
const test = browserSuite('dead letters in the console')

let site: ConsoleSite
test.before(async () => {
  site = await startConsole()
  for (const type of ['spa.noted', 'spa.noted', 'bar.noted']) await publishPoison(site, type)
  await publishPoison(site, 'page.created', 'no json')
  await lettersOf(site, 4)
  await site.enter()
  await site.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await site.open('dead-letters')
})
test.after(() => site?.end())

const list = () => site.main().getByRole('region', { name: 'Dead letters' })
const rows = () => list().locator('tbody tr')
const filter = async (name: string, text: string) => {
  await site.main().getByLabel(name, { exact: true }).fill(text)
  await site.page.keyboard.press('Enter')
}
const dialog = (name: string | RegExp) => site.page.getByRole('dialog', { name })
const comes = (count: number) => eventually(async () => (await rows().count()) === count)

test('a filter finds what the column shows by a part of it, unreadable messages by their key', async () => {
  await comes(4)
  await filter('Type', 'PLATFORM.notification')
  await comes(1)
  assert.match(await rows().innerText(), 'platform.notification.page.created')
  await filter('Type', 'noted')
  await comes(3)
  await filter('Reason', 'spa_')
  await comes(2)
  assert.match(site.page.url(), 'type=noted&reason=spa_')
  await filter('Type', '')
  await filter('Reason', '')
  await filter('Consumer', 'nobody')
  await site.main().getByText('Nothing matches the filter.').waitFor()
  await filter('Consumer', '')
  await comes(4)
})

test('an answer that is late doesn’t replace the one to a later filter, and selecting text opens nothing', async () => {
  const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = /dead-letters\?.*type=noted/
  await site.page.route(slow, async route => {
    arrival.resolve()
    await release.promise
    await route.continue()
  })
  const lateAnswer = site.page.waitForResponse(slow)
  await filter('Type', 'noted')
  await arrival.promise
  await filter('Type', 'PLATFORM.notification')
  release.resolve()
  await (await lateAnswer).finished()
  await site.page.evaluate('new Promise(requestAnimationFrame)')
  await comes(1)
  await site.page.unroute(slow)
  await filter('Type', '')
  await comes(4)
  await site.page.evaluate(`{
    const cell = document.querySelector('main tbody td:nth-child(2)')
    getSelection().selectAllChildren(cell)
    cell.click()
    getSelection().removeAllRanges()
  }`)
  assert.is(await site.page.locator('dialog').count(), 0)
})

test('several are selected and redriven, and those that fail again are told with both numbers', async () => {
  const before = await lettersOf(site, 4)
  const spas = before.filter(({ type }) => type === 'spa.noted').map(({ id }) => id)
  for (const id of spas)
    await list()
      .locator('tr', { hasText: `#${id}` })
      .getByRole('checkbox')
      .check()
  await site.main().getByText('2 selected').waitFor()
  await looksRight(site, 'dead-letters-selected')
  await site.main().getByRole('button', { name: 'Redrive selected' }).click()
  await dialog('Redrive 2 dead letters?').getByRole('button', { name: 'Redrive' }).click()
  await site.page.getByText('2 redriven dead letters failed again.').waitFor()
  await site.main().getByText('2 failed again', { exact: true }).waitFor()
  const after = await lettersOf(site, 4)
  const repeatedLetters = after.filter(({ redrivenFrom }) => redrivenFrom)
  assert.equal(repeatedLetters.map(({ redrivenFrom }) => redrivenFrom).toSorted(), spas.toSorted())
  const [one] = repeatedLetters
  await list().getByText(`#${one?.id}, redriven from #${one?.redrivenFrom}`).waitFor()
  await site
    .main()
    .getByRole('list', { name: 'Redrives' })
    .getByRole('link', { name: `#${one?.id}` })
    .click()
  await dialog('spa.noted').getByText(`#${one?.redrivenFrom}`, { exact: true }).waitFor()
  await dialog('spa.noted').getByRole('button', { name: 'Close' }).click()
  await looksRight(site, 'dead-letters-outcomes')
})

test('grouped by reason they are counted, and all of one reason are redriven', async () => {
  await site.main().getByRole('button', { name: 'By reason' }).click()
  const reasons = site.main().getByRole('region', { name: 'Reasons' })
  await reasons.getByRole('button', { name: 'Template not found: spa_noted', exact: true }).waitFor()
  assert.is(await reasons.locator('tbody tr').count(), 3)
  await looksRight(site, 'dead-letters-reasons')
  const letters = await lettersOf(site, 4)
  await reasons.getByRole('button', { name: 'Redrive all 1: the body is not JSON' }).click()
  await dialog('Redrive 1 dead letter?').getByText('“the body is not JSON”').waitFor()
  await dialog('Redrive 1 dead letter?').getByRole('button', { name: 'Redrive' }).click()
  const unread = letters.find(({ type }) => !type)?.id
  await site.page.getByText(new RegExp(`^Dead letter ${unread} failed again, as number \\d+\\.$`)).waitFor()
  await reasons.getByRole('button', { name: 'Template not found: bar_noted', exact: true }).click()
  await comes(1)
  assert.is(await site.main().getByLabel('Reason', { exact: true }).inputValue(), 'Template not found: bar_noted')
  assert.match(await rows().innerText(), 'bar.noted')
})

test('a processed message is told apart from one that failed again', async () => {
  await site.open('dead-letters?reason=bar_noted')
  await comes(1)
  const db = await connectDatabase(site.platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
  await db.query(
    "insert into templates (id, slug, language, type, category, title, body, variables) values ('aaaaaaaaaaaaaaaaaaaaaaaa', 'bar_noted', 'fr', 'bar', 'noted', 'B', 'B', '[]')",
  )
  await db.end()
  await rows().getByRole('button', { name: 'Redrive' }).click()
  await dialog('Redrive this message?').getByRole('button', { name: 'Redrive' }).click()
  await site.page.getByText(/^Dead letter \d+ was processed\.$/).waitFor()
  await site.main().getByText('1 processed', { exact: true }).waitFor()
})

test('while the connection is lost it is told where people look, and nothing is changed', async () => {
  await site.open('dead-letters')
  await comes(3)
  const letters = await lettersOf(site, 3)
  await site.page.setViewportSize({ width: 1_440, height: 420 })
  await site.page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await site.context.setOffline(true)
  const alert = site.page.getByRole('alert').getByText('The platform is not responding.')
  await alert.waitFor()
  const box = await alert.boundingBox()
  assert.ok(box && box.y >= 0 && box.y < 420, `in sight at ${box?.y}`)
  await site.page.getByText(/^This page shows \d\d:\d\d:\d\d UTC\. Actions are off/).waitFor()
  const discard = rows().first().getByRole('button', { name: 'Discard' })
  assert.is(await discard.getAttribute('aria-disabled'), 'true')
  await looksRight(site, 'connection-lost')
  // A note may lie above the button.
  await discard.focus()
  await site.page.keyboard.press('Enter')
  await site.page.getByText('Not connected: nothing was changed.').waitFor()
  assert.is(await site.page.locator('dialog').count(), 0)
  await site.context.setOffline(false)
  await alert.waitFor({ state: 'detached' })
  assert.is(await discard.getAttribute('aria-disabled'), 'false')
  assert.equal(await lettersOf(site, 3), letters)
})

test('several are discarded at once', async () => {
  await comes(3)
  await list().getByLabel('Select all').check()
  await site.main().getByRole('button', { name: 'Discard selected' }).click()
  await dialog('Discard 3 dead letters?').getByRole('button', { name: 'Discard' }).click()
  await site.page.getByText('3 dead letters discarded.').waitFor()
  await site.main().getByText('All messages were processed.').waitFor()
  await lettersOf(site, 0)
})

test('events of a type are found among all stored ones, not only the loaded', async () => {
  const { urls } = site.platform
  const token = await site.rootToken()
  // More events than the page loads at first.
  for (let index = 0; index < 60; index++)
    await site.bus.publish('platform.test.console.filler', '{}', { id: `filler-${index}` })
  await site.open('events')
  const events = site.main().getByRole('region', { name: 'Events' })
  await site
    .main()
    .getByText(/^50 loaded/)
    .waitFor()
  assert.is(await events.getByText('bar.noted').count(), 0)
  await filter('Type', 'BAR.not')
  await events.getByText('bar.noted').first().waitFor()
  assert.is(await events.locator('tbody tr').count(), 2, 'the message, and its redrive')
  await site
    .main()
    .getByText(/^2 matching among the latest [\d,]+ of [\d,]+ on the bus/)
    .waitFor()
  await looksRight(site, 'events')
  await filter('Type', 'nowhere')
  await site.main().getByText('None among all stored events.').waitFor()
  await filter('Type', '')
  const { body } = await call(urls, 'auth', 'GET', '/users/me', { token })
  await filter('Id', String(body['id']))
  await site
    .main()
    .getByText(/matching|No matching events/)
    .first()
    .waitFor()
  assert.equal(site.problems, [])
})

test.run()
