import { escapeHtml } from '../../services/kernel/base/text.ts'
import { type Entry, type Group, groupsOf } from './asyncapi.ts'

/** A text from the protos as HTML: backticks become code. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '-')

/**
 * The whole page of events and sockets; the browser runs no script to build it. `{base}` stands for the path below
 * which the listener's services are served.
 * @param text of gen/asyncapi.json
 */
export function eventsPage(text: string): string {
  const { info, servers, groups } = groupsOf(text)
  const links = groups.map(
    group =>
      `<li><a href="#${slug(group.title)}">${escapeHtml(group.title)}</a><ul>${group.entries
        .map(
          ({ id, name }) =>
            `<li data-find="${escapeHtml(name.toLowerCase())}"><a href="#${id}">${escapeHtml(name)}</a></li>`,
        )
        .join('')}</ul></li>`,
  )
  const addresses = Object.entries(servers).map(
    ([name, { host, pathname = '', description }]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td><code>${escapeHtml(host + pathname)}</code></td><td>${prose(description)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Events and sockets</title>
    <link rel="icon" href="{base}/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="{base}/docs/assets/docs.css">
    <link rel="stylesheet" href="{base}/docs/assets/events.css">
  </head>
  <body class="events">
    <header>
      <a class="back" href="{base}/docs/">Routes</a>
      <span aria-current="page">Events and sockets</span>
      <a href="{base}/asyncapi.json">asyncapi.json</a>
    </header>
    <div class="columns">
      <nav aria-label="Messages">
        <label for="find">Find a message</label>
        <input id="find" type="search" autocomplete="off" placeholder="page.created">
        <p id="found" role="status"></p>
        <ul>${links.join('')}</ul>
      </nav>
      <main>
        <h1>Events and sockets</h1>
        <p>${prose(info.description)}</p>
        <div class="scroll" tabindex="0" role="region" aria-label="Addresses">
          <table><caption>Default addresses on one machine</caption>
            <thead><tr><th scope="col">Server</th><th scope="col">Address</th><th scope="col">Description</th></tr></thead>
            <tbody>${addresses.join('')}</tbody>
          </table>
        </div>
        ${groups.map(section).join('')}
      </main>
    </div>
    <script src="{base}/docs/assets/events.js"></script>
  </body>
</html>
`
}

const section = ({ title, text, entries }: Group): string =>
  `<section aria-labelledby="${slug(title)}"><h2 id="${slug(title)}">${escapeHtml(title)}</h2><p>${prose(text)}</p>${entries.map(article).join('')}</section>`

function article({ id, name, text, places, senders, room, fields, example }: Entry): string {
  const facts: [string, string][] = [
    [senders.length > 0 ? 'Key' : 'Sockets', places.map(one => `<code>${escapeHtml(one)}</code>`).join(' ')],
    ['Sent by', senders.map(escapeHtml).join(', ')],
    ['Room', room && `<code>${escapeHtml(room)}</code>`],
  ]
  const terms = facts.filter(([, value]) => value).map(([key, value]) => `<div><dt>${key}</dt><dd>${value}</dd></div>`)
  const rows = fields.map(
    ({ path, type, text: told }) =>
      `<tr><th scope="row"><code>${escapeHtml(path)}</code></th><td>${escapeHtml(type)}</td><td>${prose(told)}</td></tr>`,
  )
  return `<article id="${id}" aria-labelledby="${id}-name">
  <h3 id="${id}-name"><a href="#${id}"><code>${escapeHtml(name)}</code></a></h3>
  <p>${prose(text)}</p>
  <dl>${terms.join('')}</dl>
  <div class="scroll" tabindex="0" role="region" aria-label="Fields of ${escapeHtml(name)}, ${id}">
    <table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>
  </div>
  <details><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(example)}</code></pre></details>
</article>`
}
