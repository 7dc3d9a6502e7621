import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Headers that belong to the body as the edge sends it. */
const ofBody = ['content-length', 'etag', 'cache-control', 'transfer-encoding']

/**
 * A server in front of the web client which deploys other versions of it: each has its own script and parts, and the
 * files of the others are gone, as after `npm run gen` and a restart of the edge.
 */
export async function startVersions(frontUrl: string) {
  const deployed = {
    version: 1,
    /** Parts are missing, as while servers are replaced one by one. */
    isHalfReplaced: false,
    /** Another site answers at this address. */
    isOther: false,
    /** Paths that weren't there. */
    missingPaths: [] as string[],
  }

  /** Requests for pages and files that wait on a network that hangs; undefined while it doesn't. */
  let waiting: ServerResponse[] | undefined

  const server = createServer((incoming, outgoing) => {
    const { url = '/' } = incoming
    if (/^\/(services|session)/.test(url)) return forward(incoming, outgoing, url)
    if (waiting) return void waiting.push(outgoing)
    if (deployed.isOther) return void outgoing.setHeader('content-type', 'text/html').end('<h1>Another site</h1>')
    const marked = /^\/assets\/(?:rooms|chunk)-[A-Z0-9]{8}\.js\.v(\d+)$/.exec(url)?.[1]
    if (/^\/assets\/(?:rooms|chunk)-/.test(url) && (marked !== `${deployed.version}` || deployed.isHalfReplaced)) {
      deployed.missingPaths.push(url)
      return void outgoing.writeHead(404).end()
    }
    return forward(incoming, outgoing, url.replace(/\.v\d+/, ''), text => ofVersion(text, deployed.version))
  })

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, path: string, change?: Change) => {
    const headers = { ...incoming.headers }
    if (change) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name]
    const forwardedRequest = request(frontUrl + path, { method: incoming.method ?? 'GET', headers }, async answer => {
      const type = answer.headers['content-type'] ?? ''
      if (!change || !/html|javascript/.test(type) || path === '/service-worker.js') {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        return void answer.pipe(outgoing)
      }
      const otherHeaders = Object.entries(answer.headers).filter(([name]) => !ofBody.includes(name))
      const isPart = /^\/assets\/(?:rooms|chunk)-/.test(path)
      const isNamed = isPart || incoming.url?.endsWith(`.v${deployed.version}`)
      outgoing.writeHead(answer.statusCode ?? 500, {
        ...Object.fromEntries(otherHeaders),
        'cache-control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
      outgoing.end(change((await answer.setEncoding('utf8').toArray()).join('')))
    })
    forwardedRequest.on('error', () => outgoing.destroy())
    incoming.pipe(forwardedRequest)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Ends with the test file.
  server.unref()
  return {
    deployed,
    hang() {
      waiting = []
    },
    /** Cuts what waited. */
    recover() {
      for (const outgoing of waiting ?? []) outgoing.destroy()
      waiting = undefined
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
}

type Change = (text: string) => string

/** Names the version in the addresses of scripts, in the page and in the scripts themselves. */
const ofVersion = (text: string, version: number): string =>
  text
    .replace(/((?:rooms|chunk)-[A-Z0-9]{8}\.js)/g, `$1.v${version}`)
    .replace(/((?:main|start)\.js\?v=[\w-]+)/g, `$1.v${version}`)
    .replace(/<html/, `<html data-version="${version}"`)
