import type { Page } from 'playwright-core'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontPerson, type FrontWorld, frontSuite, parsedHandler } from './front-world.ts'

/** What the browser logs for pictures that don't exist and for parsed texts; no error of a script is among it. */
const expectedErrors = new RegExp(`Failed to load resource|net::ERR|${parsedHandler.source}`)

let world: FrontWorld
let eve: FrontPerson
let bo: FrontPerson
/** Content of another client, with scripts in every field: nothing of it runs or becomes an element of the page. */
const test = frontSuite(
  'hostile content',
  async startedWorld => {
    world = startedWorld
    eve = await world.join('eve', 'admin', '<b onclick=x>Eve')
    bo = await world.join('bo', 'member', 'Bo')
  },
  { expectedErrors },
)

const run = 'window.ran=true;alert(1)'
const image = `<img src=x onerror="${run}">`
const payload = `"'><script>${run}</script>${image}<svg onload="${run}"><style>*{display:none}</style>`
const code = `javascript:${run}`
const html = `data:text/html,<script>${run}</script>`
/** What shows that markup of the content became elements. */
const foreign =
  'body script, [onerror], [onload], [onclick], iframe, object, embed, svg[onload], main style, main [srcdoc]'

const asEve = (method: string, path: string, body: object = {}) => world.news(method, path, body, eve.token)

/** Blocks of every kind with markup in each text and `address` wherever an address goes. */
const blocksWith = (address: string) => [
  { type: 'paragraph', data: { text: `<a href="${address}">go</a><b onclick="${run}">bold</b>${payload}` } },
  { type: 'paragraph', data: { text: '<a href="https://safe.example/?a=1&b=2" target="_self">safe</a> <u>under</u>' } },
  { type: 'header', data: { text: payload, level: 1 } },
  {
    type: 'list',
    data: { style: 'ordered', items: [payload, { content: payload, items: [{ content: payload, items: [] }] }] },
  },
  { type: 'checklist', data: { items: [{ text: payload, checked: true }] } },
  { type: 'quote', data: { text: payload, caption: payload } },
  { type: 'image', data: { file: { url: address }, caption: payload, stretched: true } },
  {
    type: 'image',
    data: { url: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', caption: payload },
  },
  { type: 'video', data: { file: { url: address }, caption: payload } },
  {
    type: 'table',
    data: {
      withHeadings: true,
      content: [
        [payload, payload],
        [payload, { text: payload }],
      ],
    },
  },
  { type: 'code', data: { code: payload } },
  { type: 'warning', data: { title: payload, message: payload } },
  { type: 'embed', data: { service: payload, source: address, embed: address, caption: payload } },
  { type: 'linkTool', data: { link: address, meta: { title: payload, image: { url: address } } } },
  { type: 'attaches', data: { file: { url: address, name: payload }, title: payload } },
  { type: 'raw', data: { html: `${payload}<iframe srcdoc="<script>parent.ran=true</script>"></iframe>` } },
  { type: 'toString', data: { other: payload, deep: [[[{ text: payload }]]] } },
  { type: 'hasOwnProperty', data: 'no data' },
  { type: payload, data: null },
  { type: 'list', data: { items: 'no list' } },
  { type: 'table', data: { content: [null, 3, 'x', [null]] } },
  'no block',
  null,
]

/** What ran, or was stopped by the policy, on a page of the client. */
async function watched(path: string): Promise<{ page: Page; faults: string[] }> {
  const faults: string[] = []
  const page = await world.visit('/')
  page.on('dialog', dialog => {
    faults.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    (window.violations ??= []).push(violatedDirective + ' ' + blockedURI)
  })`)
  await world.enter(page, bo)
  await page.goto(world.platform.frontUrl + path)
  return { page, faults }
}

async function isHarmless(page: Page, faults: string[]): Promise<void> {
  assert.equal(faults, [])
  assert.is(await page.evaluate('window.ran'), undefined)
  const violations = await page.evaluate<string[]>('window.violations ?? []')
  assert.equal(
    violations.filter(text => !expectedErrors.test(text)),
    [],
  )
  assert.is(await page.locator(foreign).count(), 0)
  const addresses = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[href], [src], [poster]')].flatMap(one => ['href', 'src', 'poster'].map(name => one.getAttribute(name) ?? ''))`,
  )
  assert.equal(
    addresses.filter(address => /^\s*(javascript|vbscript|data:(?!image\/))/i.test(address)),
    [],
  )
  assert.equal(
    world.problems.filter(text => !expectedErrors.test(text)),
    [],
  )
}

let pageId = ''
test('an editor with another client fills every field with scripts, and the platform refuses their addresses', async () => {
  const { workspaceId } = world
  const category = await asEve('POST', '/api/v1/categories', {
    name: payload.slice(0, 120),
    icon: '<svg onload=alert(1)>',
    workspaceId,
  })
  const body = {
    title: `Hostile ${payload}`.slice(0, 255),
    excerpt: payload,
    workspaceId,
    status: 'published',
    pageType: 'event',
    eventStartsAt: '2031-05-01T10:00:00Z',
    eventLocation: payload.slice(0, 255),
    categoryId: category['id'],
    content: { blocks: blocksWith('https://files.example/x') },
    medias: [{ fileUrl: 'https://files.example/a.png', type: payload.slice(0, 64) }],
  }
  const page = await asEve('POST', '/api/v1/pages', body)
  pageId = String(page['id'])
  for (const content of [payload, `<a href="${code}">x</a>`]) {
    const comment = await asEve('POST', '/api/v1/comments', { pageId, content })
    await asEve('POST', '/api/v1/comments', { pageId, content, parentId: comment['id'] })
  }
  await asEve('POST', '/api/v1/likes', { pageId })
  await asEve('PUT', `/api/v1/must-read/${pageId}`, {})
  for (const address of [code, html]) {
    const hostilePage = { ...body, content: { blocks: blocksWith(address) } }
    const answer = await fetch(`${world.platform.urls.news}/api/v1/pages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(hostilePage),
    })
    assert.is(answer.status, 400)
  }
})

test('the news show it as text', async () => {
  const { page, faults } = await watched('/')
  await page.getByRole('main').getByRole('article').first().waitFor()
  assert.match(await page.getByRole('main').innerText(), '<script>window.ran=true')
  await isHarmless(page, faults)
  await page.getByLabel('Search the news').fill(payload)
  await eventually(async () => /q=/.test(page.url()))
  await isHarmless(page, faults)
})

test('the page shows its texts, keeps safe marks and links, and runs nothing', async () => {
  const { page, faults } = await watched(`/pages/${pageId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('4 comments', { exact: true }).waitFor()
  const safe = page.getByRole('link', { name: 'safe', exact: true })
  assert.is(await safe.getAttribute('href'), 'https://safe.example/?a=1&b=2')
  assert.match((await safe.getAttribute('rel')) ?? '', 'noopener')
  assert.is(await page.locator('.blocks u').innerText(), 'under')
  await page.locator('.blocks').getByText('go').first().click()
  await page.getByRole('button', { name: '1 reaction' }).click()
  await page.getByRole('dialog').getByText('<b onclick=x>Eve').waitFor()
  await isHarmless(page, faults)
})

test('content that a weaker version stored, with addresses that run code, runs nothing either', async () => {
  const db = await connectDatabase(world.platform.env['NEWS_DATABASE_URL'] ?? '')
  const medias = ['image', 'video', 'file'].flatMap(type =>
    [code, html, ' javascript:x', 'java\nscript:x', ''].map(fileUrl => ({ fileUrl, thumbnailUrl: fileUrl, type })),
  )
  const content = { blocks: [code, html, ' java\tscript:alert(1)', 'vbscript:x', 'blob:x'].flatMap(blocksWith) }
  await db.query('update page_bodies set content = ? where page_id = ?', [JSON.stringify(content), pageId])
  await db.query('update pages set medias = ? where id = ?', [JSON.stringify(medias), pageId])
  await db.query('update categories set color = ?, icon = ?', ['red;}*', image.slice(0, 64)])
  await db.end()
  const { page, faults } = await watched(`/pages/${pageId}`)
  await page.getByText('4 comments', { exact: true }).waitFor()
  const links = await page.evaluate<string[]>("[...document.querySelectorAll('.blocks a')].map(one => one.href)")
  assert.equal([...new Set(links)], ['https://safe.example/?a=1&b=2'])
  await isHarmless(page, faults)
  await page.goto(world.platform.frontUrl)
  await page.getByRole('main').getByRole('article').first().waitFor()
  await isHarmless(page, faults)
})

test.run()
