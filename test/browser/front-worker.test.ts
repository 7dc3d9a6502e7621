import type { Page } from 'playwright-core'
import { comesTrue } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { startVersions } from './front-versions.ts'
import { type FrontWorld, frontSuite, heading, offline } from './front-world.ts'

let world: FrontWorld
let site: Awaited<ReturnType<typeof startVersions>>
/** The web client as an app: its installation, the kept page, and how another version takes its place. */
const test = frontSuite('installation, kept page and versions', async startedWorld => {
  world = startedWorld
  site = await startVersions(world.platform.frontUrl)
})

const versionOf = (page: Page) => page.evaluate<string>('document.documentElement.dataset.version')
const keeps = (page: Page, version: number) =>
  comesTrue(
    page,
    `caches.match(document.baseURI).then(kept => kept?.text()).then(text => text?.includes('data-version="${version}"'))`,
  )

/** A tab of somebody who is signed in and whose browser keeps a version. */
async function openKept(version: number): Promise<Page> {
  site.deployed.version = version
  const page = await world.visit(site.url, offline)
  await world.enter(page, world.admin)
  assert.ok(await keeps(page, version))
  await page.evaluate('navigator.serviceWorker.ready')
  return page
}

const anotherTab = async (page: Page): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(site.url)
  return tab
}

test('Chromium finds the client installable, and its icons have the sizes that the manifest states', async () => {
  const page = await world.visit('/', offline)
  await page.evaluate('navigator.serviceWorker.ready')
  const browser = await page.context().newCDPSession(page)
  const { url, errors, data } = await browser.send('Page.getAppManifest')
  assert.equal([url, errors], [`${world.platform.frontUrl}/manifest.webmanifest`, []])
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // The pages of tests are private ones, where nothing can be installed.
  assert.equal(
    installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
    [],
  )
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; sizes: string }[] }
  for (const { src, sizes } of icons) {
    const size = await page.evaluate<string>(`(async () => {
      const picture = new Image()
      picture.src = '${src}'
      await picture.decode()
      return picture.naturalWidth + 'x' + picture.naturalHeight
    })()`)
    if (sizes !== 'any') assert.is(size, sizes, src)
  }
})

test('a later visit is shown while the network hangs, and other addresses are never the page', async () => {
  const page = await openKept(1)
  site.hang()
  const later = await anotherTab(page)
  await heading(later, 'News').waitFor()
  site.recover()
  await later.goto(`${site.url}/services/news/openapi.json`)
  assert.match(await later.content(), 'openapi')
})

test('a new version is taken at the visit after, and tabs of the version before still open their pages', async () => {
  const before = await openKept(1)
  site.deployed.version = 2
  const page = await anotherTab(before)
  await heading(page, 'News').waitFor()
  assert.is(await versionOf(page), '1')
  assert.ok(await keeps(page, 2))
  await page.reload()
  await heading(page, 'News').waitFor()
  assert.is(await versionOf(page), '2')
  for (const tab of [page, before]) {
    await tab.getByRole('link', { name: 'People' }).click()
    await heading(tab, 'People').waitFor()
  }
  assert.is(await versionOf(before), '1')
})

test('a version waits until all of its files are there', async () => {
  const page = await openKept(2)
  Object.assign(site.deployed, { version: 3, isHalfReplaced: true, missingPaths: [] })
  await page.reload()
  await heading(page, 'News').waitFor()
  await eventually(() => site.deployed.missingPaths.length > 0)
  await page.reload()
  await heading(page, 'News').waitFor()
  assert.is(await versionOf(page), '2')
  site.deployed.isHalfReplaced = false
  await page.reload()
  assert.ok(await keeps(page, 3))
  await page.reload()
  await heading(page, 'News').waitFor()
  assert.is(await versionOf(page), '3')
})

test('the worker leaves when another site answers at its address', async () => {
  const page = await openKept(3)
  site.deployed.isOther = true
  await eventually(async () => {
    await page.goto(site.url)
    return page.getByRole('heading', { name: 'Another site' }).isVisible()
  })
  assert.ok(await comesTrue(page, 'navigator.serviceWorker.getRegistrations().then(all => all.length === 0)'))
  assert.ok(await comesTrue(page, 'caches.keys().then(names => names.length === 0)'))
})

test.run()
