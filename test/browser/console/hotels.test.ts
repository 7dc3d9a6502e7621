import { call } from '../../../cli/tour/client.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { addHotel, type ConsoleSite, looksRight, startConsole } from './site.ts'

/** Hotels in the operator's console, what still answers when a route fails, and its times. */
const test = browserSuite('hotels in the console')

let site: ConsoleSite
let hotel: Awaited<ReturnType<typeof addHotel>>
const main = () => site.main()
const region = (name: string | RegExp) => main().getByRole('region', { name })

test.before(async () => {
  site = await startConsole()
  hotel = await addHotel(site, 'Le Phare de la Pointe')
  await addHotel(site, 'Le Phare du Port')
  await site.enter()
  await site.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
test.after(() => site?.end())

test('a hotel is searched by a part of its name or its id, and its row opens its page', async () => {
  await site.open('hotels')
  const rows = region('Hotels').locator('tbody tr')
  await eventually(async () => (await rows.count()) >= 2)
  const search = main().getByLabel('Search')
  await search.fill('DE LA POINTE')
  await site.page.keyboard.press('Enter')
  await eventually(async () => (await rows.count()) === 1)
  await search.fill('nowhere')
  await site.page.keyboard.press('Enter')
  await main().getByText('No name contains this text').waitFor()
  await search.fill(hotel.id)
  await site.page.keyboard.press('Enter')
  await rows.getByText(hotel.name, { exact: true }).waitFor()
  await rows.first().locator('td').nth(3).click()
  await site.page.getByRole('heading', { name: hotel.name }).waitFor()
  assert.match(site.page.url(), `#/hotels/${hotel.id}`)
  assert.is(await site.page.title(), `${hotel.name} · Console`)
})

test('its page shows people, subscription, setup with step times, events, notifications, audit', async () => {
  await site.open(`hotels/${hotel.id}`)
  await main().locator('.figure', { hasText: 'Members' }).getByText('1 administrator').waitFor()
  await region('Administrators').getByText(hotel.staff).waitFor()
  await main().locator('.figure', { hasText: 'Subscription' }).getByText('plan premium').waitFor()
  const steps = region(/^Steps of Setup/)
  assert.is(await steps.locator('tbody tr').count(), 9)
  const texts = await steps.locator('tbody tr').allInnerTexts()
  for (const text of texts) assert.match(text, /[\d.,]+ m?s\s+done\s+\d\d:\d\d:\d\d/)
  const events = main().getByRole('list', { name: 'Events of this hotel' })
  await events.getByText('hotel.created', { exact: true }).first().waitFor()
  await region('Notifications by channel').getByText('E-mail').waitFor()
  await region('Audit entries').getByText('membership.added').first().waitFor()
  await region('Audit entries').getByRole('button', { name: 'membership.added' }).first().click()
  const sheet = site.page.getByRole('dialog', { name: 'membership.added' })
  await sheet.getByRole('heading', { name: 'After' }).waitFor()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await looksRight(site, 'hotel')
  await main().getByRole('link', { name: 'All events of this hotel' }).click()
  await region('Events').getByText('hotel.created', { exact: true }).first().waitFor()
})

test('an unknown hotel, and a hotel without people, are told and hinder nothing', async () => {
  await site.open(`hotels/${newId()}`)
  await main().getByText('It was deleted, or its setup isn’t complete.').waitFor()
  await main().getByText('No runs').waitFor()
  await site.open('hotels/nonsense')
  await main().getByRole('alert').first().waitFor()
})

test('the overview shows what still answers when a route of it fails', async () => {
  await site.open('overview')
  await main().locator('.figure', { hasText: 'Sent, 24 hours' }).getByText('of mails and pushes accepted').waitFor()
  const db = await connectDatabase(site.platform.env['HOTEL_DATABASE_URL'] ?? '')
  await db.query('rename table hotel_setups to hotel_setups_away')
  await main().getByText('Not available: parked setups, running setups').waitFor()
  await main().getByRole('heading', { name: 'Service disruption' }).waitFor()
  await main().locator('.figure', { hasText: 'Hotels' }).getByText('setups not available').waitFor()
  await looksRight(site, 'overview-failing')
  await db.query('rename table hotel_setups_away to hotel_setups')
  await db.end()
  await main().getByText('no setup in progress').waitFor()
})

test('the tries of one notification are listed, accepted is not delivered', async () => {
  const { urls } = site.platform
  const { token, workspace: workspaceId } = hotel
  const path = '/api/v1/notifications/templates/page_created/test'
  const { body } = await call(urls, 'notification', 'POST', path, { token, body: { workspaceId, channels: ['email'] } })
  const id = String(body['notificationId'])
  await eventually(async () => {
    const tried = await call(urls, 'notification', 'GET', `/api/v1/notifications/${id}/deliveries`, { token })
    return (tried.body['data'] as unknown as object[]).length > 0
  })
  await site.open(`deliveries?notification=${id}`)
  const row = region('Attempts').locator('tbody tr').first()
  await row.getByText('accepted').waitFor()
  await row.getByText('not reported').waitFor()
  await looksRight(site, 'deliveries-notification')
  await main().getByLabel('Notification id').fill('nonsense')
  await site.page.keyboard.press('Enter')
  await main().getByRole('alert').waitFor()
})

test('the audit log is that of the platform, or of a hotel that is picked by its name', async () => {
  await site.open('audit')
  await main()
    .getByText(/No entries|Action/)
    .first()
    .waitFor()
  await main().getByRole('searchbox', { name: 'Hotel' }).fill('phare DE LA')
  await site.page.keyboard.press('Enter')
  await main().getByRole('button', { name: hotel.name }).click()
  await main().getByRole('heading', { name: hotel.name }).waitFor()
  await region('Audit entries').getByText('membership.added').first().waitFor()
  await region('Audit entries').getByText('hotel.created').waitFor()
  assert.match(site.page.url(), `hotel=${hotel.id}`)
  await main().getByLabel('Record').selectOption('team')
  await main().getByText('Nothing matches the filter.').waitFor()
  await main().getByRole('searchbox', { name: 'Hotel' }).fill('nowhere')
  await site.page.keyboard.press('Enter')
  await main().getByText('No such hotel').waitFor()
  // A search that fails isn't one without results.
  const search = /\/hotel\/get\/all/
  await site.page.route(search, route => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await main().getByRole('searchbox', { name: 'Hotel' }).fill('phare')
  await site.page.keyboard.press('Enter')
  await site.page.getByRole('status').getByText('Broken').waitFor()
  assert.is(await main().getByText('No such hotel').count(), 0)
  await site.page.unroute(search)
  await main().getByRole('button', { name: 'Platform' }).click()
  await main().getByRole('heading', { name: 'Platform' }).waitFor()
})

test('all times are in one zone, which is named, whatever the browser’s is', async () => {
  const tools = await site.context.newCDPSession(site.page)
  await tools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  await site.page.reload()
  await site.page.getByText('Times in UTC').waitFor()
  await site.page.getByText(/^Updated \d\d:\d\d:\d\d UTC$/).waitFor()
  await site.open('events')
  await region('Events').getByText('Time (UTC)').waitFor()
  const time = region('Events').locator('time').first()
  const storedTime = (await time.getAttribute('datetime')) ?? ''
  assert.match(await time.innerText(), storedTime.slice(11, 19))
  assert.equal(site.problems, [])
})

test.run()
