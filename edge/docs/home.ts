import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Request, type Response, Router } from 'express'
import type { RestService } from '../../gen/catalogue.ts'
import { escapeHtml } from '../../services/kernel/base/text.ts'
import { listeners } from '../config.ts'
import { jsonForPrograms, platformName as name } from '../http/first-answer.ts'
import { pageFile } from '../http/page-files.ts'
import { noDevices } from '../http/policies.ts'
import { refuseVerb } from '../rest/handler.ts'
import { titled } from './page.ts'

/** Addresses that the first page leads to. Those of other ports are known in development only. */
export type HomeLinks = {
  /** The web client: FRONT_BASE_URL. */
  client: string
  development?:
    | { services: Partial<Record<RestService, string>>; console: string | undefined; sandbox: string }
    | undefined
}

const style = `
:root { color-scheme: light dark; --ink: #161b24; --soft: #566072; --line: #e2e6ec; --ground: #f5f6f8; --link: #2f55d4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7ebf1; --soft: #9aa6b6; --line: #263040; --ground: #0d1117; --link: #8aabff }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 40rem; margin: 0 auto; padding: 12vh 1.25rem 3rem }
h1 { margin: 0; font-size: 1.5rem }
h2 { margin: 2rem 0 .25rem; font-size: 1rem }
p { margin: .25rem 0 0; color: var(--soft); overflow-wrap: anywhere }
ul { margin: 0; padding: 0; list-style: none }
li { padding: .6rem 0; border-bottom: 1px solid var(--line) }
li span { display: block; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
a { color: var(--link) }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
`
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * GET /: a page for browsers that leads to documentation and web client, and the same as JSON for programs. In
 * development both lead to the other services, the console and the sandbox, too.
 * @param neighbours read at each request, when all ports are open
 */
export function homeRoutes(services: RestService[], showLegacy: boolean, neighbours: () => HomeLinks): Router {
  const router = Router()
  const documentedServices = services.filter(one => showLegacy || one !== 'legacyauth')
  const icon = readFileSync(new URL('assets/icon.svg', import.meta.url))

  router.get('/favicon.ico', pageFile('icon.svg', icon))
  const about = ({ baseUrl }: Request) => summary(services, documentedServices, baseUrl, neighbours())
  router.get('/', jsonForPrograms(about), (request: Request, response: Response) => {
    response.set({ 'Content-Security-Policy': policy, 'Permissions-Policy': noDevices })
    response.type('html').send(page(about(request)))
  })
  router.all('/', (request, response) => refuseVerb(request, response, ['GET']))
  return router
}

type Summary = ReturnType<typeof summary>

/** @param base the path below which the service is served, such as /services/news on the web client's port */
function summary(
  services: RestService[],
  documentedServices: RestService[],
  base: string,
  { client, development }: HomeLinks,
) {
  const hasDocuments = documentedServices.length > 0
  const documents = (address: string, one: RestService) => `${address}/docs/?service=${listeners[one].health}`
  return {
    name,
    service: services.map(one => listeners[one].health).join(','),
    ...(hasDocuments && {
      documentation: `${base}/docs/`,
      openapi: `${base}/openapi.json`,
      events: `${base}/docs/events/`,
      asyncapi: `${base}/asyncapi.json`,
    }),
    health: `${base}/health`,
    client,
    ...(development && {
      services: Object.fromEntries(
        Object.entries(development.services).map(([one, address]) => [
          listeners[one as RestService].health,
          documents(address, one as RestService),
        ]),
      ),
      console: development.console,
      sandbox: development.sandbox,
    }),
  }
}

function page({ client, console: operators, sandbox, services, ...about }: Summary) {
  const title = about.service.split(',').map(titled).join(', ')
  const link = (href: string | undefined, text: string, hint: string) =>
    href === undefined ? '' : `<li><a href="${escapeHtml(href)}">${text}</a><span>${hint}</span></li>`
  const serviceLinks = Object.entries(services ?? {}).map(([one, href]) => link(href, titled(one), href))
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${name}</title>
    <link rel="icon" href="/favicon.ico" type="image/svg+xml">
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>One service of the ${name.toLowerCase()}. Programs get this page as JSON.</p>
      <ul>
        ${link(about.documentation, 'Documentation', 'Routes, with a form to call them')}
        ${link(about.events, 'Events and sockets', 'Frames, rooms and events')}
        ${link(about.openapi, 'openapi.json', 'The routes as OpenAPI')}
        ${link(client, 'Web client', escapeHtml(client))}
        ${link(operators, 'Operator’s console', 'For platform administrators')}
        ${link(sandbox, 'Sandbox', 'Mails, pushes and payments of this machine')}
      </ul>
      ${serviceLinks.length > 0 ? `<h2>All services</h2><ul>${serviceLinks.join('')}</ul>` : ''}
    </main>
  </body>
</html>
`
}
