import express from 'express'

/** The hotel's own site: one script tag, and nothing of the platform's address beyond it in its policy. */
export function startSite() {
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
      inbox.token = async fresh => { told.asked.push(fresh); return (await fetch('/token?fresh=' + fresh)).text() }
      inbox.addEventListener('notification-click', event => told.clicked.push(event.detail))
      inbox.addEventListener('notification-new', event => told.arrived.push(event.detail.title))`)
  })
  app.get('/token', (request, response) => {
    const isRefused = site.stale && request.query['fresh'] === 'false'
    response.type('text').send(isRefused ? `${site.token}x` : site.token)
  })
  app.get('/favicon.ico', (_request, response) => void response.status(204).end())
  const server = app.listen(0, '127.0.0.1')
  return { site, server }
}
