import { assert, eventually } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound, wide } from '../front-world.ts'
import { blocksOf, content, waitUntilSaved } from './steps.ts'

let world: FrontWorld
const test = frontSuite(
  'blocks as they are stored and edited',
  startedWorld => {
    world = startedWorld
  },
  { expectedErrors: /Failed to load resource/ },
)

type StoredBlock = { type: string; data: object; [key: string]: unknown }

const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const nested = (text: string, items: object[] = [], meta = {}) => ({ content: text, meta, items })

/** Every kind of block that the reader shows and every mark, and how it is stored after `x` was typed in each text. */
const blocks: [before: StoredBlock, after: StoredBlock][] = [
  [
    { id: 'p1', type: 'paragraph', data: { text: 'Plain &amp; <b>bold</b>' }, tunes: { left: 1 } },
    { id: 'p1', type: 'paragraph', data: { text: 'Plain &amp; <b>boldx</b>' }, tunes: { left: 1 } },
  ],
  ...['<strong>a</strong>', '<i>a</i>', '<em>a</em>', '<u>a</u>', '<s>a</s>', '<b><i>a</i></b>'].map(
    (text): [StoredBlock, StoredBlock] => [
      { type: 'paragraph', data: { text } },
      {
        type: 'paragraph',
        data: { text: text.replace('a<', 'ax<').replaceAll('strong>', 'b>').replaceAll('em>', 'i>') },
      },
    ],
  ),
  ...[
    ['<mark class="cdx-marker">a</mark>', '<mark class="cdx-marker">ax</mark>'],
    ['<code class="inline-code">a</code>', '<code class="inline-code">ax</code>'],
    ['<a href="https://hotel.example/?a=1&amp;b=2">a</a>', '<a href="https://hotel.example/?a=1&amp;b=2">a</a>x'],
    ['<a href="https://hotel.example/"><b>a</b></a>', '<a href="https://hotel.example/"><b>a</b></a><b>x</b>'],
    ['a&nbsp;&nbsp;b<br>c &lt;i&gt;', 'a&nbsp;&nbsp;b<br>c &lt;i&gt;x'],
  ].map(([before, after]): [StoredBlock, StoredBlock] => [
    { type: 'paragraph', data: { text: before } },
    { type: 'paragraph', data: { text: after } },
  ]),
  ...[1, 2, 3, 4, 6].map((level): [StoredBlock, StoredBlock] => [
    { type: 'header', data: { text: 'Head', level } },
    { type: 'header', data: { text: 'Headx', level } },
  ]),
  [
    { type: 'heading', data: { text: 'Head', anchor: 'h' } },
    { type: 'heading', data: { text: 'Headx', anchor: 'h', level: 2 } },
  ],
  [
    { type: 'list', data: { style: 'unordered', items: ['One', '<b>Two</b>'] } },
    { type: 'list', data: { style: 'unordered', items: ['Onex', '<b>Twox</b>'] } },
  ],
  [
    {
      type: 'list',
      data: {
        style: 'ordered',
        meta: { start: 3, counterType: 'numeric' },
        items: [nested('A', [nested('B', [nested('C')])])],
      },
    },
    {
      type: 'list',
      data: {
        style: 'ordered',
        meta: { start: 3, counterType: 'numeric' },
        items: [nested('Ax', [nested('Bx', [nested('Cx')])])],
      },
    },
  ],
  [
    { type: 'nestedList', data: { style: 'unordered', items: [{ ...nested('A'), key: 1 }] } },
    { type: 'nestedList', data: { style: 'unordered', items: [{ ...nested('Ax'), key: 1 }] } },
  ],
  [
    {
      type: 'list',
      data: { style: 'checklist', items: [nested('A', [nested('B', [], { checked: false })], { checked: true })] },
    },
    {
      type: 'list',
      data: { style: 'checklist', items: [nested('Ax', [nested('Bx', [], { checked: false })], { checked: true })] },
    },
  ],
  [
    {
      type: 'checklist',
      data: {
        items: [
          { text: 'A', checked: true },
          { text: 'B', checked: false },
        ],
      },
    },
    {
      type: 'checklist',
      data: {
        items: [
          { text: 'Ax', checked: true },
          { text: 'Bx', checked: false },
        ],
      },
    },
  ],
  [
    { type: 'quote', data: { text: 'Said', caption: '', alignment: 'center' } },
    { type: 'quote', data: { text: 'Saidx', caption: 'x', alignment: 'center' } },
  ],
  [
    { type: 'warning', data: { title: 'Mind', message: 'the <i>gap</i>' } },
    { type: 'warning', data: { title: 'Mindx', message: 'the <i>gapx</i>' } },
  ],
  [
    { type: 'alert', data: { title: '', message: 'Wet', level: 'high' } },
    { type: 'alert', data: { title: 'x', message: 'Wetx', level: 'high' } },
  ],
  [
    { type: 'code', data: { code: 'if (a < b)\n  go()' } },
    { type: 'code', data: { code: 'if (a < b)\n  go()x' } },
  ],
  [
    { type: 'delimiter', data: {} },
    { type: 'delimiter', data: {} },
  ],
  [
    { type: 'image', data: { file: { url: picture, w: 1 }, caption: 'Pool', stretched: true } },
    { type: 'image', data: { file: { url: picture, w: 1 }, caption: 'Poolx', stretched: true } },
  ],
  [
    { type: 'simpleImage', data: { url: picture, caption: '' } },
    { type: 'simpleImage', data: { url: picture, caption: 'x' } },
  ],
  [
    { type: 'video', data: { file: { url: 'https://film.example/a.mp4' }, caption: 'Film' } },
    { type: 'video', data: { file: { url: 'https://film.example/a.mp4' }, caption: 'Filmx' } },
  ],
  [
    {
      type: 'embed',
      data: {
        service: 'tube',
        source: 'https://film.example/a',
        embed: 'https://film.example/e',
        caption: 'A &amp; B',
      },
    },
    {
      type: 'embed',
      data: {
        service: 'tube',
        source: 'https://film.example/a',
        embed: 'https://film.example/e',
        caption: 'A &amp; Bx',
      },
    },
  ],
  [
    { type: 'linkTool', data: { link: 'https://site.example/', meta: { title: 'Site', image: { url: picture } } } },
    { type: 'linkTool', data: { link: 'https://site.example/', meta: { title: 'Sitex', image: { url: picture } } } },
  ],
  [
    { type: 'attaches', data: { file: { url: 'https://file.example/a.pdf', name: 'a.pdf', size: 7 }, title: 'Menu' } },
    { type: 'attaches', data: { file: { url: 'https://file.example/a.pdf', name: 'a.pdf', size: 7 }, title: 'Menux' } },
  ],
  [
    {
      type: 'table',
      data: {
        withHeadings: true,
        stretched: true,
        content: [
          ['H', '<b>I</b>'],
          ['1', ''],
        ],
      },
    },
    {
      type: 'table',
      data: {
        withHeadings: true,
        stretched: true,
        content: [
          ['Hx', '<b>Ix</b>'],
          ['1x', 'x'],
        ],
      },
    },
  ],
  [
    { type: 'table', data: { withHeadings: false, content: [['1']] } },
    { type: 'table', data: { withHeadings: false, content: [['1x']] } },
  ],
  ...[
    { type: 'timeline', data: { steps: ['a'] } },
    { type: 'image', data: { caption: 'Lost' } },
    { type: 'table', data: { content: [[{ text: 'a' }]] } },
    { type: 'list', data: { items: [] } },
  ].map((block): [StoredBlock, StoredBlock] => [block, block]),
]
const storedBlocks = blocks.map(([before]) => before)
const last = { type: 'paragraph', data: { text: 'Last' } }
const documentOf = (list: object[]) => ({ version: '2.30', blocks: [...list, last] })

const texts = ['p', 'h2', 'h3', 'h4', 'blockquote', 'figcaption', 'td', 'th', 'pre > code', '.card-name']

test('every kind of block is kept when another one is edited', async () => {
  const id = await world.writePage('All kinds', {
    content: documentOf([...storedBlocks, 'no block' as never, null as never]),
  })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  await content(page).getByText('Last').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await waitUntilSaved(page)
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('Last!'))
  assert.equal(await blocksOf(world, id), [...storedBlocks, 'no block', null, { ...last, data: { text: 'Last!' } }])
  await isSound(page, 'every kind of block')
})

test('every text of every kind of block is edited, and all else of the block stays', async () => {
  const id = await world.writePage('All texts', { content: documentOf(storedBlocks) })
  const page = await world.openAs(world.admin, `/write/${id}`, wide)
  const selector = texts.map(one => `.block-text ${one}`).join()
  await page.locator(selector).first().waitFor()
  const count = await page.locator(selector).count()
  for (let index = 0; index < count; index++) {
    await page.evaluate(`{
      const place = document.querySelectorAll('${selector}')[${index}]
      place.closest('[role=textbox]').focus()
      getSelection().selectAllChildren(place)
      getSelection().collapseToEnd()
    }`)
    await page.keyboard.type('x')
  }
  await waitUntilSaved(page)
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('Lastx'))
  assert.equal(await blocksOf(world, id), [...blocks.map(([, after]) => after), { ...last, data: { text: 'Lastx' } }])
  for (let steps = 0; steps < count + 5; steps++) await page.keyboard.press('Control+z')
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('"Last"'))
  assert.equal(await blocksOf(world, id), [...storedBlocks, last], 'undo brings back what was stored')
})

test.run()
