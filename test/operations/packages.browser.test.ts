import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { packClients } from '../../cli/pack/pack.ts'
import { root } from '../../cli/run.ts'
import { call } from '../../cli/tour/client.ts'
import { browserPath, comesTrue, sharedBrowser } from '../kit/browser.ts'
import { assert, suite } from '../kit/kit.ts'
import { withAddresses } from '../kit/platform/platform.ts'
import { type SharedPlatform, sharedPlatform } from '../kit/platform/shared.ts'
import { type House, houses, type SharedPerson } from '../kit/platform/shared-person.ts'

/* The packages of `npm run pack`, in the hands of somebody who has nothing else of the project. */
const test = suite('the packages')
const folder = mkdtempSync(join(tmpdir(), 'packages-'))
const project = join(folder, 'project')
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command in the new project. @returns its output, which is an error's when it fails */
async function run(command: string, args: string[], env = process.env): Promise<string> {
  const child = spawn(command, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => (output += text))
  child.stderr.setEncoding('utf8').on('data', text => (errors += text))
  const status = await new Promise(resolve => child.once('close', resolve))
  assert.is(status, 0, `${command} ${args.join(' ')}: ${output}${errors}`)
  return output
}

let platform: SharedPlatform
let house: House
let reader: SharedPerson
let email: string
test.before(async () => {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'somebody', type: 'module', private: true }))
  const packages = [
    'react@19.3.1',
    'react-dom@19.3.1',
    '@types/react@19.3.3',
    'vue@3.5.45',
    '@connectrpc/connect-web@2.2.0',
  ]
  const tarballs = packClients(join(folder, 'tarballs'))
  const install = run('npm', ['install', '--prefer-offline', ...tarballs, ...packages])
  platform = await sharedPlatform()
  const people = await houses(platform)
  house = await people.house('Le Colis', 'ada')
  reader = await people.settle(house, 'ben', ['Ben', 'Ito'])
  email = `ada.${people.world.run}@phare.example`
  await install
})

/** Runs a program of the new project. @returns the value that it prints */
async function printed(code: string): Promise<unknown> {
  writeFileSync(join(project, 'try.mjs'), code)
  return JSON.parse(await run(process.execPath, ['try.mjs']))
}

/** A guide's first program that imports a package, with the addresses and the person of this platform. */
function example(guide: string, name: string): string {
  const blocks = readFileSync(join(root, 'docs/guides', guide), 'utf8').matchAll(/```(?:ts|jsx)\n([\s\S]*?)```/g)
  const code = [...blocks].map(([, text = '']) => text).find(text => text.includes(`/${name}`)) ?? ''
  return withAddresses(platform, code)
    .replace("host: 'http://127.0.0.1'", `addresses: ${JSON.stringify(platform.urls)}`)
    .replace('ada@demo.example', email)
}

test('the REST client of its guide runs as it is', async () => {
  assert.equal(await printed(example('clients.md', 'rest-client')), ['The pool opens at ten', 'draft', 'NotFoundError'])
})

test('the Connect client of its guide runs as it is', async () => {
  assert.equal(await printed(example('clients.md', 'connect-client')), email)
})

/** A program that uses all clients but the inbox: creates a page over Connect, hears of it, and reads it as `page`. */
const together = (title: string) => `
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { PageService } from '@hospitality-platform/connect-client/news/v1/pages_pb.js'
const [opened, heard] = [Promise.withResolvers(), Promise.withResolvers()]
${example('realtime.md', 'socket-client')
  .replace('token:', "state: now => now === 'open' && opened.resolve(), token:")
  .replace('console.log(page.title)', 'heard.resolve(page)')}
await opened.promise
const transport = createConnectTransport({ baseUrl: '${platform.urls.news}/rpc' })
const headers = { authorization: 'Bearer ' + (await platform.accessToken()) }
const content = { blocks: [] }
const pages = createClient(PageService, transport)
await pages.createPage({ title: '${title}', content, workspaceId, status: 'published' }, { headers })
const { id } = await heard.promise
live.close()
const page = await platform.news.getPage({ id })
`

test('what is made over Connect arrives over the sockets, and is read over REST', async () => {
  assert.is(await printed(`${together('Sunrise yoga')}console.log(JSON.stringify(page.title))`), 'Sunrise yoga')
})

const typed = `
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { UserService } from '@hospitality-platform/connect-client/auth/v1/users_pb.js'
import '@hospitality-platform/inbox'
import { Inbox as ReactInbox } from '@hospitality-platform/inbox/react'
import { Inbox as VueInbox } from '@hospitality-platform/inbox/vue'
import { platformClient } from '@hospitality-platform/rest-client'
import type { Page } from '@hospitality-platform/rest-client/news'
import { connect } from '@hospitality-platform/socket-client'
import { createElement } from 'react'
import { h } from 'vue'

const platform = platformClient()
const page: Page = await platform.news.getPage({ id: '' })
const { user } = await createClient(UserService, createConnectTransport({ baseUrl: '' })).getMe({})
const left: () => void = connect({ url: '', token: () => page.id }).join('joinPage', user?.email)
const unread: number | undefined = document.querySelector('platform-inbox')?.unread
const token = (mustRenew: boolean) => platform.accessToken(mustRenew)
createElement(ReactInbox, { src: '', token, onNotificationClick: ({ detail }) => detail.title.trim() })
h(VueInbox, { src: '', token, onUnreadChange: ({ detail }) => detail.unread.toFixed() })
export { left, unread }
// @ts-expect-error: a page has no such field
page.colour
// @ts-expect-error: a reload is given a number
createElement(ReactInbox, { src: 1 })
// @ts-expect-error: a wrong type of listener
h(VueInbox, { src: '', onUnreadChange: 1 })
`

for (const resolution of [
  ['--module', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
])
  test(`their types are those of a strict program (${resolution.at(-1)})`, async () => {
    writeFileSync(join(project, 'typed.ts'), typed)
    writeFileSync(join(project, 'example.ts'), example('realtime.md', 'socket-client'))
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2024,dom,dom.iterable', '--types', '']
    await run(join(root, 'node_modules/.bin/tsc'), [...options, ...resolution, 'typed.ts', 'example.ts'])
  })

/** Both wrappers on one page, each with what it was told. */
const site = (src: string, token: string) => `
import { Inbox as ReactInbox } from '@hospitality-platform/inbox/react'
import { Inbox as VueInbox } from '@hospitality-platform/inbox/vue'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp, h, reactive } from 'vue'
const shared = { src: '${src}', token: () => '${token}' }
const counts = (globalThis.counts = {})
const listenersOf = name => ({
  onUnreadChange: ({ detail }) => (counts[name] = detail.unread),
  onTokenNeeded: () => (counts[name] = -1),
})
const reactRoot = createRoot(document.getElementById('react'))
const showReact = () => reactRoot.render(createElement(ReactInbox, { ...shared, ...listenersOf('react') }))
showReact()
const state = reactive(shared)
createApp(() => h(VueInbox, { ...state, lang: 'fr', ...listenersOf('vue') })).mount('#vue')
globalThis.signOut = () => {
  shared.token = state.token = undefined
  showReact()
}
`

if (!browserPath) console.error('NOT PROVEN: Chromium is missing, so the packages are not run in a browser')
const browserTest = browserPath ? test : test.skip

/** Bundles a program, and runs it on a page of an origin that may call the platform. */
async function onPage(code: string, body: string, check: (page: Page) => Promise<void>): Promise<void> {
  writeFileSync(join(project, 'site.mjs'), code)
  const define = { 'process.env.NODE_ENV': '"production"' }
  const options = { bundle: true, format: 'esm', minify: true, write: false, define } as const
  const { outputFiles } = await build({ ...options, absWorkingDir: project, entryPoints: ['site.mjs'] })
  const origin = platform.env['CORS_ORIGINS'] ?? ''
  const html = `<!doctype html>${body}<script type=module src=/site.js></script>`
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/site.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/site.js' ? outputFiles[0]?.text : html)
  }).listen(Number(new URL(origin).port), '127.0.0.1')
  const context = await (await sharedBrowser()).newContext({ locale: 'en-GB' })
  try {
    const page = await context.newPage()
    await page.goto(origin)
    await check(page)
  } finally {
    await context.close()
    server.close()
  }
}

browserTest('bundled, REST, Connect and sockets work together in a browser', () =>
  onPage(`${together('Sunset yoga')}document.title = page.title`, '', async page => {
    assert.ok(await comesTrue(page, "document.title === 'Sunset yoga'"))
  }),
)

browserTest('bundled, the inbox shows in React and in Vue', () =>
  onPage(site(platform.urls.notification, reader.token), '<div id=react></div><div id=vue></div>', async page => {
    await page
      .locator('#react')
      .getByRole('button', { name: /^Notifications, / })
      .waitFor()
    const body = { title: 'Late breakfast', content: {}, workspaceId: house.workspace, status: 'published' }
    assert.is((await call(platform.urls, 'news', 'POST', '/api/v1/pages', { token: house.token, body })).status, 201)
    await comesTrue(page, 'counts.react > 0 && counts.vue > 0')
    await page
      .locator('#react')
      .getByRole('button', { name: /^Notifications, / })
      .click()
    await page.locator('#react').getByRole('dialog', { name: 'Notifications' }).waitFor()
    // An attribute that the wrapper passes on.
    await page
      .locator('#vue')
      .getByRole('button', { name: /^Notifications, .*non lue/ })
      .waitFor()
    await page.evaluate('signOut()')
    assert.ok(await comesTrue(page, 'counts.react === -1 && counts.vue === -1'))
  }),
)

test.run()
