import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { comesTrue } from '../../kit/browser.ts'
import { assert, eventually } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound, parsedHandler, wide } from '../front-world.ts'
import { blocksOf, content, idIn, paste, storedPage, waitForToast, waitUntilSaved } from './steps.ts'

let world: FrontWorld
/** Blocks, pictures, events and polls, as editors write them. */
const test = frontSuite(
  'blocks and files',
  startedWorld => {
    world = startedWorld
  },
  { expectedErrors: parsedHandler },
)

const create = (blocks: object[]): Promise<string> => world.writePage('Blocks', { content: { blocks } })
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } })
/** Goes to one of the tools by keyboard alone. */
const reach = async (page: Page, tool: RegExp) => {
  await page.keyboard.press('Alt+F10')
  for (let tries = 0; tries < 14; tries++) {
    const name = await page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')
    if (tool.test(name)) break
    await page.keyboard.press('Tab')
  }
}
/** Chooses from a menu of the tools by keyboard alone. */
const choose = async (page: Page, menu: RegExp, choice: string) => {
  await reach(page, menu)
  await page.keyboard.press('Enter')
  assert.ok(await comesTrue(page, `/^menuitem/.test(document.activeElement.role)`), choice)
  for (let tries = 0; tries < 14; tries++) {
    if ((await page.evaluate<string>('document.activeElement.textContent')) === choice) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test('the keyboard alone writes headings, lists, links and lines, moves and removes blocks', async () => {
  const page = await world.openAs(world.admin, '/write/new', wide)
  await page.getByLabel('Title').fill('By keyboard')
  await page.keyboard.press('Enter')
  await choose(page, /^Kind of block/, 'Heading')
  await page.keyboard.type('Opening hours')
  await page.keyboard.press('Enter')
  await choose(page, /^Kind of block/, 'List')
  await page.keyboard.type('Pool')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sauna')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('See the plan')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('hotel.example/plan')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'plan' }).waitFor()
  await choose(page, /^Add a block/, 'Line')
  await waitUntilSaved(page)
  const id = idIn(page)
  const list = { type: 'list', data: { style: 'unordered', items: ['Pool', 'Sauna'] } }
  const heading = { type: 'header', data: { text: 'Opening hours', level: 2 } }
  const linked = paragraph('See the <a href="https://hotel.example/plan">plan</a>')
  const line = { type: 'delimiter', data: {} }
  assert.equal(await blocksOf(world, id), [heading, list, linked, line])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await eventually(
    async () => JSON.stringify(await blocksOf(world, id)) === JSON.stringify([heading, list, line, linked]),
  )
  await page.keyboard.press('Delete')
  await eventually(async () => JSON.stringify(await blocksOf(world, id)) === JSON.stringify([heading, list, linked]))
  await reach(page, /^Remove block/)
  await page.keyboard.press('Enter')
  await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 2)
  await page.keyboard.press('Control+z')
  await eventually(async () => JSON.stringify(await blocksOf(world, id)) === JSON.stringify([heading, list, linked]))
  await page.getByRole('button', { name: 'Redo' }).click()
  await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => JSON.stringify(await blocksOf(world, id)) === JSON.stringify([heading, list, linked]))
})

test('a pasted text becomes paragraphs, Backspace joins them, and hostile HTML runs nothing', async () => {
  const id = await create([paragraph('Start ')])
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await content(page).getByRole('textbox').first().click()
  await page.keyboard.press('Control+End')
  await paste(page, { 'text/plain': 'one <b>\n\ntwo\nthree' })
  await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 3)
  assert.equal(await blocksOf(world, id), [paragraph('Start one &lt;b&gt;'), paragraph('two'), paragraph('three')])
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 2)
  assert.equal(await blocksOf(world, id), [paragraph('Start one &lt;b&gt;'), paragraph('twothree')])
  await page.keyboard.press('Control+End')
  await paste(page, {
    'text/plain': 'four',
    'text/html':
      '<p onclick="alert(1)"> <a href="javascript:alert(2)">four</a><img src=x onerror="alert(3)"></p><script>alert(4)</script>',
  })
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('four'))
  assert.equal(await blocksOf(world, id), [paragraph('Start one &lt;b&gt;'), paragraph('twothreefour')])
})

test('blocks of other clients stay as they are, and a hostile text runs nothing', async () => {
  const other = { id: 'x1', type: 'timeline', data: { steps: ['<img src=x onerror=alert(1)>'] }, tunes: { a: 1 } }
  const table = { type: 'table', data: { content: [['<img src=x onerror=alert(1)>', 'a'], ['b']] } }
  const hostile = paragraph('<img src=x onerror="alert(1)"><b>bold</b><svg onload=alert(2)>')
  const id = await create([other, table, hostile, { id: 'q', ...paragraph('Last'), tunes: { b: 2 } }])
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await content(page).getByText('“timeline” was written in another application').waitFor()
  assert.is(await content(page).locator('img:not(.ProseMirror-separator), svg[onload]').count(), 0)
  await content(page).getByText('Last').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' word')
  await waitUntilSaved(page)
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('Last word'))
  const last = { id: 'q', ...paragraph('Last word'), tunes: { b: 2 } }
  assert.equal(await blocksOf(world, id), [other, table, hostile, last])
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 5)
  const { id: _id, ...half } = { ...last, ...paragraph('ast word') }
  assert.equal(await blocksOf(world, id), [other, table, hostile, { ...last, ...paragraph('L') }, half])
  await isSound(page, 'blocks')
})

test('a picture is sent with its progress, and a forbidden file is refused in words', async () => {
  const id = await create([paragraph('Our new pool'), paragraph('Closed')])
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await content(page).getByText('Our new pool').click()
  const noise = Buffer.from(Array.from({ length: 400 * 300 * 3 }, () => Math.floor(Math.random() * 256)))
  const picture = await sharp(noise, { raw: { width: 400, height: 300, channels: 3 } })
    .png()
    .toBuffer()
  const session = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 30_000 }
  await session.send('Network.emulateNetworkConditions', slow)
  const chooser = content(page).locator('input[type=file][accept]')
  await chooser.setInputFiles({ name: 'pool.png', mimeType: 'image/png', buffer: picture })
  const bar = page.getByRole('progressbar', { name: 'Upload of pool.png' })
  await eventually(async () => {
    const share = Number(await bar.getAttribute('value', { timeout: 5_000 }))
    return share > 0 && share < 1
  })
  await content(page).getByText('Closed').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' on ')
  await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
  await content(page).locator('figure img').waitFor()
  await page.keyboard.type('Mondays')
  await content(page).locator('figcaption').click()
  await page.keyboard.type('The pool at noon')
  await waitUntilSaved(page)
  const blocks = (await blocksOf(world, id)) as { type: string; data: { caption?: string; file?: { width: number } } }[]
  assert.equal(
    blocks.map(({ type, data }) => [type, data.caption]),
    [
      ['paragraph', undefined],
      ['image', 'The pool at noon'],
      ['paragraph', undefined],
    ],
  )
  assert.is(blocks[1]?.data.file?.width, 400)
  assert.match((await content(page).locator('figure img').getAttribute('srcset')) ?? '', /medium 400w/)
  assert.equal(blocks.at(-1), paragraph('Closed on Mondays'))
  const program = {
    name: 'holiday.png',
    mimeType: 'image/png',
    buffer: Buffer.from('MZ this is a program\u0000\u0001'),
  }
  await chooser.setInputFiles(program)
  await content(page).getByText('Only pictures are accepted here.').waitFor()
  assert.is(await content(page).locator('figure').count(), 1)
  const large = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(11_000_000, 1) }
  const files = page.getByRole('group', { name: 'Pictures and files' })
  await files.locator('input[type=file]').setInputFiles(large)
  await files.getByText('too large').waitFor()
  await isSound(page, 'upload')
  await files.locator('input[type=file]').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture })
  await files.getByRole('img', { name: 'Picture 1' }).waitFor()
  await waitUntilSaved(page)
  await eventually(async () => (await storedPage(world, id)).medias.length === 1)
  assert.is((await storedPage(world, id)).medias[0]?.type, 'image')
})

test('a poll with its options and an event with its times and a new category are written', async () => {
  const page = await world.openAs(world.admin, '/write/new', { ...wide, timezoneId: 'Europe/Paris' })
  await page.getByLabel('Title').fill('Where to go?')
  await page.getByLabel('Kind of page').selectOption('poll')
  await page.getByLabel('Option 1').fill('Sea')
  assert.is(await page.getByRole('button', { name: 'Publish' }).isDisabled(), true)
  await page.getByRole('status').getByText('the poll needs two different options').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await waitForToast(page, 'Complete the poll first.')
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep writing' }).click()
  await page.getByLabel('Option 2').fill('Hills')
  await waitUntilSaved(page)
  await eventually(async () => {
    const poll = await world.news('GET', `/api/v1/polls/${idIn(page)}`)
    return (poll['options'] as unknown as { label: string }[]).map(({ label }) => label).join() === 'Sea,Hills'
  })
  await page.getByLabel('Allow several answers').check()
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('article', { name: 'Preview' }).getByRole('region', { name: 'Poll' })
  await preview.getByText('You can choose several answers.').waitFor()
  for (const name of ['Sea', 'Hills']) assert.ok(await preview.getByRole('checkbox', { name }).isDisabled())
  await isSound(page, 'preview of a poll')
  await page.getByRole('button', { name: 'Back to writing' }).click()
  await page.getByLabel('Kind of page').selectOption('event')
  // While a year is typed, its first digits are one too.
  await page.getByLabel('Starts').fill('0203-06-01T19:00')
  assert.is(await page.getByLabel('Starts').inputValue(), '0203-06-01T19:00')
  await page.getByLabel('Starts').fill('2031-06-01T19:00')
  await page.getByLabel('Place').fill('Terrace')
  await page.getByRole('button', { name: 'New category' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Parties')
  await page.getByRole('dialog').getByRole('button', { name: 'Create the category' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitUntilSaved(page)
  const savedPage = await eventually(async () => {
    const one = await world.news('GET', `/api/v1/pages/${idIn(page)}`)
    return one['category'] ? one : undefined
  })
  assert.is(String(savedPage['eventStartsAt']), '2031-06-01T17:00:00.000Z')
  assert.is(String(savedPage['eventLocation']), 'Terrace')
  assert.is(String(savedPage['category']['name']), 'Parties')
})

test.run()
