import type { Page } from 'playwright-core'
import { assert, eventually } from '../kit/kit.ts'
import { startReceiver, verify } from '../kit/notification/receiver.ts'
import { type FrontWorld, frontSuite, isSound, wide } from './front-world.ts'

let world: FrontWorld
/** Webhooks in the web client, with a hotel's own system that receives them. */
const test = frontSuite('webhooks', startedWorld => {
  world = startedWorld
})
const receiver = await startReceiver()
test.after(() => receiver.close())

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** The secret of the open dialog, which is then closed. */
async function takeSecret(page: Page): Promise<string> {
  await page.getByText('it won’t be shown again').waitFor()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await page.getByRole('button', { name: 'I have stored the secret' }).click()
  return secret
}

/** Sends a test event. @returns it, once it is received */
async function receiveTest(page: Page) {
  const count = receiver.messages.length
  await act(page, 'Send a test event')
  await page.getByText('The test event is on its way.').waitFor()
  return eventually(() => receiver.messages[count])
}

test('a webhook is created, its secret shown once, tried, repaired after a failure, and deleted', async () => {
  const page = await world.openAs(world.admin, '/hotel', wide)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('http://10.0.0.1/events')
  await dialog.getByLabel('Page published').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a public address').waitFor()
  await isSound(page, 'a new webhook')
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const secret = await takeSecret(page)
  await page.reload()
  const row = page.getByRole('row', { name: /Page published/ })
  await row.getByText('On', { exact: true }).waitFor()
  assert.not.ok((await page.content()).includes(secret))
  assert.is(verify(secret, await receiveTest(page)).type, 'webhook.test')
  await act(page, 'New secret')
  await dialog.getByRole('button', { name: 'New secret' }).click()
  const newSecret = await takeSecret(page)
  const message = await receiveTest(page)
  for (const one of [secret, newSecret]) assert.is(verify(one, message).type, 'webhook.test')

  receiver.answer = (_, response) => void response.writeHead(410).end('Closed for the season')
  const failedDelivery = await receiveTest(page)
  await eventually(async () => {
    await page.reload()
    await row.waitFor()
    return (await row.getByText('Its program answered that it no longer exists (410).').count()) === 1
  })
  await isSound(page, 'webhooks')
  await act(page, 'Send a test event')
  await page.getByText('Switch it on first.').waitFor()
  await act(page, 'Switch on')
  await row.getByText('On', { exact: true }).waitFor()
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Failed' }).click()
  const delivery = page.getByRole('row', { name: /Test event/ })
  await delivery.filter({ hasText: 'Status 410' }).filter({ hasText: 'Closed for the season' }).waitFor()
  await isSound(page, 'deliveries')
  await delivery.getByRole('button', { name: 'Send again' }).click()
  const sentAgain = await eventually(() => receiver.messages[3])
  assert.is(sentAgain.headers['webhook-id'], failedDelivery.headers['webhook-id'])
  await page.getByRole('button', { name: 'Delivered' }).click()
  await eventually(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return (await delivery.count()) === 3
  })

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await act(page, 'Edit')
  await dialog.getByLabel('Page published').uncheck()
  await dialog.getByLabel('Description').fill('Booking system')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const changedRow = page.getByRole('row', { name: /Booking system/ }).filter({ hasText: 'All events' })
  await act(page, 'Switch off')
  await changedRow.getByText('Switched off').waitFor()
  await act(page, 'Delete')
  await dialog.getByText('the list of its deliveries is deleted').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
})

test('a failing webhook shows since when, and what waits for its next attempt is sent at once', async () => {
  const page = await world.openAs(world.admin, '/hotel/webhooks', wide)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill(receiver.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await takeSecret(page)
  receiver.answer = (_, response) => void response.writeHead(500).end()
  const failedDelivery = await receiveTest(page)
  await eventually(async () => {
    await page.reload()
    await page.getByRole('row', { name: /All events/ }).waitFor()
    return (await page.getByText(/^Failing since /).count()) === 1
  })
  await page.getByRole('link', { name: receiver.url }).click()
  // The third attempt would be five minutes after the second.
  const twice = page.getByRole('row', { name: /Test event/ }).filter({ has: page.getByRole('cell', { name: '2' }) })
  await eventually(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return (await twice.filter({ hasText: 'Next attempt' }).count()) === 1
  })
  const count = receiver.messages.length
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await twice.getByRole('button', { name: 'Send again' }).click()
  const sentAgain = await eventually(() => receiver.messages[count])
  assert.is(sentAgain.headers['webhook-id'], failedDelivery.headers['webhook-id'])
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await eventually(async () => (await page.getByText(/^Failing since /).count()) === 0)
  await act(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
})

test('members without the right see no link to webhooks, and an eleventh is refused', async () => {
  const phone = await world.openAs(await world.join('mia'), '/hotel/webhooks')
  await phone.getByText('You don’t have access to this page').waitFor()
  assert.is(await phone.getByRole('link', { name: 'Webhooks' }).count(), 0)
  const [{ token }, body] = [world.admin, { url: receiver.url, workspaceId: world.workspaceId }]
  for (let count = 0; count < 10; count++) await world.ask('notification', 'POST', '/api/v1/webhooks', { token, body })
  const page = await world.openAs(world.admin, '/hotel/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill(receiver.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A workspace has ten webhooks at most.').waitFor()
})

test.run()
