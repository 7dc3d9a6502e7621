import { startEdge } from '../../edge/edge.ts'
import { service as auth } from '../../services/auth/service.ts'
import { service as hotel } from '../../services/hotel/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { anyPorts } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { hotelLooks } from '../kit/notification/look.ts'
import { notificationsForTest, pageCreated } from '../kit/notification/notification.ts'

const test = suite('unsubscribing from notification mails')
const world = await notificationsForTest(
  { ...anyPorts, FRONT_BASE_URL: 'https://front.example/#/', ANONYMOUS_LIMIT: '10', TRUST_PROXY_HOPS: '1' },
  [auth, hotel],
)
const looks = hotelLooks(world)
const { host, sandbox, person, workspace, publish, waitUntilHandled } = world
const edge = await startEdge(host, host.env, createLog('edge', 'fatal'))
test.after(async () => {
  await edge.stop()
  await looks.close()
  await world.end()
})

/** Mails a page to a person. @returns the path of its unsubscribe link */
async function mailed(language: string) {
  const [ada, bob] = [await person({ language }), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  await looks.set(workspaceId, { name: 'Le Phare', colour: '#7a1f3d' })
  const payload = {
    id: newId(),
    title: 'Menu',
    parent: null,
    medias: [],
    pageType: 'article',
    excerpt: 'Soupe <du> jour',
  }
  await waitUntilHandled(
    await publish('page.created', { ...pageCreated(workspaceId, bob, [ada]), payload, channels: ['email'] }),
  )
  const [mail] = (await sandbox.call('GET', `/_inbox?to=${ada.email}&wait=25000`)).json.data
  const link = /href="([^"]*unsubscribe[^"]*)"/.exec(mail.html)?.[1] ?? ''
  const { pathname, search } = new URL(link)
  const wants = async () => {
    const answer = await fetch(`${edge.urls.notification}/api/v1/preferences`, { headers: await bearer(ada.userId) })
    const { categoryPrefs } = (await answer.json()) as { categoryPrefs: Record<string, { email: boolean }> }
    return categoryPrefs['page.created']?.email ?? true
  }
  return { mail, pageId: payload.id, wants, address: `${edge.urls.notification}${pathname}`, search }
}

const bearer = async (userId: string) => ({
  authorization: `Bearer ${host.tokenOf(userId)}`,
})

test('a mail links to its page, shows the excerpt, and has a visible unsubscribe link in its language', async () => {
  const { mail, pageId, search } = await mailed('en')
  assert.ok(mail.html.includes(`href="https://front.example/#/pages/${pageId}"`), mail.html)
  assert.ok(mail.html.includes('Soupe &lt;du&gt; jour'), mail.html)
  assert.match(mail.html, 'Unsubscribe from these e-mails')
  assert.is(search, '?lang=en')
  for (const part of ['Soupe <du> jour', `https://front.example/#/pages/${pageId}`, 'unsubscribe/'])
    assert.match(mail.text, part)
})

test('the link opens a page with one button that changes nothing before it is pressed', async () => {
  const { address, wants } = await mailed('fr')
  for (const [query, text] of [
    ['?lang=fr', 'Me désabonner'],
    ['?lang=en', 'Unsubscribe'],
  ]) {
    const response = await fetch(address + query)
    const html = await response.text()
    assert.equal([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.ok(html.includes(text ?? ''), html)
    assert.match(html, /<h1>E-mails.*Le Phare<\/h1>.*(«\u00a0Une page est publiée\u00a0»|“A page is published”)/)
    assert.is(html.match(/<button/g)?.length, 1)
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(part), policy)
    assert.equal(
      [response.headers.get('cache-control'), response.headers.get('referrer-policy')],
      ['no-store', 'no-referrer'],
    )
  }
  assert.is(await wants(), true)
  const pressed = await fetch(`${address}?page=fr`, { method: 'POST', body: new URLSearchParams() })
  assert.equal([pressed.status, (await pressed.text()).includes('Vous ne recevrez plus')], [200, true])
  assert.is(await eventually(async () => (await wants()) === false), true)
})

test('one click is a POST that answers JSON, and an invalid link is refused in either way', async () => {
  const { address, wants } = await mailed('fr')
  const clicked = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal([clicked.status, ((await clicked.json()) as { category: string }).category], [200, 'page.created'])
  assert.is(await wants(), false)
  const wrong = `${edge.urls.notification}/api/v1/preferences/unsubscribe/nonsense`
  const page = await fetch(`${wrong}?page=en`, { method: 'POST' })
  assert.equal([page.status, (await page.text()).includes('invalid')], [400, true])
  assert.is((await fetch(wrong, { method: 'POST' })).status, 400)
})

test('pressing the button too often is answered with a time to retry, not with an invalid link', async () => {
  const { address, wants } = await mailed('en')
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const wrong = `${edge.urls.notification}/api/v1/preferences/unsubscribe/nonsense?page=en`
  for (let n = 0; n < 10; n++) assert.is((await fetch(wrong, { method: 'POST', headers })).status, 400)
  const pressed = await fetch(`${address}?page=en`, { method: 'POST', headers })
  const html = await pressed.text()
  assert.equal([pressed.status, html.includes('Try again'), html.includes('<button')], [429, true, true], html)
  assert.ok(Number(pressed.headers.get('retry-after')) > 0)
  assert.is(await wants(), true)
})

test.run()
