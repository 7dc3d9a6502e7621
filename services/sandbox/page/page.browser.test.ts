import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { hindrances } from '../../../test/kit/axe.ts'
import { browserSuite, sharedBrowser } from '../../../test/kit/browser.ts'
import { assert } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'

const test = browserSuite('the sandbox’s page in a browser')
const sandbox = await sandboxForTest()
const fetched: string[] = []
/** Records every request that a mail manages to send. */
const outsideServer = createServer((request, response) => {
  fetched.push(request.url ?? '')
  response.end('<title>Elsewhere</title>')
})
await new Promise<void>(resolve => outsideServer.listen(0, '127.0.0.2', resolve))
// Another machine's address for the sandbox.
const link = `http://127.0.0.2:${(outsideServer.address() as AddressInfo).port}`
let context: BrowserContext
test.before(async () => {
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1200, height: 800 } })
})
test.after(async () => {
  await context?.close()
  await sandbox.close()
  outsideServer.closeAllConnections()
  outsideServer.close()
})

const send = (subject: string, html: string, to = 'lea@hotel.test') =>
  sandbox.call(
    'POST',
    '/email/v3/mail/send',
    {
      personalizations: [{ to: [{ email: to }] }],
      from: { email: 'no-reply@platform.test', name: 'Platform' },
      subject,
      content: [
        { type: 'text/plain', value: `Bonjour,\n\nouvrez ${link}/text` },
        { type: 'text/html', value: html },
      ],
    },
    { authorization: 'Bearer a-key' },
  )
const push = () =>
  sandbox.call(
    'POST',
    '/onesignal/api/v1/notifications',
    {
      app_id: 'app',
      include_player_ids: ['player-1'],
      headings: { en: 'New page' },
      contents: { en: 'Ada published Menu of the day' },
      data: { pageId: 'p1' },
    },
    { authorization: 'Basic a-rest-key' },
  )

async function visit(path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(sandbox.url + path)
  return page
}

test('an empty inbox is shown as such, and a mail with links loads nothing by itself', async () => {
  const inbox = await visit('/')
  assert.match(await inbox.locator('main').innerText(), 'No mail yet')
  const html = `<h1 style="color:#0a58b5">Bienvenue</h1><p>Votre invitation : <a href="${link}/join?token=abc">rejoindre</a></p>
    <a href="javascript:alert(3)">x</a><img src="${link}/pixel.png"><script src="${link}/evil.js"></script><script>document.title='owned'</script>`
  await send('Invitation <b>à l’hôtel</b>', html)
  await send('Réinitialisation de votre mot de passe', '<p>Un code : <strong>123456</strong></p>', 'ada@hotel.test')
  await inbox.reload()
  assert.is(await inbox.locator('tbody tr').count(), 2)
  assert.match(await inbox.locator('nav').innerText(), /Mails 2\s+Pushes 0\s+Calls 2/)
  await inbox.getByText('Invitation <b>à l’hôtel</b>').click()
  assert.is(await inbox.locator('h1').innerText(), 'Invitation <b>à l’hôtel</b>')
  assert.equal(await inbox.locator('ul.links a').allInnerTexts(), [`${link}/join?token=abc`, `${link}/text`])
  const frame = inbox.frameLocator('iframe')
  assert.is(await frame.locator('h1').innerText(), 'Bienvenue')
  assert.not.match(await inbox.title(), 'owned')
  assert.equal(fetched, [])
  const [linkedPage] = await Promise.all([
    inbox.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'rejoindre' }).click(),
  ])
  await linkedPage.waitForURL(`${link}/join?token=abc`)
  assert.not.ok(fetched.some(path => /pixel|evil/.test(path)))
})

test('pushes show their text and data, calls their bodies, provider by provider', async () => {
  await push()
  await sandbox.call('GET', '/weather/data/2.5/weather?q=Paris&appid=a-key')
  const page = await visit('/')
  await page.getByRole('link', { name: /^Pushes/ }).click()
  const row = page.locator('tbody tr').first()
  assert.match(await row.innerText(), /OneSignal[\s\S]*player-1[\s\S]*New page[\s\S]*Ada published/)
  assert.is(await row.locator('pre').isVisible(), false)
  await row.locator('summary').click()
  assert.match(await row.locator('pre').innerText(), '"pageId": "p1"')
  await page.getByRole('link', { name: /^Calls/ }).click()
  assert.ok((await page.locator('tbody tr').count()) >= 4)
  await page.getByRole('link', { name: 'Weather', exact: true }).click()
  assert.is(await page.locator('tbody tr').count(), 1)
  assert.match(await page.locator('tbody tr').innerText(), /GET \/weather\/data\/2.5\/weather\?q=Paris/)
})

test('it fits a phone and is accessible', async () => {
  for (const path of ['/', '/pushes', '/calls']) {
    const page = await visit(path)
    await page.setViewportSize({ width: 360, height: 700 })
    assert.is(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth'), false, path)
    assert.equal(await hindrances(page), [], path)
    await page.close()
  }
})

test.run()
