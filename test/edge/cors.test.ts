import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import WebSocket from 'ws'
import { edgeConfig } from '../../edge/config.ts'
import { ConfigError } from '../../services/kernel/process/config.ts'
import { startTestEdge } from '../kit/edge.ts'

const test = suite('pages of other origins')

/** The CORS headers for a page of an origin. */
async function toldBy(url: string, origin: string): Promise<(string | null)[]> {
  const names = ['access-control-allow-origin', 'access-control-allow-credentials']
  const answer = await fetch(`${url}/openapi.json`, { headers: { origin } })
  await answer.body?.cancel()
  const preflightHeaders = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  }
  const { headers } = await fetch(`${url}/users/me`, { method: 'OPTIONS', headers: preflightHeaders })
  const both = names.map(name => answer.headers.get(name))
  assert.equal(
    names.map(name => headers.get(name)),
    both,
  )
  assert.is(headers.has('access-control-allow-methods'), both[0] !== null)
  return both
}

/** Whether a page of another origin than the socket's may open it. */
async function opens(url: string, origin: string): Promise<boolean> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { origin } })
  try {
    return await new Promise(resolve => {
      socket.on('open', () => resolve(true)).on('error', () => resolve(false))
    })
  } finally {
    socket.terminate()
  }
}

test('by default only pages of the front end can call, with credentials', async () => {
  const { urls, end } = await startTestEdge([], { FRONT_BASE_URL: 'https://Front.example:443/app/#/' })
  try {
    assert.equal(await toldBy(urls.auth, 'https://front.example'), ['https://front.example', 'true'])
    assert.ok(await opens(urls.member, 'https://front.example'))
    for (const origin of ['https://front.example:8443', 'http://front.example', 'https://other.example', 'null']) {
      assert.equal(await toldBy(urls.auth, origin), [null, null])
      assert.not(await opens(urls.member, origin))
    }
  } finally {
    await end()
  }
})

test('listed origins match as browsers send them, ignoring slash, case and default port', async () => {
  const listedOrigins =
    'https://App.Hotel.example/, http://desk.hotel.example:80 ,https://bar.example:8443,capacitor://Localhost'
  const { urls, end } = await startTestEdge([], {
    CORS_ORIGINS: listedOrigins,
    FRONT_BASE_URL: 'https://front.example',
  })
  const origins = ['https://app.hotel.example', 'http://desk.hotel.example', 'https://bar.example:8443']
  try {
    for (const origin of [...origins, 'capacitor://localhost', 'https://front.example']) {
      assert.equal(await toldBy(urls.auth, origin), [origin, 'true'])
      assert.ok(await opens(urls.member, origin))
    }
    assert.equal(await toldBy(urls.auth, 'https://app.hotel.example.evil.example'), [null, null])
  } finally {
    await end()
  }
})

test('a star lets pages of every origin call, without credentials', async () => {
  const { urls, end } = await startTestEdge([], { CORS_ORIGINS: '*', FRONT_BASE_URL: 'https://front.example' })
  try {
    for (const origin of ['https://anybody.example', 'https://front.example', 'null'])
      assert.equal(await toldBy(urls.auth, origin), ['*', null])
    assert.ok(await opens(urls.member, 'https://anybody.example'))
  } finally {
    await end()
  }
})

test('an invalid origin ends the start, and the message names it', () => {
  const wrong = [
    'app.hotel.example',
    'localhost:8080',
    'https://*.hotel.example',
    'https://app.example/app',
    'https://app.example?x',
    'https://app.example/#/',
    'https://user@app.example',
    'null',
    'https://',
    'https://a.example https://b.example',
  ]
  for (const entry of wrong)
    assert.throws(
      () => edgeConfig({ CORS_ORIGINS: `https://good.example,${entry}` }),
      (error: unknown) =>
        error instanceof ConfigError && error.message.includes(`CORS_ORIGINS: ${entry} is not an origin`),
      entry,
    )
  assert.throws(() => edgeConfig({ CORS_ORIGINS: '*,https://app.example' }), /CORS_ORIGINS: \* allows all/)
})

test.run()
