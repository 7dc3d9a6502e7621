import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import { pathOf } from '../../cli/stack/packages.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { makeAuthority, makeCertificate } from '../kit/platform/certificates.ts'
import { freePorts } from '../kit/platform/ports.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { endChild } from '../kit/process.ts'

/* The configuration of the guide, run by HAProxy in front of a platform. */
const test = suite('reverse proxy')
const haproxy = pathOf('haproxy')
const openssl = process.env['TEST_OPENSSL'] ?? pathOf('openssl')
if (!haproxy || !openssl) console.error('NOT PROVEN: HAProxy or openssl is missing, so deploy/proxy is not tested')

;(haproxy && openssl ? test : test.skip)(
  'pages, files and sockets pass over TLS, and plain requests are redirected',
  async () => {
    const { env } = await sharedPlatform()
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
    const authority = makeAuthority(folder, 'authority')
    const { cert, key } = makeCertificate(folder, 'hotel', authority, 'DNS:hotel.example,DNS:media.hotel.example')
    mkdirSync(join(folder, 'certificates'))
    const pem = join(folder, 'certificates', 'hotel.pem')
    for (const part of [cert, key]) appendFileSync(pem, readFileSync(part))
    const [plain = 0, tls = 0] = await freePorts(2)
    const config = readFileSync(new URL('../../deploy/proxy/haproxy.cfg', import.meta.url), 'utf8')
      .replace('bind :80\n', `bind 127.0.0.1:${plain}\n`)
      .replace('bind :443', `bind 127.0.0.1:${tls}`)
      .replace('/etc/haproxy/certificates/', `${folder}/certificates/`)
      .replace('127.0.0.1:8080', `127.0.0.1:${env['FRONT_PORT']}`)
      .replace('127.0.0.1:3003', `127.0.0.1:${env['MEDIA_PORT']}`)
      .replace('127.0.0.1:3005', `127.0.0.1:${env['NOTIFICATION_PORT']}`)
    writeFileSync(join(folder, 'haproxy.cfg'), config)
    const child = spawn(haproxy ?? '', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
    const ca = readFileSync(authority.cert)
    const options = (host: string) => ({
      host: '127.0.0.1',
      port: tls,
      ca,
      servername: host,
      headers: { host, accept: 'text/html, application/json' },
    })
    const answer = async (host: string, path: string): Promise<[number | undefined, string]> => {
      const [response] = await once(get({ ...options(host), path }), 'response')
      return [response.statusCode, await text(response)]
    }
    try {
      await eventually(async () => (await answer('hotel.example', '/ready').catch(() => []))[0] === 200)
      assert.match((await answer('hotel.example', '/'))[1], /<!doctype html>/i)
      assert.match((await answer('hotel.example', '/services/news/health'))[1], '"service":"news-service"')
      assert.match((await answer('media.hotel.example', '/health'))[1], '"service":"media-service"')
      const redirect = await fetch(`http://127.0.0.1:${plain}/x`, { redirect: 'manual' })
      assert.equal([redirect.status, redirect.headers.get('location')], [308, `https://127.0.0.1:${plain}/x`])
      const socket = new WebSocket(`wss://127.0.0.1:${tls}/services/ws`, options('hotel.example'))
      await once(socket, 'open')
      socket.close()
    } finally {
      await endChild(child)
      rmSync(folder, { recursive: true })
    }
  },
)

test.run()
