import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Callback } from 'uvu'
import { type Call, call, type LooseJson, mailsTo } from '../../cli/tour/client.ts'
import { addressOf, createHotel, expect, newWorld, password, signIn, takeUpInvitation } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { hindrances } from '../kit/axe.ts'
import { browserSuite, sharedBrowser } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'

export type FrontPerson = { email: string; token: string; memberId: string }
export type FrontWorld = Awaited<ReturnType<typeof startFront>>

/** Viewport of a desktop; without it, pages are opened as on a phone. */
export const wide = { viewport: { width: 1280, height: 900 } }
/** With the service worker, which pages are opened without otherwise. */
export const offline = { serviceWorkers: 'allow' } as const

/** The heading of the page that is shown. */
export const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

/**
 * Chromium logs and reports each event handler of a text that is parsed, even in a document where nothing can run. That
 * none of them reaches the page is shown by the elements of the page.
 */
export const parsedHandler = /Executing inline event handler|script-src-attr inline/

/** A draft saves itself 1.5 s after the last change; here after `savesAfter` ms. */
const earlySave = `{
  const setLater = setTimeout
  globalThis.savesAfter = 300
  globalThis.setTimeout = (act, ms, ...rest) => setLater(act, ms === 1500 ? savesAfter : ms, ...rest)
}`

type SuiteOptions = {
  /** A suite with settings starts its own platform. */
  settings?: Environment
  /** Errors that the browser logs by itself because of what the suite shows. */
  expectedErrors?: RegExp
}

/**
 * A suite over the web client with its own hotel. After each test its pages are closed, because a person has at most
 * ten sockets, and nothing may have been reported as an error. What a failed test had on its screens is printed.
 * @param begin gets the hotel before the first test
 */
export function frontSuite(
  name: string,
  begin: (world: FrontWorld) => Promise<void> | void,
  { settings, expectedErrors }: SuiteOptions = {},
) {
  const test = browserSuite(`the web client: ${name}`)
  let world: FrontWorld | undefined
  test.before(async () => {
    world = await startFront(settings)
    await begin(world)
  })
  test.after.each(async () => {
    await world?.closePages()
    const problems = world?.problems.splice(0) ?? []
    assert.equal(
      problems.filter(text => !expectedErrors?.test(text)),
      [],
    )
  })
  test.after(() => world?.end())
  const showing = (title: string, handler: Callback) =>
    test(title, async context => {
      try {
        await handler(context)
      } catch (error) {
        for (const text of (await world?.screens()) ?? []) console.error(text)
        throw error
      }
    })
  return Object.assign(showing, test)
}

/** A hotel and its administrator on a platform, and a browser that opens the web client. */
async function startFront(settings?: Environment) {
  const browser = await sharedBrowser()
  const ownPlatform = settings && (await startPlatform('one', settings))
  const platform = ownPlatform ?? (await sharedPlatform())
  const contexts: BrowserContext[] = []
  const problems: string[] = []
  const closePages = async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  }
  /** Address and text of each open page. */
  const screens = () =>
    Promise.all(
      contexts
        .flatMap(context => context.pages())
        .map(
          async page => `Shown at ${page.url()}:\n${await page.evaluate('document.body.innerText').catch(String)}\n`,
        ),
    )
  const end = async () => {
    await closePages()
    await ownPlatform?.stop()
  }
  try {
    const tour = newWorld({ ...platform, report: () => undefined })
    tour.tokens.root = await signIn(tour, platform.administrator.email, platform.administrator.password)
    const personOf = async (email: string, token: string): Promise<FrontPerson> => {
      const me = await expect(tour, 200, 'auth', 'GET', '/users/me', { token })
      return { email, token, memberId: String(me['memberId']) }
    }
    const email = addressOf(tour, 'ada')
    const unique = { email: addressOf(tour, 'contact'), type: `resort ${tour.run}` }
    const hotel = await createHotel(tour, 'Hôtel du Phare', email, unique)
    const workspaceId = String(hotel['workspace'])
    const admin = await personOf(email, await takeUpInvitation(tour, email))

    /** Invites somebody in a role, who accepts. */
    const join = async (name: string, workspaceRole = 'member', firstName = name): Promise<FrontPerson> => {
      const address = addressOf(tour, name)
      const body = { email: address, firstName, lastName: 'Martin', workspaceId, workspaceRole }
      await expect(tour, 201, 'member', 'POST', '/onboarding/invite', { token: admin.token, body })
      return personOf(address, await takeUpInvitation(tour, address))
    }

    /** Collects what a page reports: errors of scripts, and what its policy refused. */
    const watch = (page: Page): Page => {
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        // The browser logs refused calls and cut connections by itself; ERR_FAILED is a cut one of the service worker.
        const isExpected =
          /status of 4\d\d|status of 503|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_\w+|ERR_FAILED|WebSocket/
        if (message.type() === 'error' && !isExpected.test(message.text())) problems.push(message.text())
      })
      return page
    }

    /** A separate browser, in English unless the options say otherwise. */
    const newBrowser = async (options: BrowserContextOptions): Promise<BrowserContext> => {
      const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB', serviceWorkers: 'block' } as const
      const context = await browser.newContext({ ...phone, ...options })
      contexts.push(context)
      // The hotel's people are French; a choice on the device comes first.
      if (!options.locale) await context.addInitScript(`localStorage['front.language'] ??= 'en'`)
      await context.addInitScript(earlySave)
      return context
    }

    const open = async (context: BrowserContext, path: string): Promise<Page> => {
      const page = watch(await context.newPage())
      await page.goto(path.startsWith('http') ? path : platform.frontUrl + path)
      return page
    }

    /** A page of the client in a separate browser. */
    const visit = async (path = '/', options: BrowserContextOptions = {}): Promise<Page> =>
      open(await newBrowser(options), path)

    /** Sends the sign-in form on a page. */
    const sendForm = async (page: Page, person: { email: string }, secret = password): Promise<void> => {
      await page.getByLabel('E-mail address').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(secret)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }

    /** Signs in with the form on a page. */
    const enter = async (page: Page, person: { email: string }, secret = password): Promise<void> => {
      await sendForm(page, person, secret)
      await page.getByRole('navigation', { name: /Main|Principal/ }).waitFor()
    }

    /** The address of a path of the client in the newest mail to somebody that has one. */
    const mailedLink = async (email: string, path: string): Promise<string> =>
      eventually(async () => {
        const pattern = new RegExp(`${platform.frontUrl}${path}[^"\\\\<\\s]+`, 'g')
        return JSON.stringify(await mailsTo(platform.sandboxUrl, email))
          .match(pattern)
          ?.at(-1)
      })

    /** A call of a REST route, which must succeed. */
    const ask = async (service: RestService, method: string, path: string, options: Call = {}): Promise<LooseJson> => {
      const answer = await call(platform.urls, service, method, path, options)
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    }

    /** A call of the news service, as the administrator unless another token is given. */
    const news = (method: string, path: string, body?: object, token = admin.token): Promise<LooseJson> =>
      ask('news', method, path, { token, ...(body ? { body } : {}) })

    /** Writes a page as the administrator: a draft unless the fields say otherwise. @returns its id */
    const writePage = async (title: string, fields: object = {}): Promise<string> => {
      const body = { title, workspaceId, content: { blocks: [] }, ...fields }
      return String((await news('POST', '/api/v1/pages', body))['id'])
    }

    return {
      platform,
      tour,
      workspaceId,
      ecosystemId: String(hotel['id']),
      admin,
      problems,
      join,
      visit,
      sendForm,
      enter,
      mailedLink,
      ask,
      news,
      writePage,
      closePages,
      screens,
      end,
      /** A page of the client on which somebody is signed in, with the cookie that the form would bring. */
      async openAs({ email }: { email: string }, path = '/', options: BrowserContextOptions = {}): Promise<Page> {
        const context = await newBrowser(options)
        const headers = { 'x-requested-with': 'front' }
        const answer = await context.request.post(`${platform.frontUrl}/session`, {
          headers,
          data: { email, password },
        })
        assert.is(answer.status(), 200)
        await context.addInitScript(`localStorage['front.stays'] ??= 'no'`)
        const page = await open(context, path)
        await page.getByRole('navigation', { name: /Main|Principal/ }).waitFor()
        return page
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Asserts that nothing of a screen overflows at any width from 320 to 1920 px. `inspect` is called at each. */
export async function fits(page: Page, screen: string, inspect?: (width: number) => Promise<void>): Promise<void> {
  const before = page.viewportSize()
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  for (const width of [320, 390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 })
    const isNarrow = await eventually(async () => (await page.evaluate<number>(overflow)) <= 0)
    assert.ok(isNarrow, `${screen} overflows at ${width} px`)
    await inspect?.(width)
  }
  if (before) await page.setViewportSize(before)
}

/** Asserts that a screen fits, and is accessible on a phone in the light theme and in a wide window in the dark one. */
export async function isSound(page: Page, screen: string): Promise<void> {
  await fits(page, screen, async width => {
    if (width !== 390 && width !== 1280) return
    await page.emulateMedia({ colorScheme: width === 390 ? 'light' : 'dark' })
    assert.equal(await hindrances(page), [], `${screen}, ${width} px`)
  })
  await page.emulateMedia({ colorScheme: 'light' })
}

export const isFocused = async (target: Locator) => (await target.and(target.page().locator(':focus')).count()) === 1

/** Whether the focused element has an outline, or one that it stands in, such as a card. */
const isOutlined = `(() => {
  for (let one = document.activeElement; one; one = one.parentElement)
    if ([null, '::after'].some(part => /solid 3px/.test(getComputedStyle(one, part).outline))) return true
  return false
})()`

/** Presses Tab until an element has the focus, which must be visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; !(await isFocused(target)); presses++) {
    assert.ok(presses < 60, `Tab doesn't reach ${target}`)
    await page.keyboard.press('Tab')
  }
  assert.ok(await page.evaluate(isOutlined), `the focus on ${target}`)
}
