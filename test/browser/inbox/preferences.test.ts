import type { Page } from 'playwright-core'
import type { LooseJson } from '../../../cli/tour/client.ts'
import { hindrances } from '../../kit/axe.ts'
import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { focused, startInbox } from './site.ts'

/** How the inbox starts, what it shows of a row, and its preferences, over a whole platform. */
const test = browserSuite('start, rows and preferences of the inbox in a browser')

let world: Awaited<ReturnType<typeof startInbox>>
let page: Page
let problems: string[]

test.before(async () => {
  world = await startInbox()
})
test.after(() => world?.end())
test.before.each(async () => {
  problems = []
  page = await world.context.newPage()
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(world.origin)
})
test.after.each(() => page?.close())

const bell = () => page.getByRole('button', { name: /^Notifications, / })
const unread = (count: number) =>
  page.getByRole('button', { name: `Notifications, ${count === 0 ? 'no' : count} unread` }).waitFor()
const panel = () => page.getByRole('dialog', { name: /Notifications|Preferences/ })
const row = (title: string) => panel().getByRole('listitem').filter({ hasText: title })

test('an inbox that is added while the page is still loading starts once it is loaded', async () => {
  const isStarted = await page.evaluate(`(() => {
    Object.defineProperty(document, 'readyState', { value: 'interactive' })
    const late = document.createElement('platform-inbox')
    document.body.append(late)
    dispatchEvent(new Event('load'))
    const { length } = late.shadowRoot.children
    late.remove()
    return length > 0
  })()`)
  assert.ok(isStarted)
})

test('actions and messages cover no text, with a pointer and with a finger', async () => {
  const covered = () =>
    page.evaluate<string[]>(`(() => {
      const root = document.querySelector('platform-inbox').shadowRoot
      const over = [...root.querySelectorAll('.actions button, .toast')].filter(one => one.checkVisibility())
      const walker = document.createTreeWalker(root.querySelector('.panel'), NodeFilter.SHOW_TEXT)
      const found = []
      while (walker.nextNode()) {
        const text = walker.currentNode
        const parent = text.parentElement
        if (!text.data.trim() || parent.closest('.actions, .toast, .hidden') || !parent.checkVisibility()) continue
        const range = document.createRange()
        range.selectNodeContents(text)
        // Text beyond its lines, or scrolled away, isn't seen.
        const clips = [parent.closest('.text'), parent.closest('.content, .preferences')].filter(Boolean)
        const clipped = clips.map(one => one.getBoundingClientRect())
        for (const rect of range.getClientRects())
          for (const one of over) {
            const box = one.getBoundingClientRect()
            const top = Math.max(rect.top, ...clipped.map(clip => clip.top))
            const bottom = Math.min(rect.bottom, ...clipped.map(clip => clip.bottom))
            if (bottom <= top) continue
            if (rect.left < box.right - 1 && rect.right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1)
              found.push(text.data + ' below ' + (one.title || one.className))
          }
      }
      return found
    })()`)
  const title = 'A title that is long enough to fill the line of a narrow panel, and the next one too'
  await world.send(title, { body: `${title}. ${title}` })
  await bell().click()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await row(title).hover()
    assert.equal(await covered(), [])
    await row(title)
      .getByRole('button', { name: /^Archive/ })
      .click()
    await panel().getByRole('button', { name: 'Undo' }).waitFor()
    assert.equal(await covered(), [])
    await panel().getByRole('button', { name: 'Undo' }).click()
    await row(title).waitFor()
  }
  const finger = await world.context.newCDPSession(page)
  await finger.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  assert.equal(await covered(), [])
  await row(title).getByRole('button').first().click()
  await unread(0)
  assert.equal(problems, [])
})

test('notifications are in the language of the page, and change with it', async () => {
  await world.comment('Superbe')
  await bell().click()
  const item = panel().getByRole('listitem').filter({ hasText: 'Superbe' })
  await item.getByText('commented on “Menu”').waitFor()
  await page.evaluate("document.querySelector('platform-inbox').lang = 'fr'")
  // Another language restarts the inbox, closed.
  await bell().click()
  await item.getByText(/a commenté\s«\sMenu\s»/).waitFor()
  await page.getByRole('tab', { name: 'Non lues' }).waitFor()
  assert.is(await page.getByRole('button', { name: /^Archiver: .* a commenté/ }).count(), 1)
  assert.equal(problems, [])
})

test('times are in the time zone of the attribute, and a pause until the morning ends at eight there', async () => {
  const timeZone = 'Asia/Kathmandu'
  const timeOf = (time: number) => new Date(time).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })
  await page.evaluate(`document.querySelector('platform-inbox').setAttribute('timezone', '${timeZone}')`)
  await world.send('Where is noon?')
  await bell().click()
  const notification = ((await world.read('/api/v1/notifications'))['data'] as { createdAt: string }[])[0]
  const timeTitle = await row('Where is noon?').locator('time').getAttribute('title')
  assert.match(timeTitle ?? '', timeOf(Date.parse(notification?.createdAt ?? '')).slice(-3))
  await panel().getByRole('button', { name: 'Preferences' }).click()
  const pause = panel().getByLabel('Do not disturb')
  assert.is(await panel().getByLabel('Time zone').count(), 0)
  await pause.selectOption('morning')
  await pause.locator('option[value=on]').waitFor({ state: 'attached' })
  const until = (await world.read('/api/v1/preferences'))['dndUntil']
  assert.is(timeOf(Math.round(Date.parse(String(until)) / 60_000) * 60_000), '08:00')
  await pause.selectOption('0')
  assert.equal(problems, [])
})

test('a sentence switches a topic, and its channels one by one; it is mixed where they differ', async () => {
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  const box = (name: string) => panel().getByRole('checkbox', { name, exact: true })
  const states = (...names: string[]) =>
    Promise.all(
      names.map(name =>
        box(name).evaluate(one => {
          const { checked, indeterminate } = one as unknown as { checked: boolean; indeterminate: boolean }
          return indeterminate ? 'mixed' : checked
        }),
      ),
    )
  const saved = (holds: (prefs: Record<string, LooseJson>) => boolean) =>
    eventually(async () => holds((await world.read('/api/v1/preferences'))['categoryPrefs'] as never))
  const comments = 'Somebody comments or replies'
  const watched = [comments, 'Everything: Push', 'A page is published']
  await box(comments).waitFor()
  assert.is(await panel().getByRole('checkbox').count(), 10, 'sentences before the details')
  await panel().getByText('Choose the channels one by one').click()
  assert.equal(await states(...watched), [true, true, true])
  await box(`${comments}: Push`).uncheck()
  assert.equal(await states(...watched), ['mixed', 'mixed', true])
  await saved(prefs => prefs['comment.created']?.['push'] === (false as unknown))
  // A mixed column turns on, then off.
  await box('Everything: Push').focus()
  await page.keyboard.press('Space')
  assert.equal(await states(...watched), [true, true, true])
  await page.keyboard.press('Space')
  assert.equal(await states(...watched, 'The hotel itself changes: Push'), ['mixed', false, 'mixed', false])
  await saved(
    prefs => Object.values(prefs).length >= 18 && Object.values(prefs).every(one => one['push'] === (false as unknown)),
  )
  assert.is(await focused(page), 'Everything: Push')
  await box(comments).click()
  await saved(prefs => Object.values(prefs['comment.created'] ?? {}).every(on => on === (true as unknown)))
  await box(comments).click()
  await saved(prefs => ['app', 'socket', 'push'].every(one => prefs['comment.deleted']?.[one] === (false as unknown)))
  // Nobody is mailed about comments, so there is no switch for it.
  assert.is(await panel().getByLabel(`${comments}: E-mail`).count(), 0)
  for (const channel of ['In app', 'Live', 'Push', 'E-mail']) await box(`Everything: ${channel}`).check()
  await saved(prefs => Object.values(prefs).every(one => Object.values(one).every(on => on === (true as unknown))))
  assert.equal(await states(...watched), [true, true, true])
  assert.equal(problems, [])
})

test('news by e-mail are chosen with hour and day, and the quiet hours then say that they wait', async () => {
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  const frequency = panel().getByLabel('How often')
  assert.is(await frequency.inputValue(), 'automatic')
  assert.is(await panel().getByRole('combobox', { name: 'Day', exact: true }).count(), 0)
  await frequency.selectOption('weekly')
  await panel().getByText('the digest, reminders and messages wait').waitFor()
  await panel().getByRole('combobox', { name: 'Day', exact: true }).selectOption('Friday')
  await panel().getByRole('combobox', { name: 'Time', exact: true }).selectOption('17')
  const readDigest = async () => {
    const { emailDigest, digestHour, digestWeekday } = (await world.read('/api/v1/preferences')) as Record<
      string,
      unknown
    >
    return [emailDigest, digestHour, digestWeekday].join()
  }
  await eventually(async () => (await readDigest()) === 'weekly,17,5')
  await page.reload()
  await bell().click()
  await panel().getByRole('button', { name: 'Preferences' }).click()
  await panel().getByText('the digest, reminders and messages wait').waitFor()
  assert.equal(
    [await frequency.inputValue(), await panel().getByRole('combobox', { name: 'Day', exact: true }).inputValue()],
    ['weekly', '5'],
  )
  await frequency.selectOption('off')
  await panel().getByText('those of reminders and messages wait').waitFor()
  assert.equal(problems, [])
})

for (const [colorScheme, width] of [
  ['light', 390],
  ['dark', 1280],
] as const)
  test(`rows, messages and preferences are accessible in ${colorScheme} colours at ${width} pixels`, async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    const title = `Fresh ${colorScheme} ${width}`
    await world.send(title)
    await bell().click()
    await row(title).hover()
    assert.equal(await hindrances(page), [])
    await row(title)
      .getByRole('button', { name: /^Archive/ })
      .click()
    await panel().getByRole('button', { name: 'Undo' }).waitFor()
    assert.equal(await hindrances(page), [])
    await panel().getByRole('button', { name: 'Preferences' }).click()
    await panel().getByText('Choose the channels one by one').click()
    await panel().getByRole('checkbox', { name: 'Everything: Push' }).waitFor()
    assert.equal(await hindrances(page), [])
    const overflow = await page.evaluate<number>(`(() => {
      const form = document.querySelector('platform-inbox').shadowRoot.querySelector('.preferences')
      return form.scrollWidth - form.clientWidth
    })()`)
    assert.is(overflow, 0)
    assert.equal(problems, [])
  })

test.run()
