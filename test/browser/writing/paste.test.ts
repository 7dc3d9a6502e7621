import sharp from 'sharp'
import { assert, eventually } from '../../kit/kit.ts'
import { type FrontWorld, frontSuite, isSound, wide } from '../front-world.ts'
import { blocksOf, content, idIn, paste, waitUntilSaved } from './steps.ts'

let world: FrontWorld
/** What people write with signs, and what they bring from other programs. */
const test = frontSuite(
  'shortcuts and pasted texts',
  startedWorld => {
    world = startedWorld
  },
  { expectedErrors: /Failed to load resource/ },
)

const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } })
const heading = (text: string, level = 2) => ({ type: 'header', data: { text, level } })
const list = (style: string, ...items: unknown[]) => ({ type: 'list', data: { style, items } })
const item = (text: string, ...items: unknown[]) => ({ content: text, meta: {}, items })
const table = (withHeadings: boolean, ...rows: string[][]) => ({ type: 'table', data: { withHeadings, content: rows } })
const quote = (text: string, caption = '') => ({ type: 'quote', data: { text, caption, alignment: 'left' } })

/** As Word for Windows writes it. */
const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head>
<body lang=FR><!--StartFragment--><p class=MsoTitle>Spa<o:p></o:p></p>

<h1 style='margin-top:12.0pt'>Hours<o:p></o:p></h1>

<p class=MsoNormal>Open <b style='mso-bidi-font-weight:normal'>daily</b>, see <a href="https://hotel.example/spa">the
plan</a>.<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;
</span></span></span><![endif]>Pool<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o</span>Deep</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Sauna</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>First</p>
<p class=MsoNormal><img width=20 height=20 src="file:///C:/Temp/clip_image002.png"></p>
<table class=MsoTableGrid><tr><td colspan=2><p class=MsoNormal><b>Both</b></p></td></tr>
<tr><td><p>One</p><p>more</p></td><td>Two</td></tr></table><!--EndFragment--></body></html>`
const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
const png = (await pixel.png().toBuffer()).toString('hex')
const rtf = `{\\rtf1 {\\*\\shppict{\\pict{\\*\\picprop}\\picw1\\pich1\\pngblip\\bliptag1 {\\*\\blipuid 0af}\n${png}}}{\\nonshppict{\\pict\\wmetafile8 0100}}}`

const googleDocs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span
style="font-weight:400;">Hours</span></h2><p dir="ltr"><span style="font-weight:400">Open </span><span
style="font-weight:700;">daily</span><span style="font-style:italic">, see</span> <a href="https://hotel.example/spa"
style="text-decoration:none;"><span style="text-decoration:underline">the plan</span></a></p><ul><li dir="ltr"
aria-level="1"><p role="presentation"><span>Pool</span></p></li><ul><li aria-level="2"><p
role="presentation"><span>Deep</span></p></li></ul></ul><br /><div align="left"><table><tbody><tr><td><p><span>One</span></p></td><td><p>Two</p></td></tr></tbody></table></div><p><span
style="border:none"><img src="${gif}" width="20"></span></p></b>`

const web = `<article><h3>Hours</h3><p>Open <strong>daily</strong></p><blockquote><p>Nice</p><p>Very</p></blockquote>
<figure><img src="${gif}"><figcaption>The <em>pool</em></figcaption></figure><pre><code>a\n  b</code></pre>
<ol start="3"><li>one</li><li>two</li></ol><hr><table><thead><tr><th>H</th></tr></thead><tbody><tr><th>1</th></tr></tbody></table></article>`

const markdown = `# Hours

Open **daily**, see [the plan](https://hotel.example/spa) and <b>not</b>

- Pool
  - Deep
- Sauna

1. First

- [x] Done
- [ ] Open

> Nice

\`\`\`
a < b
\`\`\`

| H | I |
|---|---|
| 1 | 2 |

---`

const picture = (caption = '') => ({ type: 'image', data: { caption } })
const cases: [name: string, copied: Record<string, string>, blocks: unknown[]][] = [
  [
    'Word',
    { 'text/html': word, 'text/plain': 'x', 'text/rtf': rtf },
    [
      heading('Spa'),
      heading('Hours'),
      paragraph('Open <b>daily</b>, see <a href="https://hotel.example/spa">the plan</a>.'),
      list('unordered', item('Pool', item('Deep')), item('Sauna')),
      list('ordered', 'First'),
      picture(),
      table(false, ['<b>Both</b>', ''], ['One<br>more', 'Two']),
    ],
  ],
  [
    'Google Docs',
    { 'text/html': googleDocs, 'text/plain': 'x' },
    [
      heading('Hours'),
      paragraph('Open <b>daily</b><i>, see</i> <a href="https://hotel.example/spa">the plan</a>'),
      list('unordered', item('Pool', item('Deep'))),
      table(false, ['One', 'Two']),
      picture(),
    ],
  ],
  [
    'a web page',
    { 'text/html': web, 'text/plain': 'x' },
    [
      heading('Hours', 3),
      paragraph('Open <b>daily</b>'),
      quote('Nice<br>Very'),
      picture('The <i>pool</i>'),
      { type: 'code', data: { code: 'a\n  b' } },
      { type: 'list', data: { style: 'ordered', items: ['one', 'two'], meta: { start: 3 } } },
      { type: 'delimiter', data: {} },
      table(true, ['H'], ['1']),
    ],
  ],
  [
    'Markdown',
    { 'text/plain': markdown },
    [
      heading('Hours'),
      paragraph('Open <b>daily</b>, see <a href="https://hotel.example/spa">the plan</a> and &lt;b&gt;not&lt;/b&gt;'),
      list('unordered', item('Pool', item('Deep')), item('Sauna')),
      list('ordered', 'First'),
      list(
        'checklist',
        { content: 'Done', meta: { checked: true }, items: [] },
        { content: 'Open', meta: { checked: false }, items: [] },
      ),
      quote('Nice'),
      { type: 'code', data: { code: 'a < b' } },
      table(true, ['H', 'I'], ['1', '2']),
      { type: 'delimiter', data: {} },
    ],
  ],
]

/** Blocks without the addresses of their files, which must be the platform's. */
const withoutFiles = (blocks: unknown): unknown[] =>
  (blocks as { type: string; data: { file?: { url: string }; caption?: string } }[]).map(block => {
    if (block.type !== 'image') return block
    assert.match(block.data.file?.url ?? '', /^https?:/)
    return picture(block.data.caption)
  })

for (const [name, copied, blocks] of cases)
  test(`what is pasted from ${name} keeps headings, lists, links, marks, tables and pictures`, async () => {
    const id = await world.writePage(`From ${name}`)
    const page = await world.openAs(world.admin, `/write/${id}`, wide)
    await content(page).getByRole('textbox').click()
    await paste(page, copied)
    await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === blocks.length)
    await waitUntilSaved(page)
    assert.equal(withoutFiles(await blocksOf(world, id)), blocks)
    await page.keyboard.press('Control+z')
    await eventually(async () => ((await blocksOf(world, id)) as unknown[]).length === 0)
  })

test('signs begin headings, lists, checklists, quotes, callouts and code, and mark words', async () => {
  const page = await world.openAs(world.admin, '/write/new', wide)
  await page.getByLabel('Title').fill('By signs')
  await page.keyboard.press('Enter')
  const type = async (...lines: string[]) => {
    for (const line of lines) {
      await page.keyboard.type(line)
      await page.keyboard.press('Enter')
    }
  }
  await type('# Head', '## Under', '- a', 'b', '', '1. c', '', '[ ] d')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('End')
  await type('', '', '> said', 'by me', 'x **b** *i* _i_ ~~s~~ `c` ==m== 2 * 3 * 4')
  await page.keyboard.type('---! mind')
  await page.keyboard.press('Enter')
  await page.keyboard.type('``` go')
  await waitUntilSaved(page)
  const blocks = [
    heading('Head'),
    heading('Under', 3),
    list('unordered', 'a', 'b'),
    list('ordered', 'c'),
    { type: 'list', data: { style: 'checklist', items: [{ content: 'd', meta: { checked: true }, items: [] }] } },
    quote('said', 'by me'),
    paragraph('x <b>b</b> <i>i</i> <i>i</i> <s>s</s> <code>c</code> <mark>m</mark> 2 * 3 * 4'),
    { type: 'delimiter', data: {} },
    { type: 'warning', data: { title: '', message: 'mind' } },
    { type: 'code', data: { code: 'go' } },
  ]
  await eventually(async () => ((await blocksOf(world, idIn(page))) as unknown[]).length === blocks.length)
  assert.equal(await blocksOf(world, idIn(page)), blocks)
})

test('“/” adds a table by keyboard, whose rows and columns change, and touch checks an item', async () => {
  const page = await world.openAs(world.admin, '/write/new', { hasTouch: true })
  await page.getByLabel('Title').fill('By slash')
  await page.keyboard.press('Enter')
  await page.keyboard.type('and/or /tab')
  await page.getByRole('listbox', { name: 'Blocks to add' }).getByRole('option', { name: 'Table' }).waitFor()
  await isSound(page, 'blocks to add')
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await page.keyboard.type('l')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/tab')
  await page.keyboard.press('Enter')
  for (const text of ['A', 'B', '1', '2', '3', '4']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete the row' }).click()
  await content(page).getByText('2', { exact: true }).click()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add a column' }).click()
  await content(page).locator('.ProseMirror > p').last().tap()
  await page.keyboard.type('/check')
  await page.getByRole('option', { name: 'Checklist' }).tap()
  await page.keyboard.type('Towels')
  await content(page).getByRole('checkbox').tap()
  await waitUntilSaved(page)
  const blocks = [
    paragraph('and/or /tab'),
    table(true, ['A', 'B', ''], ['1', '2', '']),
    { type: 'list', data: { style: 'checklist', items: [{ content: 'Towels', meta: { checked: true }, items: [] }] } },
  ]
  await eventually(async () => JSON.stringify(await blocksOf(world, idIn(page))) === JSON.stringify(blocks))
  assert.equal(await blocksOf(world, idIn(page)), blocks)
})

test('“@” mentions a colleague, who is notified when the page is published, and whom readers see', async () => {
  const zoe = await world.join('zoe', 'member', 'Zoé')
  const page = await world.openAs(world.admin, '/write/new', wide)
  await page.getByLabel('Title').fill('Summer party')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ask @zo')
  await page
    .getByRole('listbox', { name: 'Colleagues to mention' })
    .getByRole('option', { name: 'Zoé Martin' })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('please')
  await waitUntilSaved(page)
  const id = idIn(page)
  const mention = `<span class="mention" data-member="${zoe.memberId}">@Zoé Martin</span>`
  await eventually(async () => JSON.stringify(await blocksOf(world, id)).includes('please'))
  assert.equal(await blocksOf(world, id), [paragraph(`Ask ${mention} please`)])
  const inbox = async () => {
    const answer = await world.ask('notification', 'GET', '/api/v1/notifications', { token: zoe.token })
    return (answer['data'] as unknown as { type: string; category: string }[]).map(one => `${one.type}.${one.category}`)
  }
  assert.not((await inbox()).includes('page.mentioned'))
  await world.news('POST', `/api/v1/pages/${id}/publish`)
  await eventually(async () => (await inbox()).includes('page.mentioned'))
  const reader = await world.openAs(zoe, `/pages/${id}`)
  await reader.locator('.blocks .mention').getByText('@Zoé Martin').waitFor()
})

test.run()
