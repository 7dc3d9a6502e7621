import { call } from '../../../cli/tour/client.ts'
import { password } from '../../../cli/tour/world.ts'
import { nameOf } from '../../../services/auth/limits/rules.ts'
import { addressKey } from '../../../services/kernel/base/client-address.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { startReceiver } from '../../kit/notification/receiver.ts'
import { addHotel, type ConsoleSite, looksRight, startConsole } from './site.ts'

/** What operators change in the console: hotels, plans, accounts. Each is confirmed, and in the audit log. */
const test = browserSuite('actions in the console')

let site: ConsoleSite
let hotel: Awaited<ReturnType<typeof addHotel>>
const name = `Le Grand Large ${newId().slice(-6)}`
const main = () => site.main()
const region = (label: string | RegExp) => main().getByRole('region', { name: label })
const button = (label: string) => main().getByRole('button', { name: label, exact: true })
const dialog = (title: string) => site.page.getByRole('dialog', { name: title })
const figure = (label: string) => main().locator('.figure', { hasText: label })

/** Confirms a dialog after typing what it asks for. */
async function confirm(title: string, submit: string, phrase?: string): Promise<void> {
  const confirmation = dialog(title)
  await confirmation.waitFor()
  const send = confirmation.getByRole('button', { name: submit, exact: true })
  if (phrase) {
    assert.is(await send.isDisabled(), true, 'the name has to be typed')
    await confirmation.getByRole('textbox').fill(phrase)
  }
  await looksRight(site, title)
  await send.click()
  await confirmation.waitFor({ state: 'detached' })
}

const statusOfSignIn = async () => {
  const body = { email: hotel.staff, password }
  return (await call(site.platform.urls, 'auth', 'POST', '/auth/login', { body })).status
}

test.before(async () => {
  site = await startConsole()
  hotel = await addHotel(site, `Le Phare ${newId().slice(-6)}`)
  await site.enter()
  await site.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
test.after(() => site?.end())

test('a hotel is created with its administrator and plan; list and page say that it is in trial', async () => {
  await site.open('hotels')
  await button('Create hotel').click()
  const form = dialog('Create a hotel')
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('City').fill('Biarritz')
  await form.getByLabel('Administrator’s first name').fill('Grace')
  await form.getByLabel('Administrator’s last name').fill('Hopper')
  await form.getByLabel('Administrator’s e-mail').fill('grace@')
  await form.getByLabel('Plan').selectOption('premium')
  await looksRight(site, 'create a hotel')
  await form.getByLabel('Administrator’s e-mail').fill(`grace-${newId()}@hotel.example`)
  await form.getByRole('button', { name: 'Create hotel' }).click()
  await site.page.getByRole('heading', { level: 1, name }).waitFor()
  await figure('Subscription').getByText('trial', { exact: true }).waitFor()
  await region('Audit entries').getByText('hotel.created').waitFor()
  await site.open(`hotels?search=${encodeURIComponent(name)}`)
  const row = region('Hotels').locator('tbody tr')
  await row.getByText('trial', { exact: true }).waitFor()
  await row.getByText('open', { exact: true }).waitFor()
})

test('an invitation that nobody has accepted is found by its name and resent', async () => {
  await site.open('people?search=hopper')
  const resend = region('Open invitations').getByRole('button', { name: /^Resend the invitation of grace-/ })
  await resend.click()
  await confirm('Resend this invitation?', 'Resend')
  await site.page.getByText(/^Resent the invitation of grace-/).waitFor()
})

test('a suspended hotel signs its people out, and they sign in again once it is reopened', async () => {
  await site.open(`hotels/${hotel.id}`)
  await button('Suspend').click()
  await confirm(`Suspend ${hotel.name}?`, 'Suspend', hotel.name.toUpperCase())
  await region('Audit entries').getByText('hotel.suspended').waitFor()
  assert.is(await statusOfSignIn(), 401)
  await button('Reopen').click()
  await confirm(`Reopen ${hotel.name}?`, 'Reopen')
  await button('Suspend').waitFor()
  assert.is(await statusOfSignIn(), 200)
})

test('the plan of a hotel is changed, with what it costs', async () => {
  await site.open(`hotels/${hotel.id}`)
  await figure('Subscription').getByText('plan premium').waitFor()
  await button('Change plan').click()
  const form = dialog(`Change the plan of ${hotel.name}?`)
  const select = form.getByLabel('Plan')
  await select.waitFor()
  const plans = await select.locator('option').evaluateAll(options => options.map(one => one.getAttribute('value')))
  const other = plans.find(plan => plan !== 'premium') ?? ''
  assert.match(await select.innerText(), /per (month|year)/)
  await select.selectOption(other)
  await form.getByRole('button', { name: 'Change plan' }).click()
  await figure('Subscription').getByText(`plan ${other}`).waitFor()
  await eventually(() => region('Audit entries').getByText('hotel.plan_changed').isVisible())
})

test('a hotel is deleted once its name is typed, and restored from its page', async () => {
  await site.open(`hotels/${hotel.id}`)
  await button('Delete').click()
  await confirm(`Delete ${hotel.name}?`, 'Delete', hotel.name)
  await main().getByText('Within the grace period it can be restored.').waitFor()
  await region('Audit entries').getByText('hotel.deleted').waitFor()
  await looksRight(site, 'deleted hotel')
  await button('Restore').click()
  await confirm(`Restore ${hotel.name}?`, 'Restore')
  await button('Delete').waitFor()
  await region('Audit entries').getByText('hotel.restored').waitFor()
})

test('a person is found by their address, unlocked after wrong passwords, and signed out everywhere', async () => {
  assert.is(await statusOfSignIn(), 200)
  // As a thousand sign-ins count, which this platform allows.
  const counter = nameOf({ policy: 'sign-in', subject: `${hotel.staff} ${addressKey('127.0.0.1')}` })
  const db = await connectDatabase(site.platform.env['AUTH_DATABASE_URL'] ?? '')
  await db.query('update rate_counters set hits = 1000 where name = ?', [counter])
  await db.end()
  assert.is(await statusOfSignIn(), 429)
  await site.open('people')
  await main().getByLabel('Search').fill(hotel.staff.slice(0, -3).toUpperCase())
  await site.page.keyboard.press('Enter')
  const row = region('Accounts').locator('tbody tr', { hasText: hotel.staff })
  await row.getByText('locked', { exact: true }).waitFor()
  await looksRight(site, 'people')
  await row.getByRole('link', { name: hotel.staff }).click()
  await site.page.getByRole('heading', { level: 1, name: hotel.staff }).waitFor()
  await main().getByRole('list', { name: 'Workspaces' }).getByText(hotel.name).waitFor()
  await button('Unlock').click()
  await confirm(`Unlock ${hotel.staff}?`, 'Unlock')
  await region('Audit entries').getByText('account.unlocked').waitFor()
  assert.is(await statusOfSignIn(), 200)
  await button('End all sessions').click()
  await confirm(`End all sessions of ${hotel.staff}?`, 'End all sessions')
  await main().getByText('Not signed in').waitFor()
  await region('Audit entries').getByText('account.sessions_ended').waitFor()
  await looksRight(site, 'person')
})

test('the mail that confirms an address is sent again', async () => {
  const email = `new-${newId()}@hotel.example`
  const { body } = await call(site.platform.urls, 'auth', 'POST', '/auth/register', { body: { email, password } })
  const { id } = body['user'] as unknown as { id: string }
  await site.open(`people/${id}`)
  await button('Resend confirmation').click()
  await confirm(`Send the confirmation to ${email} again?`, 'Resend confirmation')
  await region('Audit entries').getByText('account.confirmation_sent').waitFor()
})

test('a request is found by its id: what it changed, its events, and what isn’t kept', async () => {
  const requestId = `search-${newId()}`
  const response = await fetch(`${site.platform.urls.member}/teams`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await site.rootToken()}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
    },
    body: JSON.stringify({ workspaceId: hotel.workspace, name: 'Night desk' }),
  })
  assert.equal([response.status, response.headers.get('x-request-id')], [201, requestId])
  await site.open('requests')
  await main().getByLabel('Request id').fill(requestId)
  await site.page.keyboard.press('Enter')
  await region('Audit entries').getByText('team.created').waitFor()
  await main().getByText('does not store calls and log lines').waitFor()
  await main().getByText('None has this request id.').waitFor()
  await looksRight(site, 'request')
  await region('Audit entries').getByRole('button', { name: 'team.created' }).click()
  await dialog('team.created').getByRole('link', { name: requestId }).waitFor()
  // The deletion of the hotel has events as well.
  await site.open(`hotels/${hotel.id}`)
  await region('Audit entries').getByRole('button', { name: 'hotel.suspended' }).first().click()
  await dialog('hotel.suspended').locator('a[href^="#/requests"]').click()
  await region('Events').getByText('hotel.updated').first().waitFor()
  await region('Events').getByText('audit.recorded').first().waitFor()
})

test('an address that is none says so, and leads back', async () => {
  for (const address of ['nowhere', 'events/1']) {
    await site.page.evaluate(`location.hash = '#/${address}'`)
    await site.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    assert.is(await site.page.locator('#nav [aria-current]').count(), 0, address)
  }
  await main().getByRole('link', { name: 'Overview' }).click()
  await site.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal(site.problems, [])
})

test('a webhook that the platform has disabled is enabled, and a failed delivery sent again', async () => {
  const receiver = await startReceiver((_, response) => void response.writeHead(410).end('Moved out'))
  const { urls } = site.platform
  const token = await site.rootToken()
  const body = { workspaceId: hotel.workspace, url: receiver.url }
  const creation = await call(urls, 'notification', 'POST', '/api/v1/webhooks', { token, body })
  const path = `/api/v1/webhooks/${String(creation.body['id'])}`
  await call(urls, 'notification', 'POST', `${path}/test`, { token, body: {} })
  await eventually(
    async () => (await call(urls, 'notification', 'GET', path, { token })).body['isEnabled'] === false || undefined,
  )
  await site.open(`hotels/${hotel.id}`)
  const endpoint = region('Webhooks').getByRole('row', { name: receiver.url })
  await endpoint.getByText('answered 410').waitFor()
  await button(`Enable ${receiver.url}`).click()
  await confirm('Enable this webhook?', 'Enable')
  await endpoint.getByText('enabled', { exact: true }).waitFor()
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await endpoint.getByRole('button', { name: receiver.url, exact: true }).click()
  const delivery = region('Deliveries').getByRole('row', { name: 'webhook.test' })
  await delivery.filter({ hasText: 'Answered 410' }).filter({ hasText: 'Moved out' }).waitFor()
  await looksRight(site, 'webhooks of a hotel')
  await button('Send again: webhook.test').click()
  await confirm('Send this delivery again?', 'Send again')
  await eventually(() => receiver.messages[1])
  assert.equal(new Set(receiver.ids()).size, 1)
  for (const action of ['webhook.updated', 'webhook.resent'])
    await eventually(() => region('Audit entries').getByText(action).first().isVisible())
  await receiver.close()
})

test.run()
