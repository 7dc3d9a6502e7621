import { readFile } from 'node:fs/promises'
import { call, mailsTo } from '../../cli/tour/client.ts'
import { addressOf } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound, offline, wide } from './front-world.ts'

let world: FrontWorld
/** The hotel's pages of the web client. */
const test = frontSuite('the hotel', startedWorld => {
  world = startedWorld
})

test('each part of the hotel is open only with its right', async () => {
  const [member, manager] = [await world.join('mia', 'member'), await world.join('max', 'manager')]
  const phone = await world.openAs(member, '/hotel/keys')
  await phone.getByText('You don’t have access to this page').waitFor()
  await isSound(phone, 'no access')
  assert.is(await phone.getByRole('link', { name: 'Hotel' }).count(), 0)
  const page = await world.openAs(manager, '/hotel')
  const names = page.getByRole('navigation', { name: 'Hotel' }).getByRole('link')
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
  assert.equal(await names.allInnerTexts(), ['Overview', 'Storage and exports', 'Audit log'])
  await page.getByRole('link', { name: 'Storage and exports' }).click()
  await page.getByText(/left/).waitFor()
  assert.is(await page.getByRole('button', { name: 'Download CSV' }).count(), 0)
  const chief = await world.openAs(world.admin, '/hotel')
  await chief.getByRole('link', { name: 'API keys' }).waitFor()
  await chief.getByText('Most viewed pages').or(chief.getByText('Published')).first().waitFor()
  await isSound(chief, 'overview')
  const rights = `**/members/get/${world.admin.memberId}`
  await chief.route(rights, route => route.fulfill({ status: 503 }))
  await chief.goto(`${world.platform.frontUrl}/hotel/keys`)
  await chief.getByRole('alert').waitFor()
  assert.is(await chief.getByText('You don’t have access to this page').count(), 0)
  await chief.unroute(rights)
  await chief.getByRole('button', { name: 'Try again' }).click()
  await chief.getByRole('button', { name: 'New key' }).waitFor()
})

test("a key's secret is shown once, works, and is refused once the key is revoked", async () => {
  const page = await world.openAs(world.admin, '/hotel/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('See people').check()
  await isSound(page, 'a new key')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByText('it won’t be shown again').waitFor()
  await isSound(page, 'a secret')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy: Secret' }).click()
  await page.getByRole('dialog').getByRole('status').getByText('Copied.').waitFor()
  const apiKey = await page.getByRole('textbox', { name: 'Key' }).inputValue()
  const apiSecret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  const path = `/workspaces/${world.workspaceId}/members`
  const status = async () =>
    (
      await call(world.platform.urls, 'member', 'GET', path, {
        headers: { 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      })
    ).status
  assert.is(await status(), 200)
  await page.getByRole('button', { name: 'I have stored the secret' }).click()
  await page.getByRole('row', { name: /See people/ }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: /See people/ }).waitFor()
  assert.not.match(await page.content(), apiSecret)
  await isSound(page, 'keys')
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The key was revoked.').waitFor()
  // Keys are cached for less than a second.
  await eventually(async () => (await status()) === 401)
})

test('the audit log is filtered by action, person and time', async () => {
  const gil = await world.join('gil', 'member', 'Gil')
  const path = `/workspaces/${world.workspaceId}/suspend-member/${gil.memberId}`
  await world.ask('member', 'POST', path, { token: world.admin.token })
  const page = await world.openAs(world.admin, '/hotel/audit', { ...wide, timezoneId: 'Pacific/Auckland' })
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await rows.filter({ hasText: 'Suspended' }).first().waitFor()
  await isSound(page, 'audit log')
  await page.getByLabel('Action').selectOption({ label: 'Suspended' })
  assert.ok(await eventually(async () => (await rows.count()) === 2), 'the heading and one entry')
  await rows.filter({ hasText: 'Gil Martin' }).filter({ hasText: 'Ada Chef' }).waitFor()
  const about = page.getByRole('combobox', { name: 'About' })
  await about.fill('Ada')
  await page.getByRole('option', { name: /Ada/ }).click()
  await page.getByText('No entry matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await rows.filter({ hasText: 'Invitation sent' }).first().waitFor()
  const request = page.waitForRequest(/[?&]until=/)
  await page.getByLabel('Until').fill('2020-01-01')
  await page.getByText('No entries').waitFor()
  // A day ends at midnight in the person's zone, not in the browser's.
  assert.is(new URL((await request).url()).searchParams.get('until'), '2020-01-01T23:00:00.000Z')
})

test('the audit log of a hotel with more than 1,000 people names and finds each, page by page', async () => {
  const { token } = world.admin
  const members = Array.from({ length: 1_005 }, (_, index) => ({
    email: `crew${index}.${world.workspaceId}@phare.example`,
    firstName: 'Crew',
    lastName: `Number ${index}`,
  }))
  const bulk = (from: number, to: number) =>
    world.ask('member', 'POST', '/bulk/add-members', {
      token,
      body: { workspaceId: world.workspaceId, members: members.slice(from, to) },
    })
  await bulk(0, 1_000)
  await bulk(1_000, 1_005)
  const page = await world.openAs(world.admin, '/hotel/audit', wide)
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await rows.filter({ hasText: 'Crew Number' }).first().waitFor()
  const count = await rows.count()
  assert.ok(count > 10 && count <= 31, `${count}`)
  const newest = await rows.nth(1).innerText()
  await page.getByRole('button', { name: 'Next' }).click()
  const pageNumber = () => Number(new URL(page.url()).searchParams.get('page'))
  assert.ok(await eventually(() => pageNumber() === 2))
  await eventually(async () => (await rows.nth(1).innerText()) !== newest)
  const about = page.getByRole('combobox', { name: 'About' })
  await about.fill('Number 1003')
  await page.getByRole('option', { name: /Number 1003/ }).click()
  await eventually(async () => (await rows.count()) === 2)
  assert.equal(
    (await rows.filter({ hasText: 'Crew Number 1003' }).allInnerTexts()).map(text => text.split('\t')[2]),
    ['Joined the workspace · Person created'],
  )
  // A page beyond the last one, such as one that was emptied.
  await page.goto(`${world.platform.frontUrl}/hotel/audit?page=500`)
  assert.ok(await eventually(() => pageNumber() > 2 && pageNumber() < 500))
  await rows.nth(1).waitFor()
})

test('people are exported as text and as a workbook, and the storage is shown', async () => {
  const page = await world.openAs(world.admin, '/hotel/data', offline)
  await page.evaluate('navigator.serviceWorker.ready')
  await page.reload()
  await page
    .getByText(/files? *$/)
    .or(page.getByText(/left/))
    .first()
    .waitFor()
  await isSound(page, 'storage')
  const saved = async (name: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    const file = await download
    return { name: file.suggestedFilename(), body: await readFile(await file.path()) }
  }
  const csv = await saved('Download CSV')
  assert.match(csv.name, /\.csv$/)
  assert.match(csv.body.toString(), world.admin.email)
  const xlsx = await saved('Download Excel')
  assert.match(xlsx.name, /\.xlsx$/)
  assert.is(xlsx.body.subarray(0, 2).toString(), 'PK')
  const cachedUrls = await page.evaluate<string[]>(
    `caches.open('readings').then(cache => cache.keys()).then(keys => keys.map(({ url }) => url))`,
  )
  assert.equal(
    cachedUrls.filter(url => url.includes('/export/')),
    [],
    'an export is not kept on the device',
  )
})

test('name, logo and time zone are changed, and the subscription is shown', async () => {
  const page = await world.openAs(world.admin, '/hotel/settings')
  await page.getByLabel('Name', { exact: true }).fill('Le Phare')
  await page.getByLabel('Time zone', { exact: true }).selectOption('Indian/Reunion')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The settings were saved.').waitFor()
  await page.getByRole('banner').getByText('Le Phare').waitFor()
  await page.getByLabel('Choose a logo').setInputFiles('edge/front/app/icons/icon-192.png')
  await page.getByRole('button', { name: 'Remove the logo' }).waitFor()
  await page.getByLabel('City').fill('Saint-Denis')
  await page.getByLabel('Website').fill('www.phare.example/menu')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const { token } = world.admin
  const isSaved = (name: string, value: string) =>
    eventually(
      async () => (await world.ask('hotel', 'GET', `/hotel/get/${world.ecosystemId}`, { token }))[name] === value,
    )
  assert.ok(await isSaved('city', 'Saint-Denis'))
  await page.reload()
  await page.getByLabel('City').waitFor()
  assert.is(await page.getByLabel('City').inputValue(), 'Saint-Denis')
  assert.is(await page.getByLabel('Time zone', { exact: true }).inputValue(), 'Indian/Reunion')
  await isSound(page, 'settings')
  await page.getByRole('link', { name: 'Overview' }).click()
  const website = page.getByRole('link', { name: 'www.phare.example/menu' })
  assert.is(await website.getAttribute('href'), 'https://www.phare.example/menu')
  // The form begins with the last answer, and what another administrator changed since stays.
  const body = { city: 'Saint-Paul' }
  await world.ask('hotel', 'PATCH', `/hotel/update/${world.ecosystemId}`, { token, body })
  const answer = page.waitForResponse(/\/hotel\/get\//)
  await page.getByRole('link', { name: 'Settings' }).click()
  await (await answer).finished()
  assert.is(await page.getByLabel('City').inputValue(), 'Saint-Denis')
  await page.getByLabel('Country').fill('Réunion')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  assert.ok(await isSaved('country', 'Réunion'))
  assert.ok(await isSaved('city', 'Saint-Paul'))
  await page.getByRole('link', { name: 'Subscription' }).click()
  await page.getByRole('heading', { name: /Premium/ }).waitFor()
  await page.getByText('Trial', { exact: true }).waitFor()
})

test('a logo chosen for e-mails is at the top of the next e-mail, and removed again in the one after', async () => {
  const page = await world.openAs(world.admin, '/hotel/settings')
  /** The address of the logo in an invitation sent now, and the mail's in the sandbox. */
  const sendInvitation = async (name: string) => {
    const email = addressOf(world.tour, name)
    const body = { email, firstName: name, lastName: 'Martin', workspaceId: world.workspaceId }
    await world.ask('member', 'POST', '/onboarding/invite', { token: world.admin.token, body })
    const [mail] = await mailsTo(world.platform.sandboxUrl, email)
    const logo = /<img src="([^"]+)"/.exec(String(mail?.['html']))?.[1]
    return { logo, shown: `${world.platform.sandboxUrl}/mails/${String(mail?.['id'])}` }
  }
  const logo = page.getByRole('img', { name: 'Logo', exact: true })
  const before = await logo.getAttribute('src')
  await page.getByLabel('Choose a logo').setInputFiles('edge/front/app/icons/icon-192.png')
  const address = await eventually(async () => {
    const now = await logo.getAttribute('src')
    return now === before ? undefined : now
  })
  let tries = 0
  // What the hotel looks like is cached for some seconds.
  const mail = await eventually(async () => {
    const one = await sendInvitation(`logo-${++tries}`)
    return one.logo === address ? one : undefined
  })
  const box = await world.visit(mail.shown, { locale: 'en-GB' })
  for (const width of [390, 640]) {
    await box.setViewportSize({ width, height: 844 })
    const picture = box.frameLocator('iframe').getByRole('img', { name: 'Logo' })
    await eventually(() => picture.evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth > 0))
  }
  await page.getByRole('button', { name: 'Remove the logo' }).click()
  await logo.waitFor({ state: 'detached' })
  assert.ok(await eventually(async () => (await sendInvitation(`logo-${++tries}`)).logo === undefined))
})

test('an overdue payment is named in both languages, and its collection ends the notice', async () => {
  const { root: token } = world.tour.tokens
  const hotel = await world.ask('hotel', 'GET', `/hotel/get/${world.ecosystemId}`, { token })
  const customer = String(hotel['payment_customer_id'])
  const path = `/sub/customer/${customer}`
  const { id } = await world.ask('payment', 'GET', path, { token })
  const report = async (status: string, isPastDue: boolean) => {
    const body = JSON.stringify({ subscription: id, status })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${world.platform.sandboxUrl}/_control/trial`, { method: 'POST', headers, body })
    await eventually(async () => {
      const answer = await world.ask('payment', 'GET', path, { token })
      return answer['status'] === 'active' && Boolean(answer['isPastDue']) === isPastDue
    })
  }
  await report('past_due', true)
  const page = await world.openAs(world.admin, '/hotel/subscription')
  await page.getByText('Payment overdue', { exact: true }).waitFor()
  await page.getByText('Everything keeps working').waitFor()
  await isSound(page, 'an overdue payment')
  await page.evaluate(`localStorage['front.language'] = 'fr'`)
  await page.reload()
  await page.getByText('Paiement en retard', { exact: true }).waitFor()
  await page.getByText('Tout continue de fonctionner').waitFor()
  await report('active', false)
  await page.reload()
  await page.getByText('Actif', { exact: true }).waitFor()
})

test.run()
