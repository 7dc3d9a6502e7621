import type { RestService } from '../../gen/catalogue.ts'
import { listeners } from '../config.ts'

const healthName = (name: RestService): string => listeners[name].health

/** news-service → News service */
export function titled(name: string): string {
  const text = name.replaceAll('-', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const titleOf = (name: RestService): string => titled(healthName(name))

/**
 * The documentation page of a listener: its documents by name, and the selected one. All texts are the platform's, so
 * none needs escaping. Addresses are absolute, because /docs answers like /docs/.
 * @param base the path below which the listener's services are served, such as /services/news on the web client's port
 */
export function docsPage(base: string, services: RestService[], selected: RestService): string {
  const links = services.map(name => {
    const current = name === selected ? ' aria-current="page"' : ''
    return `<li><a href="${base}/docs/?service=${healthName(name)}"${current}>${titleOf(name)}</a></li>`
  })
  const document = `${base}/openapi.json?service=${healthName(selected)}`
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${titleOf(selected)}</title>
    <link rel="icon" href="${base}/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="${base}/docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="${base}/docs/assets/docs.css">
  </head>
  <body>
    <nav aria-label="Documents">
      <ul>${links.join('')}<li><a href="${base}/docs/events/">Events and sockets</a></li></ul>
      <a href="${document}">openapi.json</a>
    </nav>
    <div id="docs" data-url="${document}"></div>
    <noscript>This page needs JavaScript; the document itself is <a href="${document}">openapi.json</a>.</noscript>
    <script src="${base}/docs/assets/swagger-ui-bundle.js"></script>
    <script src="${base}/docs/assets/docs.js"></script>
  </body>
</html>
`
}
