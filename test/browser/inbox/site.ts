import { once } from 'node:events'
import express from 'express'
import type { Page } from 'playwright-core'
import { addressOf, createHotel, expect, newWorld, signIn, takeUpInvitation } from '../../../cli/tour/world.ts'
import { sharedBrowser } from '../../kit/browser.ts'
import { type SharedPlatform, sharedPlatform } from '../../kit/platform/shared.ts'

export const list = '/api/v1/notifications'

/** The hotel's own site: one script tag, with only the platform's address added to its policy. */
function startSite(origin: string) {
  const site = { base: '', token: '', stale: false }
  const app = express()
  app.get('/', (_request, response) => {
    const { base } = site
    const connections = `'self' ${base} ${base.replace('http', 'ws')}`
    response.set(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self' ${base}; connect-src ${connections}; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
    response.type('html').send(`<!doctype html><html lang="en"><title>Staff</title><main><h1>Staff</h1>
      <script type="module" src="${base}/inbox.js"></script><platform-inbox lang="en"></platform-inbox>
      <script type="module" src="/page.js"></script><button>Below</button></main></html>`)
  })
  app.get('/page.js', (_request, response) => {
    response.type('text/javascript').send(`const inbox = document.querySelector('platform-inbox')
      globalThis.told = { asked: [], clicked: [], arrived: [] }
      inbox.token = async isFresh => {
        told.asked.push(isFresh)
        return (await fetch('/token?fresh=' + isFresh)).text()
      }
      inbox.addEventListener('notification-click', event => told.clicked.push(event.detail))
      inbox.addEventListener('notification-new', event => told.arrived.push(event.detail.title))`)
  })
  app.get('/token', (request, response) => {
    const isRefused = site.stale && request.query['fresh'] === 'false'
    response.type('text').send(isRefused ? `${site.token}x` : site.token)
  })
  app.get('/favicon.ico', (_request, response) => void response.status(204).end())
  const { hostname, port } = new URL(origin)
  const server = app.listen(Number(port), hostname)
  return { site, server }
}

type Site = ReturnType<typeof startSite>['site']

/** A member of one hotel, whose inbox is empty, the page that shows it, and a browser context for its visitors. */
export async function startInbox() {
  const [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()])
  const origin = platform.env['CORS_ORIGINS'] ?? ''
  const { site, server } = startSite(origin)
  await once(server, 'listening')
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  const end = async () => {
    await context.close()
    server.close()
  }
  try {
    return { context, origin, site, end, ...(await moveIn(platform, site)) }
  } catch (error) {
    await end()
    throw error
  }
}

/** Creates a hotel with one member, for whom the page gets a token. */
async function moveIn(platform: SharedPlatform, site: Site) {
  const tour = newWorld({ ...platform, report: () => undefined })
  tour.tokens.root = await signIn(tour, platform.administrator.email, platform.administrator.password)
  const hotel = await createHotel(tour, `Le Phare ${tour.run}`, addressOf(tour, 'ada'))
  const token = await takeUpInvitation(tour, addressOf(tour, 'ada'))
  const { memberId } = await expect(tour, 200, 'auth', 'GET', '/users/me', { token })
  Object.assign(site, { base: platform.urls.notification, token })
  // The platform sends them: what somebody sends to themselves arrives read.
  const send = (title: string, fields: object = {}) =>
    expect(tour, 201, 'notification', 'POST', list, {
      token: tour.tokens.root,
      body: { workspaceId: hotel['workspace'], receiverIds: [memberId], title, body: 'At noon', ...fields },
    })
  /** Notifies the member of a comment, in their language. */
  const comment = (commentContent: string) =>
    expect(tour, 200, 'notification', 'POST', '/api/v1/notifications/templates/comment_created/test', {
      token,
      body: {
        workspaceId: hotel['workspace'],
        variables: { actorName: 'Bob Vent', pageTitle: 'Menu', commentContent },
        channels: ['app', 'socket'],
      },
    })
  const read = (path: string) => expect(tour, 200, 'notification', 'GET', path, { token })
  return { send, comment, read }
}

/** The focused element within the inbox: its label, else its text. */
export const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const within = document.querySelector('platform-inbox').shadowRoot.activeElement
    return within?.getAttribute('aria-label') ?? within?.textContent ?? ''
  })()`)
