import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { Page } from 'playwright-core'
import { frontBundle } from '../../cli/build/bundles.ts'
import { addressOf } from '../../cli/tour/world.ts'
import { assert } from '../kit/kit.ts'
import { faultyBoxes, measureBoxes } from './faulty-boxes.ts'
import { type FrontPerson, type FrontWorld, frontSuite } from './front-world.ts'

let world: FrontWorld
let reader: FrontPerson
let pageId: string
let invitation: string
let webhookId: string
const test = frontSuite('boxes of all screens', async startedWorld => {
  world = startedWorld
  const { token } = world.admin
  const { workspaceId } = world
  reader = await world.join('maximiliane', 'member', 'Maximiliane')
  const category = await world.news('POST', '/api/v1/categories', { name: 'Housekeeping', icon: '🧹', workspaceId })
  const blocks = [{ type: 'paragraph', data: { text: 'The assembly point is the car park.' } }]
  pageId = await world.writePage('Evacuation plan for the conference rooms', {
    content: { blocks },
    excerpt: 'Please read this before your next shift.',
    categoryId: category['id'],
    status: 'published',
  })
  await world.writePage('Summer party', { pageType: 'event', status: 'published' })
  await world.writePage('Draft of the breakfast menu')
  await world.news('PUT', `/api/v1/must-read/${pageId}`, { dueAt: '2031-05-01T10:00:00Z' })
  await world.news('POST', '/api/v1/comments', { pageId, content: 'Understood!' }, reader.token)
  await world.news('POST', '/api/v1/likes', { pageId }, reader.token)
  await world.news('POST', '/api/v1/templates', { name: 'Weekly menu', content: { blocks }, pageType: 'article' })
  const ask = (path: string, body: object) => world.ask('member', 'POST', path, { token, body })
  await ask('/teams/', { name: 'Reception and reservations', workspaceId })
  await ask('/departments/', { name: 'Food and beverage', workspaceId })
  const webhooks = '/api/v1/webhooks'
  const body = {
    url: 'http://127.0.0.1:4009/receive/hotel-events',
    workspaceId,
    eventTypes: ['workspace.member_joined'],
  }
  const webhook = await world.ask('notification', 'POST', webhooks, { token, body })
  webhookId = String(webhook['id'])
  await world.ask('notification', 'POST', `${webhooks}/${webhookId}/test`, { token, body: {} })
  const email = addressOf(world.tour, 'oskar')
  await ask('/onboarding/invite', { email, firstName: 'Oskar', lastName: 'Nowak', workspaceId })
  invitation = await world.mailedLink(email, '/invitation')
})

test('a word that is cut off is found', async () => {
  const page = await world.visit('/')
  await page.evaluate(`(() => {
    const button = document.createElement('button')
    button.textContent = 'Housekeeping'
    Object.assign(button.style, { width: '2rem', padding: '0', overflow: 'hidden', whiteSpace: 'nowrap' })
    document.body.append(button)
  })()`)
  const faults = await page.evaluate<string[]>(faultyBoxes)
  assert.ok(
    faults.some(fault => fault.startsWith('cut off “Housekeeping”')),
    faults.join(),
  )
})

/** The screens of an administrator, who sees everything, and those before the sign-in. */
const screens = () =>
  [
    ['', '/saved', `/pages/${pageId}`, '/account', '/notifications', '/nowhere'],
    ['', '?status=published', '/new', `/${pageId}`, `/${pageId}/figures`, `/${pageId}/revisions`, '/trash'].map(
      path => `/write${path}`,
    ),
    ['', '/invite', '/invitations', '/teams', '/departments', '/roles', `/${reader.memberId}`].map(
      path => `/members${path}`,
    ),
    ['', '/settings', '/subscription', '/keys', '/webhooks', `/webhooks/${webhookId}`, '/data', '/audit'].map(
      path => `/hotel${path}`,
    ),
  ].flat()
const publicScreens = () => ['/', '/forgotten-password', '/reset-password?token=none', '/verify-email?token=none']

async function measureAll(language: string, files?: Map<string, string>) {
  const prepare = async (page: Page) => {
    if (files)
      await page.context().route('**/assets/*.js*', async route => {
        const body = files.get(basename(new URL(route.request().url()).pathname))
        await (body === undefined ? route.continue() : route.fulfill({ body, contentType: 'text/javascript' }))
      })
    await page.evaluate(`localStorage['front.language'] = '${language}'`)
  }
  const faults: string[] = []
  const visitor = await world.visit('/')
  await prepare(visitor)
  const signedIn = await world.openAs(world.admin)
  await prepare(signedIn)
  for (const [page, paths] of [
    [visitor, [...publicScreens().map(path => world.platform.frontUrl + path), invitation]],
    [signedIn, screens().map(path => world.platform.frontUrl + path)],
  ] as const)
    for (const path of paths) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      faults.push(...(await measureBoxes(page, new URL(path).pathname)))
    }
  assert.equal([...new Set(faults)], [])
}

test('no word is cut and nothing overflows on any screen in French', () => measureAll('fr'))

// What fits then fits in English.
test('no word is cut and nothing overflows on any screen in English with words 40 % longer', async () => {
  const pseudo: Plugin = {
    name: 'pseudo-language',
    setup: ({ onLoad }) =>
      onLoad({ filter: /locales\/(rooms\/)?en\.json$/ }, async ({ path }) => ({
        contents: JSON.stringify(longer(JSON.parse(await readFile(path, 'utf8')))),
        loader: 'json',
      })),
  }
  const { outputFiles } = await build({ ...frontBundle, plugins: [pseudo], write: false })
  await measureAll('en', new Map(outputFiles.map(({ path, text }) => [basename(path), text])))
})

/** Texts whose words have 40 % more letters, with the names of their values as they are. */
function longer<Text>(text: Text): Text {
  const lengthen = (word: string) =>
    word.startsWith('{') ? word : word + word.toLowerCase().slice(0, Math.ceil(word.length * 0.4))
  return JSON.parse(
    JSON.stringify(text, (_, value: unknown) =>
      typeof value === 'string' ? value.replace(/\{\w+\}|\p{L}+/gu, lengthen) : value,
    ),
  ) as Text
}

test.run()
