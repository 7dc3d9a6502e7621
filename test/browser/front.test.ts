import type { Page } from 'playwright-core'
import { password } from '../../cli/tour/world.ts'
import { comesTrue } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { type FrontWorld, frontSuite, heading, isSound, offline } from './front-world.ts'

let world: FrontWorld
/** Signing in and out of the web client, as people do it from their mails. */
const test = frontSuite('sign-in, invitation, reset, account', startedWorld => {
  world = startedWorld
})

test('the sign-in form refuses a wrong password in words and opens the news with the right one', async () => {
  const page = await world.visit('/')
  await heading(page, 'Sign in').waitFor()
  await isSound(page, 'sign-in')
  await world.sendForm(page, world.admin, 'not this one')
  await page.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor()
  await world.enter(page, world.admin)
  await heading(page, 'News').waitFor()
})

test('the page that was asked for is shown after the sign-in, and after a reload', async () => {
  const page = await world.visit('/account')
  await world.enter(page, world.admin)
  await heading(page, 'Your account').waitFor()
  await page.reload()
  await heading(page, 'Your account').waitFor()
})

test('a forgotten password is reset by the mailed link, and every session ends', async () => {
  const cleo = await world.join('cleo')
  const otherDevice = await world.openAs(cleo)
  const page = await world.visit('/')
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await heading(page, 'Reset your password').waitFor()
  await isSound(page, 'forgotten password')
  await page.getByLabel('E-mail address').fill(cleo.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('an e-mail is on its way').waitFor()
  const link = await world.mailedLink(cleo.email, '/reset-password')
  await page.goto(link)
  const save = page.getByRole('button', { name: 'Save the password' })
  await page.getByLabel('New password').fill('password123')
  await save.click()
  await page.locator('.field', { hasText: 'New password' }).getByText('This password is too common').waitFor()
  await isSound(page, 'reset password')
  await page.getByLabel('New password').fill('another long password 8')
  await save.click()
  await heading(page, 'Sign in').waitFor()
  await world.enter(page, cleo, 'another long password 8')
  await otherDevice.getByText('You have been signed out').waitFor()
  await isSound(otherDevice, 'ended session')
  await page.goto(link)
  await page.getByLabel('New password').fill('another long password 9')
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'has expired or has already been used' }).waitFor()
})

test('an account shows profile, devices and language, and each change holds after a reload', async () => {
  const dan = await world.join('dan')
  const other = await world.openAs(dan)
  const page = await world.openAs(dan, '/account')
  await heading(page, 'Your account').waitFor()
  await page.getByText('This device', { exact: true }).waitFor()
  await isSound(page, 'account')
  await page.getByLabel('First name').fill('Danièle')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your profile has been saved.').waitFor()
  await page
    .getByRole('button', { name: /^Sign out .*(Chrome|Linux|desktop)/i })
    .first()
    .click()
  await other.getByText('You have been signed out').waitFor()
  await page.getByLabel('Language', { exact: true }).selectOption('fr')
  await heading(page, 'Votre compte').waitFor()
  await page.getByText(/^(Saved|Enregistré)\.$/).waitFor()
  await page.reload()
  await heading(page, 'Votre compte').waitFor()
  assert.is(await page.getByLabel('Prénom').inputValue(), 'Danièle')
  assert.is(await page.evaluate('document.documentElement.lang'), 'fr')
})

test('a picture is uploaded, seen by colleagues and removed', async () => {
  const [olga, piet] = [await world.join('olga', 'member', 'Olga'), await world.join('piet')]
  const page = await world.openAs(olga, '/account')
  const picture = page.getByRole('main').locator('.picture-row img')
  await page.getByLabel('Choose a picture').setInputFiles('edge/front/app/icons/icon-192.png')
  await page.getByText('Your profile has been saved.').waitFor()
  assert.ok(await picture.getAttribute('src'))
  const colleague = await world.openAs(piet, `/members/${olga.memberId}`)
  await heading(colleague, 'Olga Martin').waitFor()
  const isSeen = `[...document.querySelectorAll('main img.avatar')].some(image => image.naturalWidth > 0)`
  assert.ok(await comesTrue(colleague, isSeen))
  await page.getByLabel('Choose a picture').setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  })
  await page.getByText('Only pictures are accepted here.').waitFor()
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await picture.waitFor({ state: 'detached' })
  await page.reload()
  await heading(page, 'Your account').waitFor()
  assert.is(await picture.count(), 0)
})

test('the language of the profile is followed at each start, and nobody else gets it', async () => {
  const ivy = await world.join('ivy')
  const path = `/settings/member/${ivy.memberId}`
  const speak = (language: string) => world.ask('member', 'PATCH', path, { token: ivy.token, body: { language } })
  const page = await world.visit('/account', { ...offline, locale: 'en-US' })
  await speak('fr')
  await world.enter(page, ivy)
  await heading(page, 'Votre compte').waitFor()
  await speak('en')
  await page.reload()
  await heading(page, 'Your account').waitFor()
  await speak('fr')
  await page.reload()
  await heading(page, 'Votre compte').waitFor()
  // What this person speaks is known without a connection too.
  await page.context().setOffline(true)
  await page.reload()
  await heading(page, 'Votre compte').waitFor()
  // A session that ended meanwhile is over once the device is back online.
  const next = { currentPassword: password, newPassword: 'another long password 8' }
  await world.ask('auth', 'POST', '/password/change', { token: ivy.token, body: next })
  await page.context().setOffline(false)
  await page.getByText('Vous avez été déconnecté').waitFor()
})

test('a profile that arrives after its owner has signed out leaves no language on the device', async () => {
  const page = await world.visit('/account')
  // The answer with the profile arrives only when the test says so.
  await page.addInitScript(`{
    const go = fetch
    const allowed = new Promise(resolve => (globalThis.answer = resolve))
    globalThis.fetch = async (url, init) => {
      if (!/settings\\/member/.test(url)) return go(url, init)
      const answer = await go(url, init)
      globalThis.hasAsked = true
      await allowed
      globalThis.isAnswered = true
      return answer
    }
  }`)
  await page.reload()
  await world.enter(page, world.admin)
  assert.ok(await comesTrue(page, 'globalThis.hasAsked === true'))
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(page, 'Sign in').waitFor()
  await page.evaluate('answer()')
  assert.ok(await comesTrue(page, 'globalThis.isAnswered === true'))
  await page.reload()
  await heading(page, 'Sign in').waitFor()
})

test('signing out ends the session on this device and removes what was read', async () => {
  const page = await world.openAs(world.admin, '/account', offline)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(page, 'Sign in').waitFor()
  assert.ok(await comesTrue(page, `caches.has('readings').then(isKept => !isKept)`))
  await page.reload()
  await heading(page, 'Sign in').waitFor()
})

test('tabs that refresh at the same time keep their session', async () => {
  const page = await world.openAs(world.admin)
  const context = page.context()
  const tabs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const tab = await context.newPage()
      await tab.goto(world.platform.frontUrl)
      return tab
    }),
  )
  for (const tab of tabs) await heading(tab, 'News').waitFor()
  await page.reload()
  await heading(page, 'News').waitFor()
})

test('somebody without a membership is told so, and gets in once they belong', async () => {
  const eve = await world.join('eve')
  const path = `/workspaces/${world.workspaceId}/suspend-member/${eve.memberId}`
  await world.ask('member', 'POST', path, { token: world.admin.token })
  const page = await world.visit('/')
  await world.sendForm(page, eve)
  await heading(page, 'Your access is suspended').waitFor()
  await isSound(page, 'suspended')
  const reactivation = `/workspaces/${world.workspaceId}/reactivate-member/${eve.memberId}`
  await world.ask('member', 'POST', reactivation, { token: world.admin.token })
  await isLetIn(page)
})

test('somebody who reloads while the session is being resumed stays signed in', async () => {
  const page = await world.openAs(world.admin, '/')
  for (const ms of [30, 60, 90, 120, 150]) {
    await page.reload({ waitUntil: 'commit' })
    await page.waitForTimeout(ms)
  }
  await heading(page, 'News').waitFor()
})

test('a workspace that rests is told to its members and open to its administrators', async () => {
  const fay = await world.join('fay')
  const path = `/workspaces/update/${world.workspaceId}`
  await world.ask('member', 'PATCH', path, { token: world.admin.token, body: { isActive: false } })
  const page = await world.visit('/')
  await world.sendForm(page, fay)
  await heading(page, /closed this workspace for now/).waitFor()
  await heading(await world.openAs(world.admin), 'News').waitFor()
  await world.ask('member', 'PATCH', path, { token: world.admin.token, body: { isActive: true } })
  await isLetIn(page)
})

test('an address that is not encoded correctly shows a page, too', async () => {
  const page = await world.openAs(world.admin)
  await page.evaluate(`history.pushState(null, '', '/nowhere/%E0%A4%A')`)
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
  await heading(page, 'Page not found').waitFor()
  assert.ok(await eventually(async () => (await page.title()) === 'Page not found'))
  await isSound(page, 'page not found')
})

test('signing out works without a connection', async () => {
  const page = await world.openAs(world.admin, '/account')
  await page.getByText('This device', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(page, 'Sign in').waitFor()
  await page.context().setOffline(false)
})

/** A second tab of the browser, open on the account. */
async function secondTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(`${world.platform.frontUrl}/account`)
  await heading(tab, 'Your account').waitFor()
  return tab
}

/** Lets the calls of a route fail as without a connection. Playwright doesn't hold back those that outlive their page. */
const failCalls = (page: Page, method: string, path: string): Promise<unknown> =>
  page.evaluate(`globalThis.fetchBefore = fetch
    globalThis.fetch = (url, options = {}) =>
      options.method === '${method}' && String(url).endsWith('${path}')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : fetchBefore(url, options)`)

/** Waits until the account that a page shows is somebody's. */
async function belongsTo(page: Page, { email }: { email: string }): Promise<void> {
  const isTheirs = `document.querySelector('main input[type=email]')?.value === '${email}'`
  assert.ok(await comesTrue(page, isTheirs))
  await heading(page, 'Your account').waitFor()
}

test('a sign-out without a connection ends the session in every tab as soon as there is one', async () => {
  const page = await world.openAs(world.admin, '/account')
  const tab = await secondTab(page)
  await page.context().setOffline(true)
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(tab, 'Sign in').waitFor()
  await page.context().setOffline(false)
  await heading(page, 'Sign in').waitFor()
  assert.equal(await page.context().cookies(`${world.platform.frontUrl}/session`), [])
})

test('a sign-out that could not be sent is sent when the client starts, and before the next sign-in', async () => {
  const gus = await world.join('gus')
  const page = await world.openAs(gus, '/account')
  const tab = await secondTab(page)
  const signOut = async () => {
    await failCalls(tab, 'DELETE', '/session')
    await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(tab, 'Sign in').waitFor()
    await tab.evaluate('globalThis.fetch = globalThis.fetchBefore')
  }
  await signOut()
  await tab.reload()
  await page.getByText('You have been signed out').waitFor()
  await world.enter(page, gus)
  await tab.reload()
  await heading(tab, 'Your account').waitFor()
  await signOut()
  await world.enter(tab, world.admin)
  // The session that was left ends, and with it what the other tab shows; that of the next person doesn't.
  await belongsTo(page, world.admin)
  await tab.reload()
  await belongsTo(tab, world.admin)
})

test('when another person signs in in another tab, the page becomes theirs', async () => {
  const hal = await world.join('hal')
  const page = await world.openAs(hal, '/account')
  const tab = await secondTab(page)
  // As on a laptop that sleeps: the page notices nothing of the sign-out.
  await failCalls(page, 'POST', '/session/refresh')
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(tab, 'Sign in').waitFor()
  await world.enter(tab, world.admin)
  await page.evaluate('globalThis.isSame = true')
  await page.evaluate('globalThis.fetch = globalThis.fetchBefore')
  await belongsTo(page, world.admin)
  assert.is(await page.evaluate('globalThis.isSame'), undefined)
})

test('the inbox has a page, and links of mails to a hotel or workspace lead to theirs', async () => {
  const page = await world.openAs(world.admin, '/notifications')
  await heading(page, 'Notifications').waitFor()
  await page.getByRole('tab').first().waitFor()
  await isSound(page, 'notifications')
  await page.goto(`${world.platform.frontUrl}/workspaces/${world.workspaceId}`)
  await heading(page, 'News').waitFor()
})

test('the link of a message’s mail shows the whole message', async () => {
  const ida = await world.join('ida')
  const text = `${'At noon, by the boat. '.repeat(20)}The end`
  const answer = await world.ask('notification', 'POST', '/api/v1/notifications', {
    token: world.admin.token,
    body: { workspaceId: world.workspaceId, receiverIds: [ida.memberId], title: 'Boat trip', body: text },
  })
  const page = await world.openAs(ida, `/notifications/${String(answer['id'])}`)
  const row = page.getByRole('button', { name: /^.*Boat trip/ }).first()
  await row.waitFor()
  await eventually(() => row.evaluate(element => element.matches(':focus')))
  const { height, scrollHeight } = await row.getByText('The end').evaluate(element => ({
    height: element.parentElement?.clientHeight,
    scrollHeight: element.parentElement?.scrollHeight,
  }))
  assert.is(height, scrollHeight)
})

test('below a path and with pages in the fragment, the client works the same', async () => {
  const edge = await secondEdge(world.platform, { FRONT_BASE_URL: 'https://hotel.example/staff/#/' })
  try {
    const page = await world.visit(`${edge.frontUrl}/staff/#/account`)
    await world.enter(page, world.admin)
    await heading(page, 'Your account').waitFor()
    await page.getByRole('link', { name: 'News' }).click()
    await heading(page, 'News').waitFor()
    assert.is(page.url(), `${edge.frontUrl}/staff/#/`)
    await page.goBack()
    await heading(page, 'Your account').waitFor()
    await page.reload()
    await heading(page, 'Your account').waitFor()
  } finally {
    await edge.stop()
  }
})

/** Waits for the news of somebody who got access: they open by themselves, or once the person checks. */
const isLetIn = (page: Page) =>
  eventually(async () => {
    if (await heading(page, 'News').isVisible()) return true
    await page
      .getByRole('button', { name: 'Check again' })
      .click({ timeout: 1_000 })
      .catch(() => undefined)
    return false
  })

test.run()
