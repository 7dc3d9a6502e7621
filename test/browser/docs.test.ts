import type { BrowserContext, Page } from 'playwright-core'
import { guides } from '../../edge/docs/guides.ts'
import { hindrances } from '../kit/axe.ts'
import { browserSuite, comesTrue, sharedBrowser } from '../kit/browser.ts'
import { runCommand } from '../kit/command.ts'
import { assert } from '../kit/kit.ts'
import { type SharedPlatform, sharedPlatform } from '../kit/platform/shared.ts'

/** The documentation pages, read and tried out under the policy that the edge sends with them. */
const test = browserSuite('the documentation in a browser')

let platform: SharedPlatform
let context: BrowserContext
let page: Page
/** Requests to other origins, violations of the policy, and script errors. */
let problems: string[]

test.before(async () => {
  platform = await sharedPlatform()
  const seeded = await runCommand(['seed'], platform.env)
  assert.is(seeded.status, 0, seeded.stderr)
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1200, height: 800 } })
})
test.after(() => context?.close())
test.before.each(async () => {
  page = await context.newPage()
  // Large pages on a busy machine.
  page.setDefaultTimeout(60_000)
  problems = []
  const ownOrigins = new Set([...Object.values(platform.urls), platform.frontUrl].map(url => new URL(url).origin))
  page.on('request', request => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !ownOrigins.has(origin)) problems.push(request.url())
  })
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', error => problems.push(error.message))
})
test.after.each(() => page?.close())

for (const colorScheme of ['light', 'dark'] as const)
  test(`events and guides are accessible in ${colorScheme} colours and on a phone`, async () => {
    await page.emulateMedia({ colorScheme })
    for (const path of ['events', ...Object.keys(guides)]) {
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.goto(`${platform.urls.news}/docs/${path}/`)
      assert.equal(await hindrances(page), [], path)
      await page.setViewportSize({ width: 390, height: 800 })
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= 390, `${path}: ${width}`)
    }
    assert.equal(problems, [])
  })

test('links of a guide lead to the other guides, and none leaves the documentation', async () => {
  await page.goto(`${platform.frontUrl}/docs/clients/`)
  await page.getByRole('main').getByRole('link', { name: 'The contract' }).click()
  await page.getByRole('heading', { level: 1, name: 'The outside contract' }).waitFor()
  const links = await page.getByRole('main').getByRole('link').all()
  for (const link of links) assert.match((await link.getAttribute('href')) ?? '', /^(\/docs\/|#)/)
  assert.equal(problems, [])
})

test('the client’s address has all routes: found by words, shown as samples, tried after one sign-in that stays', async () => {
  await page.goto(`${platform.frontUrl}/docs/`)
  const operations = page.locator('.opblock')
  await operations.first().waitFor()
  const { email, password } = platform.administrator
  const signIn = async (secret: string) => {
    await page.getByLabel('Password').fill(secret)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.getByLabel('E-mail').fill(email)
  // Refused as longer than any password; what was typed stays.
  await signIn('long '.repeat(1_000))
  await page
    .getByRole('status')
    .getByText(/at most 200/)
    .waitFor()
  await signIn(password)
  await page.getByText(`Signed in as ${email}.`).waitFor()
  await page.getByPlaceholder('Filter by tag').fill('getpage')
  await operations.filter({ hasText: 'GET/api/v1/pages/{id}' }).first().waitFor()
  await page.getByPlaceholder('Filter by tag').fill('auth getme')
  const operation = operations.filter({ hasText: 'GET/users/me' })
  await operation.waitFor()
  assert.is(await operations.count(), 1)
  // One renewal that gets no answer doesn't end the sign-in.
  await page.route('**/auth/refreshToken', route => route.fulfill({ status: 503, body: 'busy' }))
  await page.reload()
  await page.getByText('The platform can’t be reached.').waitFor()
  await page.unroute('**/auth/refreshToken')
  // The browser logs the two refusals by itself.
  problems = problems.filter(text => !/status of (400|503)/.test(text))
  await page.reload()
  await page.getByText('Signed in.').waitFor()
  await page.getByPlaceholder('Filter by tag').fill('auth getme')
  await operation.locator('.opblock-summary-control').click()
  const sample = operation.locator('.samples pre')
  assert.is(
    await sample.textContent(),
    `curl '${platform.frontUrl}/services/auth/users/me' \\\n  -H "authorization: Bearer $TOKEN"`,
  )
  await operation.getByRole('button', { name: 'TypeScript' }).click()
  assert.is(await sample.textContent(), 'const answer = await platform.auth.getMe()')
  await operation.getByRole('button', { name: 'Python' }).click()
  assert.is(await sample.textContent(), 'answer = platform.auth.get_me()')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table .response-col_status').getByText('200').waitFor()
  await page.locator('button.authorize').first().click()
  await page.locator('.auth-container').getByRole('button', { name: 'Logout' }).click()
  assert.is(await page.evaluate(`sessionStorage['docs.refreshToken']`), undefined, 'nothing renews what was signed out')
  assert.equal(problems, [])
})

test('a message is shown with its key, schema and an example', async () => {
  await page.goto(`${platform.urls.news}/docs/events/`)
  const message = page.locator('#PageCreated')
  await message.locator('summary').click()
  assert.match((await message.textContent()) ?? '', /platform\.notification\.page\.created/)
  const example = JSON.parse((await message.getByLabel('Example of PageCreated').textContent()) ?? '') as {
    type: string
  }
  assert.is(example.type, 'page.created')
  assert.match((await message.getByLabel('Schema of PageCreated').textContent()) ?? '', /"payload"/)
  assert.equal(problems, [])
})

/** Opens a service's page with a person's token. @returns an operation on it, ready to be filled in */
async function trying(service: 'auth' | 'media', account: { email: string; password: string }, operationId: string) {
  const login = await fetch(`${platform.urls.auth}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: account.password }),
  })
  const { accessToken } = (await login.json()) as { accessToken: string }
  await page.goto(`${platform.urls[service]}/docs/`)
  await page.locator('button.authorize').first().click()
  const dialog = page.locator('.auth-container', { hasText: 'bearer' }).first()
  await dialog.locator('input').fill(accessToken)
  await dialog.getByRole('button', { name: 'Authorize' }).click()
  await page.locator('.btn-done').first().click()
  const operation = page.locator(`#operations-${operationId}`)
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  const execute = async () => {
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table .response')
    await answer.waitFor()
    return `${await answer.locator('.response-col_status').textContent()} ${await answer.textContent()}`
  }
  return { operation, execute }
}

test('a file is uploaded from the page, with optional fields left out', async () => {
  const ada = { email: 'ada@demo.example', password: 'correct horse battery staple' }
  const { operation, execute } = await trying('media', ada, 'Media-UploadMedia')
  const file = { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('The menu of Monday.') }
  await operation.locator('input[type=file]').setInputFiles(file)
  assert.match(await execute(), /^201[\s\S]*"fileUrl"/)
  assert.equal(problems, [])
})

async function useColours(colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await comesTrue(page, `document.documentElement.classList.contains('dark-mode') === ${colorScheme === 'dark'}`)
}

test('an opened operation is accessible and fits a phone, with its schemas, before and while it is tried', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  for (const [service, id] of [
    ['news', 'Pages-CreatePage'],
    ['news', 'Must_read-ListReaders'],
    ['news', 'Must_read-SetMustRead'],
    ['media', 'Media-UploadMedia'],
  ] as const) {
    await page.goto(`${platform.urls[service]}/docs/`)
    const operation = page.locator(`#operations-${id}`)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.samples').waitFor()
    for (const schema of await operation.getByRole('tab', { name: 'Schema' }).all()) await schema.click()
    for (const state of ['opened', 'tried']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await useColours(colorScheme)
        assert.equal(await hindrances(page), [], `${id} ${state} ${colorScheme}`)
      }
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= 390, `${id} ${state}: ${width}`)
      if (state === 'opened') await operation.getByRole('button', { name: 'Try it out' }).click()
    }
  }
  assert.equal(problems, [])
})

test('a route is tried with a token: sign in, authorise, execute, 200', async () => {
  const { email } = platform.administrator
  const { execute } = await trying('auth', platform.administrator, 'Users-GetMe')
  const answer = await execute()
  assert.match(answer, /^200/)
  assert.match(answer, new RegExp(email))
  const tag = (await page.locator('#operations-tag-Users').textContent()) ?? ''
  assert.match(tag, /The caller's own account, and sign-up with an invitation\./)
  for (const colorScheme of ['light', 'dark'] as const) {
    await useColours(colorScheme)
    assert.equal(await hindrances(page), [], colorScheme)
  }
  await page.locator('button.authorize').first().click()
  await page.getByRole('dialog', { name: 'Authorize' }).waitFor()
  assert.equal(await hindrances(page), [], 'the dialog')
  assert.equal(problems, [])
})

test.run()
