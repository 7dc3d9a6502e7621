import { service as auth } from '../../services/auth/service.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'

const test = suite('sessions of pages')
const chief = { email: 'chief@platform.example', password: 'a chief of the platform 7' }
// The web client's proxy ends TLS, and is trusted for nothing else.
const { edge, end } = await startTestEdge([auth, member], {
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  FRONT_BASE_URL: 'https://front.example',
  TRUST_PROXY_HOPS: '0',
})
test.after(() => end())

const headers = { 'x-requested-with': 'front', 'content-type': 'application/json' }
const ask = (path: string, cookie: string, body?: object) =>
  fetch(`${edge.frontUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const writtenBy = (response: Response) => response.headers.getSetCookie()[0] ?? ''
const signedIn = () =>
  eventually(async () => {
    const response = await ask('/session', '', chief)
    return response.status === 200 ? response : undefined
  })

test('the cookie is Secure and bound to its host by the scheme of FRONT_BASE_URL, without a trusted proxy', async () => {
  const cookie = writtenBy(await signedIn())
  assert.match(cookie, /^__Host-front_refresh=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
})

test.run()
