import type { RestService } from '../../gen/catalogue.ts'
import { listeners } from '../config.ts'
import { guides } from './guides.ts'

const healthName = (name: RestService): string => listeners[name].health

/** news-service → News service */
export function titled(name: string): string {
  const text = name.replaceAll('-', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const titleOf = (name: RestService): string => titled(healthName(name))

/** A listener's pages. */
export type Site = {
  /** The path below which they are served; empty on most ports. */
  base: string
  /** The documented services of the listener. */
  services: RestService[]
  /** The page of all services on the web client's port; undefined there, and without a client. */
  allServicesUrl: string | undefined
}

type DocsPage = Site & {
  /** The page's own link below `base`, such as `docs/events/`. */
  current: string
  title: string
  content: string
}

/**
 * A page of the documentation. All texts are the platform's, so none needs escaping. Addresses are absolute, because
 * /docs answers like /docs/.
 */
export function renderPage({ base, services, allServicesUrl, current, title, content }: DocsPage): string {
  const wholeSite = allServicesUrl === undefined ? '' : `<li><a href="${allServicesUrl}">All services</a></li>`
  const allRoutes: [string, string][] = services.length > 1 ? [['docs/', 'All routes']] : []
  const perService = services.map((name): [string, string] => [
    `docs/?service=${healthName(name)}`,
    titleOf(name).replace(/ service$/, ''),
  ])
  const guideLinks = Object.entries(guides).map(([slug, guide]): [string, string] => [`docs/${slug}/`, guide.title])
  const links = [...allRoutes, ...perService, ['docs/events/', 'Events and frames'], ...guideLinks].map(
    ([path = '', text = '']) => {
      const mark = path === current ? ' aria-current="page"' : ''
      return `<li><a href="${base}/${path}"${mark}>${text}</a></li>`
    },
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="${base}/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="${base}/docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="${base}/docs/assets/docs.css">
  </head>
  <body>
    <nav aria-label="Documents"><ul>${wholeSite}${links.join('')}</ul></nav>
    ${content}
  </body>
</html>
`
}

const signInForm = `<form id="sign-in">
      <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
      <p role="status"></p>
    </form>`

/**
 * The page on which routes are tried out.
 * @param selected the service whose routes it has; without it those of all
 * @param auth address of the authentication service, which the page signs in at; undefined on ports without it
 */
export function routesPage(site: Site, selected: RestService | undefined, auth: string | undefined): string {
  const { base } = site
  const query = selected ? `?service=${healthName(selected)}` : ''
  const document = `${base}/openapi.json${query}`
  const content = `<header class="tools">
      ${auth === undefined ? '' : signInForm}
      <a href="${document}">openapi.json</a>
    </header>
    <div id="docs" data-url="${document}"${auth === undefined ? '' : ` data-auth="${auth}"`}></div>
    <noscript>This page needs JavaScript; the document itself is <a href="${document}">openapi.json</a>.</noscript>
    <script src="${base}/docs/assets/swagger-ui-bundle.js"></script>
    <script type="module" src="${base}/docs/assets/docs.js"></script>`
  const title = selected ? titleOf(selected) : 'All routes'
  return renderPage({ ...site, current: `docs/${query}`, title, content })
}
