import type { Locator, Page } from 'playwright-core'
import type { LooseJson } from '../../../cli/tour/client.ts'
import { hindrances } from '../../kit/axe.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { focused, list, startInbox } from './site.ts'

/** The inbox on a page of another origin, under a strict policy, over a whole platform. */
const test = browserSuite('the inbox in a browser')
const evil = '<img src=x onerror="document.title=1"><b>Menu</b>'

let world: Awaited<ReturnType<typeof startInbox>>
let page: Page
let problems: string[]

test.before(async () => {
  world = await startInbox()
})
test.after(() => world?.end())

/** A page with a connected inbox. */
async function visit(): Promise<Page> {
  const newPage = await world.context.newPage()
  newPage.on('pageerror', error => problems.push(error.message))
  newPage.on('console', message => {
    if (message.type() === 'error' && !/status of 401/.test(message.text())) problems.push(message.text())
  })
  const acknowledgement = newPage
    .waitForEvent('websocket')
    .then(socket => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"ack"')))
  await newPage.goto(world.origin)
  await acknowledgement
  return newPage
}
test.before.each(async () => {
  world.site.stale = false
  problems = []
  page = await visit()
})
test.after.each(() => page?.close())

const bell = (on = page) => on.getByRole('button', { name: /^Notifications, / })
const unread = (count: number, on = page) =>
  on.getByRole('button', { name: `Notifications, ${count === 0 ? 'no' : count} unread` }).waitFor()
const panel = (on = page) => on.getByRole('dialog', { name: /Notifications|Preferences/ })
const row = (title: string, on = page) => panel(on).getByRole('listitem').filter({ hasText: title })
const readEvents = () =>
  page.evaluate(
    () =>
      (globalThis as unknown as { told: { asked: boolean[]; clicked: { title: string }[]; arrived: string[] } }).told,
  )
const unreadAtPlatform = async () => Number((await world.read(`${list}/unread-count`))['count'])

test('an empty inbox shows a new notification on the badge and in the list at once, as text', async () => {
  await bell().click()
  await panel().getByText('No notifications yet').waitFor()
  await world.send(evil, { data: { url: 'javascript:alert(1)' } })
  await unread(1)
  await row(evil).waitFor()
  assert.is(await row(evil).locator('b, img, a').count(), 0)
  assert.is(await page.title(), 'Staff')
  await page.getByText(`New notification: ${evil}`).waitFor({ state: 'attached' })
  assert.equal((await readEvents()).arrived, [evil])
  assert.equal(problems, [])
})

test('a clicked notification is read, reported to the page, and read on the other device', async () => {
  const other = await visit()
  await Promise.all([unread(1), unread(1, other)])
  await bell().click()
  await row(evil).getByRole('button').first().click()
  await Promise.all([unread(0), unread(0, other)])
  const { clicked } = await readEvents()
  assert.equal(
    clicked.map(({ title }) => title),
    [evil],
  )
  assert.is(await panel().count(), 0)
  await other.close()
  assert.equal(problems, [])
})

test('the keyboard opens, moves, marks as unread, archives, undoes, switches tabs and leaves', async () => {
  for (const title of ['First', 'Second', 'Third']) await world.send(title)
  await unread(3)
  await bell().focus()
  await page.keyboard.press('Enter')
  await row('First').waitFor()
  await eventually(async () => /Third/.test(await focused(page)))
  await page.keyboard.press('ArrowDown')
  assert.match(await focused(page), /Second/)
  await page.keyboard.press('End')
  assert.match(await focused(page), /Menu/)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  assert.is(await focused(page), 'Mark as read: Third')
  await page.keyboard.press('Enter')
  await unread(2)
  await page.keyboard.press('Enter')
  await unread(3)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Delete')
  assert.match(await focused(page), /Second/)
  // The button disappears by itself, unless it has the focus.
  await panel().getByRole('button', { name: 'Undo' }).focus()
  await unread(2)
  await eventually(async () => (await unreadAtPlatform()) === 2)
  await page.keyboard.press('Enter')
  await row('Third').waitFor()
  await eventually(async () => (await unreadAtPlatform()) === 3)
  await panel().getByRole('tab', { name: 'All' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.is(await panel().getByRole('tab', { name: 'Unread' }).getAttribute('aria-selected'), 'true')
  await row('Menu').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  // A frame of an earlier count may still arrive.
  await eventually(async () => (await focused(page)).startsWith('Notifications, 3 unread'))
  assert.equal(problems, [])
})

test('scrolling loads each notification once, the archive is listed, and all are marked as read', async () => {
  for (let n = 0; n < 40; n++) await world.send(`Round ${n}.`)
  await unread(43)
  await bell().click()
  await row('Round 39.').waitFor()
  const last = row('Menu')
  await eventually(async () => {
    await panel().getByRole('listitem').last().scrollIntoViewIfNeeded()
    return (await last.count()) === 1
  })
  const ids = await panel()
    .getByRole('listitem')
    .evaluateAll(all => all.map(one => (one as unknown as { dataset: { id: string } }).dataset.id))
  assert.equal([ids.length, new Set(ids).size], [44, 44])
  await last.hover()
  await last.getByRole('button', { name: /^Archive/ }).click()
  await last.waitFor({ state: 'detached' })
  await panel().getByRole('tab', { name: 'Archived' }).click()
  await row('Menu').waitFor()
  await panel().getByRole('button', { name: 'Mark all as read' }).click()
  await unread(0)
  await eventually(async () => (await unreadAtPlatform()) === 0)
  assert.equal(problems, [])
})

test('preferences are saved: a channel, do-not-disturb, silence and quiet hours with their zone', async () => {
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  const box = panel().getByRole('checkbox', { name: 'I still have to confirm a page: E-mail' })
  const channels = panel().getByText('Choose the channels one by one')
  const saved = (holds: (wishes: LooseJson) => boolean) =>
    eventually(async () => holds(await world.read('/api/v1/preferences')))
  await channels.click()
  await box.uncheck()
  await saved(({ categoryPrefs }) => categoryPrefs?.['page.reminded']?.['email'] === (false as unknown))
  await panel()
    .getByRole('switch', { name: /^Quiet hours/ })
    .check()
  await panel().getByLabel('From', { exact: true }).fill('21:30')
  await saved(({ quietHours }) => quietHours?.['start'] === '21:30' && quietHours?.['enabled'] === (true as unknown))
  await panel().getByLabel('Time zone').selectOption('Indian/Reunion')
  await saved(({ quietHours }) => quietHours?.['timezone'] === 'Indian/Reunion' && quietHours?.['end'] === '07:00')
  await panel().getByLabel('Do not disturb').selectOption('3600')
  await saved(({ doNotDisturb }) => doNotDisturb === (true as unknown))
  await panel().getByLabel('Do not disturb').selectOption('0')
  await saved(({ doNotDisturb }) => doNotDisturb === (false as unknown))
  await panel()
    .getByRole('switch', { name: /^Mute everything/ })
    .check()
  await saved(({ isGlobalSilent }) => isGlobalSilent === (true as unknown))
  await panel()
    .getByRole('switch', { name: /^Mute everything/ })
    .uncheck()
  await saved(({ isGlobalSilent }) => isGlobalSilent === (false as unknown))
  await page.reload()
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  await channels.click()
  await box.waitFor()
  assert.is(await box.isChecked(), false)
  assert.is(await panel().getByLabel('Time zone').inputValue(), 'Indian/Reunion')
  assert.equal(problems, [])
})

test('quick changes are stored in order without undoing each other, and a refused one is undone', async () => {
  const [patches, releases]: [unknown[], (() => void)[]] = [[], []]
  await page.route('**/api/v1/preferences', async route => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    patches.push(route.request().postDataJSON())
    // The first request is delayed, the last one refused.
    if (patches.length === 1) await new Promise<void>(resolve => releases.push(resolve))
    const headers = { 'access-control-allow-origin': world.origin }
    return patches.length === 3 ? route.fulfill({ status: 400, headers, body: '{}' }) : route.fallback()
  })
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  const [from, to] = ['From', 'To'].map(name => panel().getByLabel(name, { exact: true })) as [Locator, Locator]
  const push = panel().getByRole('checkbox', { name: 'Somebody comments or replies: Push' })
  await panel().getByText('Choose the channels one by one').click()
  const first = await from.elementHandle()
  await from.fill('20:15')
  await eventually(() => releases.length === 1)
  await to.fill('06:45')
  await push.uncheck()
  releases.pop()?.()
  await page.getByText('Something went wrong.').first().waitFor({ state: 'attached' })
  const { quietHours } = await world.read('/api/v1/preferences')
  assert.equal([quietHours?.['start'], quietHours?.['end']], ['20:15', '06:45'])
  assert.equal([await from.inputValue(), await to.inputValue(), await push.isChecked()], ['20:15', '06:45', true])
  assert.equal(patches.slice(0, 2), [{ quietHours: { start: '20:15' } }, { quietHours: { end: '06:45' } }])
  // The field must stay the same element, so that typing the minutes can continue after the hour.
  assert.is(await first?.evaluate(field => field.isConnected), true)
})

test('a refused change is undone in its own tab', async () => {
  const [refusal, archive] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(`**${list}/*`, async route => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    await refusal.promise
    return route.fulfill({ status: 400, headers: { 'access-control-allow-origin': world.origin }, body: '{}' })
  })
  await page.route(/isArchived=true/, async route => {
    await archive.promise
    return route.fallback()
  })
  await bell().click()
  await row('Round 39.').hover()
  await row('Round 39.')
    .getByRole('button', { name: /^Archive/ })
    .click()
  await panel().getByRole('tab', { name: 'Archived' }).click()
  refusal.resolve()
  await panel().getByText('Something went wrong.').waitFor()
  assert.is(await row('Round 39.').count(), 0)
  archive.resolve()
  await row('Menu').waitFor()
  await panel().getByRole('tab', { name: 'All' }).click()
  await row('Round 39.').waitFor()
})

test('a refused token is requested again, once for calls and socket, else the inbox waits', async () => {
  world.site.stale = true
  await page.reload()
  await bell().click()
  await row('Round 39.').waitFor()
  assert.equal((await readEvents()).asked, [false, true])
  await page.evaluate(`(() => {
    const bare = document.createElement('platform-inbox')
    bare.lang = 'en'
    bare.addEventListener('token-needed', ({ detail }) =>
      fetch('/token?fresh=true').then(async answer => detail.provide(await answer.text())))
    document.querySelector('platform-inbox').replaceWith(bare)
  })()`)
  await bell().click()
  await row('Round 39.').waitFor()
  assert.equal(problems, [])
})

test('errors are shown and recovered: no network, too many requests', async () => {
  let answer: 'down' | 'busy' | undefined = 'down'
  await page.route(`**${list}?*`, route => {
    if (answer === 'down') return route.abort()
    if (answer === undefined) return route.fallback()
    answer = undefined
    const headers = {
      'access-control-allow-origin': world.origin,
      'access-control-expose-headers': 'retry-after',
      'retry-after': '1',
    }
    return route.fulfill({ status: 429, headers, body: '{}' })
  })
  await bell().click()
  await panel().getByText('No connection to the platform.').waitFor()
  answer = 'busy'
  await panel().getByRole('button', { name: 'Try again' }).click()
  await row('Round 39.').waitFor()
  assert.is(answer, undefined)
})

test('a lost socket is shown after a while, and missed notifications arrive once, then new ones', async () => {
  let [isDown, isJoined] = [false, false]
  const open: (() => Promise<void>)[] = []
  await page.routeWebSocket(/\/ws\?/, async socket => {
    if (isDown) return socket.close({ code: 1011 })
    const platform = socket.connectToServer()
    platform.onMessage(message => {
      socket.send(message)
      isJoined ||= String(message).includes('"ack"')
    })
    open.push(async () => void (await Promise.all([platform.close(), socket.close({ code: 1012 })])))
  })
  // Runs the inbox's growing delays ten times as fast.
  await page.addInitScript(`{
    const pause = setTimeout
    setTimeout = (act, ms = 0, ...rest) => pause(act, ms / 10, ...rest)
  }`)
  await page.reload()
  await bell().click()
  await row('Round 39.').waitFor()
  await eventually(() => isJoined, 30_000)
  const awaitArrival = (title: string) => eventually(async () => (await readEvents()).arrived.includes(title), 30_000)
  await world.send('Before the fall')
  await awaitArrival('Before the fall')
  isDown = true
  for (const close of open.splice(0)) await close()
  await panel().getByText('Live updates are paused').waitFor()
  await world.send('While it was away')
  isDown = false
  await panel().getByText('Live updates are paused').waitFor({ state: 'hidden' })
  await awaitArrival('While it was away')
  await world.send('After it')
  await awaitArrival('After it')
  for (const title of ['Before the fall', 'While it was away', 'After it']) await row(title).waitFor()
  await unread(3)
  assert.equal(
    await Promise.all(['Before the fall', 'While it was away', 'After it'].map(title => row(title).count())),
    [1, 1, 1],
  )
  assert.equal((await readEvents()).arrived, ['Before the fall', 'While it was away', 'After it'])
  await panel().getByRole('button', { name: 'Mark all as read' }).click()
  await unread(0)
  assert.equal(problems, [])
})

test('for a former member only a count is requested, and updates resume when they return', async () => {
  let isOut = true
  const requestCounts = { sockets: 0, counts: 0 }
  await page.routeWebSocket(/\/ws\?/, socket => {
    requestCounts.sockets++
    if (isOut) return socket.close({ code: 4403 })
    socket.connectToServer()
  })
  const headers = { 'access-control-allow-origin': world.origin }
  await page.route(`**${list}/unread-count`, route => {
    requestCounts.counts++
    return isOut ? route.fulfill({ status: 403, headers, body: '{}' }) : route.fallback()
  })
  // Runs the inbox's minutes a hundred times as fast.
  await page.addInitScript(`{
    const every = setInterval
    setInterval = (act, ms) => every(act, ms / 100)
  }`)
  await page.reload()
  await bell().click()
  await panel().getByText('Live updates are paused').waitFor()
  await eventually(() => requestCounts.counts > 3)
  assert.is(requestCounts.sockets, 1)
  isOut = false
  await panel().getByText('Live updates are paused').waitFor({ state: 'hidden' })
  await world.send('Let in again')
  await eventually(async () => (await readEvents()).arrived.includes('Let in again'))
  assert.is(requestCounts.sockets, 2)
})

test('inside a page it takes no focus, is a region, and uses the member’s language', async () => {
  await page.evaluate(`(() => {
    const part = document.createElement('platform-inbox')
    part.toggleAttribute('inline', true)
    part.token = document.querySelector('platform-inbox').token
    part.style.setProperty('--inbox-accent', 'rgb(1, 99, 2)')
    document.documentElement.dir = 'rtl'
    document.querySelector('platform-inbox').replaceWith(part)
  })()`)
  const region = page.getByRole('region', { name: 'Notifications' })
  await region.getByRole('tab', { name: 'Non lues' }).waitFor()
  await region.getByRole('listitem').first().waitFor()
  assert.is(await page.evaluate('document.activeElement.tagName'), 'BODY')
  assert.is(await page.getByRole('button', { name: /^Notifications, / }).count(), 0)
  // Right to left, and in the page's own colours.
  const first = region.getByRole('listitem').first()
  const [face, time] = [await first.locator('.face').boundingBox(), await first.locator('time').boundingBox()]
  assert.ok((face?.x ?? 0) > (time?.x ?? 0))
  const colour = await region.locator('.tabs [aria-selected="true"]').evaluate(tab => {
    return (
      globalThis as unknown as { getComputedStyle(element: unknown, part: string): { backgroundColor: string } }
    ).getComputedStyle(tab, '::after').backgroundColor
  })
  assert.is(colour, 'rgb(1, 99, 2)')
  // Sizes follow the reader's font size.
  const height = () =>
    first.locator('.face').evaluate(face => (face as unknown as { clientHeight: number }).clientHeight)
  assert.is(await height(), 40)
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  assert.is(await height(), 80)
  await page.evaluate("document.documentElement.style.fontSize = ''")
  await region.getByRole('button', { name: 'Préférences' }).click()
  await page.getByRole('region', { name: 'Préférences' }).getByRole('switch').first().waitFor()
  await page.keyboard.press('Escape')
  await region.getByRole('tab', { name: 'Toutes' }).waitFor()
  assert.equal(await hindrances(page), [])
  await page.evaluate("document.querySelector('platform-inbox').toggleAttribute('preferences', true)")
  await page.evaluate("document.querySelector('platform-inbox').setAttribute('timezone', 'Europe/Paris')")
  await page.getByRole('region', { name: 'Préférences' }).getByRole('switch').first().waitFor()
  assert.is(await page.evaluate('document.activeElement.tagName'), 'BODY')
  assert.equal(problems, [])
})

test.run()
