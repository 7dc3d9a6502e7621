import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { service as media } from '../../services/media/service.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { startLossyRelayTo, startTestEdge } from '../../test/kit/edge.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { openWorld, someAddress } from '../../test/kit/member.ts'
import { type ClientOptions, type ClientTokens, type PlatformClient, PlatformError, platformClient } from './client.ts'

const test = suite('the typed REST client')
const { host, urls, end } = await startTestEdge([auth, member, media, news], { SIGN_IN_LIMIT: '100' })
test.after(end)

const password = 'a long enough phrase'
const clientOf = (options: ClientOptions = {}) => platformClient({ addresses: urls, ...options })

/** An administrator of a new workspace, signed in. */
async function signedIn(options: ClientOptions = {}): Promise<{ platform: PlatformClient; workspaceId: string }> {
  const { root, workspaceId } = await openWorld(host)
  const platform = clientOf(options)
  const email = someAddress()
  const { user } = await platform.auth.register({ body: { email, password } })
  await host
    .as(MemberService, root)
    .createMember({ firstName: 'Ann', lastName: 'Lee', email, workspaceId, workspaceRole: 'admin' })
  await host.client(ProfileService).linkUser({ userId: user?.id ?? '', email })
  await platform.signIn({ email, password })
  return { platform, workspaceId }
}

/** The error of a refused call. */
async function refusedBy(call: Promise<unknown>): Promise<PlatformError> {
  try {
    await call
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('signs in, creates, lists and signs out through typed operations', async () => {
  const storedTokens: (ClientTokens | null)[] = []
  const { platform, workspaceId } = await signedIn({ onTokens: tokens => storedTokens.push(tokens) })
  const page = await platform.news.createPage({ body: { workspaceId, title: 'Open day', content: {} } })
  const { data, meta } = await platform.news.listPages({ workspaceId, status: 'draft', limit: 5 })
  assert.equal([data.map(one => one.id), meta?.total], [[page.id], 1])
  await platform.signOut()
  assert.is(storedTokens.at(-1), null)
  assert.is((await refusedBy(platform.news.getPage({ id: page.id }))).status, 401)
})

test('an error contains its class, its fields and its request id', async () => {
  const { platform, workspaceId } = await signedIn()
  const invalid = await refusedBy(platform.news.createPage({ body: { workspaceId, title: '', content: {} } }))
  assert.equal(
    [invalid.status, invalid.kind, invalid.violations.map(one => one.path)],
    [400, 'ValidationError', ['title']],
  )
  assert.ok(invalid.requestId)
  const absent = await refusedBy(platform.news.getPage({ id: '0'.repeat(24) }))
  assert.equal([absent.status, absent.kind], [404, 'NotFoundError'])
  try {
    await platform.news.getPage({ id: '' })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, TypeError)
  }
})

test('ten calls with an expired access token share one refresh and all succeed', async () => {
  let refreshes = 0
  const { platform, workspaceId } = await signedIn()
  const expired = clientOf({
    fetch: (input, init) => {
      if (String(input).endsWith('/auth/refreshToken')) refreshes++
      return fetch(input, init)
    },
    tokens: await pairOf(platform),
  })
  const lists = await Promise.all(Array.from({ length: 10 }, () => expired.news.listPages({ workspaceId })))
  assert.equal([lists.length, refreshes], [10, 1])
})

/** The tokens of a separate sign-in, with an invalid access token. */
async function pairOf(platform: PlatformClient): Promise<ClientTokens> {
  const { email } = await platform.auth.getMe()
  const { refreshToken } = await platform.auth.login({ body: { email, password } })
  return { accessToken: 'no.longer.good', refreshToken }
}

test('a refused refresh token ends the session, and the call fails as unauthorized', async () => {
  const storedTokens: (ClientTokens | null)[] = []
  const tokens = { accessToken: 'no.longer.good', refreshToken: 'nor.is.this' }
  const platform = clientOf({ tokens, onTokens: one => storedTokens.push(one) })
  assert.is((await refusedBy(platform.auth.getMe())).status, 401)
  assert.equal(storedTokens, [null])
})

test('a creation whose answer is lost is repeated with its key and happens once', async () => {
  const { platform, workspaceId } = await signedIn()
  const relay = await startLossyRelayTo(urls.news ?? '')
  try {
    const lossy = clientOf({ addresses: { news: relay.url }, tokens: await tokensOf(platform) })
    const createdPage = await lossy.news.createPage({ body: { workspaceId, title: 'Once', content: {} } })
    const { data } = await platform.news.listPages({ workspaceId })
    assert.equal(
      data.map(page => page.id),
      [createdPage.id],
    )
    const keys = new Set(relay.requests.map(request => request.key))
    assert.equal([relay.requests.length, keys.size, typeof relay.requests[0]?.key], [3, 1, 'string'])
  } finally {
    relay.end()
  }
})

test('a call whose answer is lost is repeated only where that is safe, and not when it is aborted', async () => {
  const { platform, workspaceId } = await signedIn()
  const { id } = await platform.news.createPage({ body: { workspaceId, title: 'Sauna', content: {} } })
  const tokens = await tokensOf(platform)
  const body = { workspaceId, title: 'Pool', content: {} }
  const callsByMethods: Record<string, (lossy: PlatformClient, signal: AbortSignal) => Promise<unknown>> = {
    'GET GET GET': lossy => lossy.news.getPage({ id }),
    PATCH: lossy => lossy.news.updatePage({ id, body: { title: 'Hammam' } }),
    POST: lossy => lossy.news.createPage({ body }, { idempotencyKey: '' }),
    GET: (lossy, signal) => lossy.news.getPage({ id }, { signal }),
  }
  for (const [methods, call] of Object.entries(callsByMethods)) {
    const relay = await startLossyRelayTo(urls.news ?? '')
    const ending = new AbortController()
    const abort = (error: unknown) => {
      ending.abort()
      throw error
    }
    const send: typeof fetch = (input, init) => fetch(input, init).catch(abort)
    try {
      const outcome = call(clientOf({ addresses: { news: relay.url }, tokens, fetch: send }), ending.signal)
      const isAnswered = await outcome.then(
        () => true,
        () => false,
      )
      assert.equal([relay.requests.map(one => one.method).join(' '), isAnswered], [methods, methods.includes(' ')])
    } finally {
      relay.end()
    }
  }
})

test('an error is thrown when its wait exceeds the limit or the retries are exhausted', async () => {
  const { platform } = await signedIn()
  let calls = 0
  const busy = (seconds: string) => async () => {
    calls++
    return new Response('{"error":"TooManyRequestsError","message":"later"}', {
      status: 429,
      headers: { 'retry-after': seconds },
    })
  }
  const tokens = await tokensOf(platform)
  const refusal = await refusedBy(clientOf({ tokens, fetch: busy('3600') }).auth.getMe())
  assert.equal([refusal.status, refusal.retryAfterSeconds, calls], [429, 3600, 1])
  await refusedBy(clientOf({ tokens, fetch: busy('0'), tries: 3 }).auth.getMe())
  assert.is(calls, 4)
})

/** A second sign-in of the same person. */
async function tokensOf(platform: PlatformClient): Promise<ClientTokens> {
  const { email } = await platform.auth.getMe()
  const { accessToken, refreshToken } = await platform.auth.login({ body: { email, password } })
  return { accessToken, refreshToken }
}

test('a file is uploaded as a form and downloaded as bytes', async () => {
  const { platform } = await signedIn()
  const file = new File(['Bienvenue'], 'welcome.txt', { type: 'text/plain' })
  const upload = await platform.media.uploadMedia({ body: { file, folder: 'letters' } })
  assert.is(upload.folder, 'letters')
  const response = await platform.media.downloadMedia({ id: upload.id })
  assert.is(await response.text(), 'Bienvenue')
})

test('an aborted signal ends the wait for a Retry-After', async () => {
  const ending = new AbortController()
  const platform = clientOf({
    apiKey: 'x',
    fetch: async () => {
      queueMicrotask(() => ending.abort(new Error('enough')))
      return new Response('{}', { status: 503, headers: { 'retry-after': '20' } })
    },
  })
  try {
    await platform.payment.listPlans({}, { signal: ending.signal })
    assert.unreachable()
  } catch (error) {
    assert.match((error as Error).message, 'enough')
  }
})

/** A fetch that counts exchanges of refresh tokens, and holds their answers until the test releases them. */
function heldExchanges() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const paths: string[] = []
  const holdingFetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    paths.push(pathname)
    const response = await fetch(input, init)
    if (pathname !== '/auth/refreshToken') return response
    reached.resolve()
    await released.promise
    return response
  }
  return { fetch: holdingFetch, paths, reached: reached.promise, release: () => released.resolve() }
}

test('a sign-out stays effective when a refresh ends after it, also when the platform cannot be reached', async () => {
  const { platform } = await signedIn()
  for (const isAway of [false, true]) {
    const storedTokens: (ClientTokens | null)[] = []
    const { release, reached, ...exchanges } = heldExchanges()
    const tokens = await pairOf(platform)
    const send: typeof fetch = (input, init) => {
      if (isAway && String(input).endsWith('/auth/logout')) throw new TypeError('fetch failed')
      return exchanges.fetch(input, init)
    }
    const leaving = clientOf({ tokens, fetch: send, onTokens: pair => storedTokens.push(pair) })
    const call = leaving.auth.getMe().catch(() => undefined)
    await reached
    const signOut = leaving.signOut().catch(() => undefined)
    if (isAway) await signOut
    release()
    await Promise.all([call, signOut])
    assert.is(storedTokens.at(-1), null)
    assert.is((await refusedBy(leaving.auth.getMe())).status, 401)
  }
})

test('a sign-out with an expired access token ends the session', async () => {
  const { platform } = await signedIn()
  const storedTokens: (ClientTokens | null)[] = []
  const pair = await pairOf(platform)
  const leaving = clientOf({ tokens: pair, onTokens: tokens => storedTokens.push(tokens) })
  await leaving.signOut()
  const { refreshToken } = pair
  assert.equal(storedTokens, [null])
  assert.is((await refusedBy(platform.auth.refreshToken({ body: { refreshToken } }))).status, 401)
})

test('a new sign-in is kept when the refresh of the old one ends after it', async () => {
  const { platform } = await signedIn()
  const { email } = await platform.auth.getMe()
  const { release, reached, ...exchanges } = heldExchanges()
  const storedTokens: (ClientTokens | null)[] = []
  const leaving = clientOf({
    tokens: await pairOf(platform),
    fetch: exchanges.fetch,
    onTokens: pair => storedTokens.push(pair),
  })
  const call = leaving.auth.getMe()
  await reached
  await leaving.signIn({ email, password })
  release()
  await call
  assert.is(storedTokens.length, 1)
})

test('a wrong password is tried once, although the client has tokens', async () => {
  const { platform } = await signedIn()
  const { email } = await platform.auth.getMe()
  const { paths, release, fetch: holdingFetch } = heldExchanges()
  release()
  const other = clientOf({ tokens: await tokensOf(platform), fetch: holdingFetch })
  assert.is((await refusedBy(other.signIn({ email, password: 'not this one at all' }))).status, 401)
  assert.equal(paths, ['/auth/login'])
})

test('an aborted signal ends the wait for a refresh, which continues for the other calls', async () => {
  const { platform } = await signedIn()
  const { release, reached, ...exchanges } = heldExchanges()
  const waiting = clientOf({ tokens: await pairOf(platform), fetch: exchanges.fetch })
  const ending = new AbortController()
  const [one, other] = [waiting.auth.getMe({ signal: ending.signal }), waiting.auth.getMe()]
  await reached
  ending.abort(new Error('enough'))
  try {
    await one
    assert.unreachable()
  } catch (error) {
    assert.match((error as Error).message, 'enough')
  }
  release()
  assert.ok((await other).email)
})

test('a page whose server holds the refresh token brings its own exchange and its own tokens', async () => {
  const { platform } = await signedIn()
  const accessToken = (await platform.accessToken()) ?? ''
  const spentTokens: string[] = []
  const storedTokens: (ClientTokens | null)[] = []
  const page = clientOf({
    refresh: async tokens => {
      spentTokens.push(tokens.accessToken)
      return { accessToken, refreshToken: '' }
    },
    onTokens: tokens => storedTokens.push(tokens),
  })
  assert.is(await page.accessToken(true), undefined)
  page.keepTokens({ accessToken: 'refused', refreshToken: '' })
  assert.is(await page.accessToken(), 'refused')
  assert.ok((await page.auth.getMe()).email)
  assert.equal(spentTokens, ['refused'])
  assert.is(await page.accessToken(true), accessToken)
  assert.equal(spentTokens, ['refused', accessToken])
  page.keepTokens(null)
  assert.is(await page.accessToken(true), undefined)
  assert.is(storedTokens.length, 4)
})

test('addresses may end in a slash', async () => {
  const platform = clientOf({ addresses: { auth: `${urls.auth}/` } })
  assert.is((await refusedBy(platform.auth.getMe())).status, 401)
})

test.run()
