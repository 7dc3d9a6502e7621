import { browserSuite } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { startInbox } from './site.ts'

/** What happens to queued changes when the page is left. */
const test = browserSuite('the inbox on a closing page')

let world: Awaited<ReturnType<typeof startInbox>>
test.before(async () => {
  world = await startInbox()
})
test.after(() => world?.end())

/** The first change is never answered, so that later ones stay queued. */
const unanswered = `{
  const go = fetch
  globalThis.changes = 0
  globalThis.fetch = (url, init) =>
    init?.method && init.method !== 'GET' && changes++ === 0 ? new Promise(() => undefined) : go(url, init)
}`

test('pending changes of the preferences are stored, the latest of each', async () => {
  const page = await world.context.newPage()
  await page.addInitScript(unanswered)
  await page.goto(world.origin)
  await page.getByRole('button', { name: /^Notifications, / }).click()
  const panel = page.getByRole('dialog', { name: /Notifications|Preferences/ })
  await panel.getByRole('button', { name: 'Preferences' }).click()
  await panel.getByText('Choose the channels one by one').click()
  const box = (name: string) => panel.getByRole('checkbox', { name })
  await box('Somebody comments or replies: In app').uncheck()
  await eventually(() => page.evaluate<boolean>('changes === 1'))
  for (const name of [
    'I still have to confirm a page: E-mail',
    'Somebody comments or replies: Push',
    'Somebody reacts to my page or comment: Push',
  ])
    await box(name).uncheck()
  await box('Somebody comments or replies: Push').check()
  await panel.getByRole('switch', { name: /^Mute everything/ }).check()
  await panel.getByLabel('Do not disturb').selectOption('3600')
  await panel.getByLabel('Do not disturb').selectOption('0')
  assert.is(await page.evaluate('changes'), 1)
  await page.goto('about:blank')
  await eventually(async () => (await world.read('/api/v1/preferences'))['isGlobalSilent'] === (true as unknown))
  await eventually(async () => {
    const { categoryPrefs, doNotDisturb } = await world.read('/api/v1/preferences')
    const [comments, likes, duties] = ['comment.created', 'like.created', 'page.reminded'].map(
      kind => categoryPrefs?.[kind],
    )
    return (
      [comments?.['app'], duties?.['email'], comments?.['push'], likes?.['push'], doNotDisturb].join() ===
      'true,false,true,false,false'
    )
  })
  await page.close()
})

test.run()
