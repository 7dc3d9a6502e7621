import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { clientRoutes } from '../../edge/live/client/client-file.ts'
import { UserSessionsRevokedSchema } from '../../gen/platform/events/v1/auth_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { browserSuite, sharedBrowser } from '../kit/browser.ts'
import { startRelayTo } from '../kit/edge.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type Client, feedIsOn, startWorld } from '../kit/live/live.ts'
import type { LivePerson } from '../kit/live/services.ts'

/** The client in a real browser, over a line that can be cut and redirected to another edge process. */
const test = browserSuite('the client in a browser')

const [homeWorkspace, otherWorkspace, hotel] = [newId(), newId(), newId()]
const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [homeWorkspace, otherWorkspace].map(workspaceId => ({ workspaceId, ecosystemId: hotel })),
})
const [ana, ben, eve] = [person(), person(), person()]

type Told = { event: string; data: { n: number }; recovered?: boolean }
/** What the page under test records for the test. */
type Marks = { told: Told[]; states: string[]; gaps: string[]; delays: number[]; fresh: boolean[]; refused: string[] }

let world: Awaited<ReturnType<typeof startWorld>>
let other: Awaited<ReturnType<typeof world.anotherEdge>>
/** A client at the other edge; it proves that this edge has received a frame. */
let ear: Client
let line: Awaited<ReturnType<typeof startRelayTo>>
let browser: Browser
let site: ReturnType<typeof startSite>
const sessions = new Map<string, string>()

const lineUrl = () => `ws://127.0.0.1:${line.port}/ws`

/** The application: an empty page, the client, and tokens. */
function startSite() {
  const app = express()
  app.use(clientRoutes())
  app.get('/', (_request, response) => void response.type('html').send('<!doctype html><title>Live</title>'))
  app.get('/token', (request, response) => {
    const user = request.query['who'] === 'ben' ? ben : ana
    const sessionId = newId()
    sessions.set(user.userId, sessionId)
    response.type('text').send(world.tokenOf(user, 900, { sessionId }))
  })
  return app.listen(0, '127.0.0.1')
}

/** A page whose client is connected and has joined a workspace. Its delays run fifty times as fast. */
async function openPage(userName = 'ana'): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await page.evaluate(
    async ([url, workspaceId, name]) => {
      const marks: Marks = { told: [], states: [], gaps: [], delays: [], fresh: [], refused: [] }
      const pause = globalThis.setTimeout.bind(globalThis)
      globalThis.setTimeout = ((act: () => void, ms = 0) => {
        marks.delays.push(ms)
        return pause(act, ms / 50)
      }) as typeof setTimeout
      const { connect } = (await import(String('/live/client.js'))) as typeof import('../../edge/live/client/client.js')
      const live = connect({
        url: url ?? '',
        async token(isFresh) {
          marks.fresh.push(isFresh)
          return (await fetch(`/token?who=${name}`)).text()
        },
        on: (event, data, { recovered }) =>
          marks.told.push({ event, data: data as { n: number }, ...(recovered ? { recovered } : {}) }),
        gap: event => marks.gaps.push(event),
        state: (state, code) => marks.states.push(code === undefined ? state : `${state} ${code}`),
      })
      live.join('joinWorkspace', workspaceId, error => marks.refused.push(error.message))
      Object.assign(globalThis, { live, marks })
    },
    [lineUrl(), homeWorkspace, userName],
  )
  await eventually(async () => (await marksOf(page)).states.includes('open'))
  return page
}

const marksOf = (page: Page): Promise<Marks> => page.evaluate(() => (globalThis as unknown as { marks: Marks }).marks)
const say = (n: number, room = `workspace:${homeWorkspace}`) => world.publish([room], 'n', { n })
const numbers = ({ told }: Marks) =>
  told.filter(({ event }) => event === 'n').map(({ data, recovered }) => [data.n, recovered === true])
const has = (page: Page, n: number) => eventually(async () => numbers(await marksOf(page)).some(([each]) => each === n))
const isKnownThere = (n: number) =>
  eventually(() => ear.frames.some(({ event, data }) => event === 'n' && data['n'] === n))
const state = (page: Page, expectedState: string, times = 1) =>
  eventually(async () => (await marksOf(page)).states.filter(one => one === expectedState).length >= times)

test.before(async () => {
  world = await startWorld([ana, ben, eve], [], { historyFrames: 20 })
  other = await world.anotherEdge()
  line = await startRelayTo(new URL(world.addressOf('news')))
  site = startSite()
  browser = await sharedBrowser()
  for (const edge of [world, other]) await feedIsOn({ ...world, ...edge }, eve)
  ear = await other.open('news', eve)
  assert.is((await ear.ask('joinWorkspace', homeWorkspace)).event, 'ack')
})
test.after(async () => {
  // After a failed start, some of these don't exist.
  site?.close()
  line?.end()
  await world?.end()
})

test('after an interruption it reconnects, to another process, and receives missed frames, once and in order', async () => {
  const page = await openPage()
  say(1)
  await has(page, 1)
  line.cut()
  await state(page, 'waiting 1006')
  for (const n of [2, 3, 4]) say(n)
  await isKnownThere(4)
  line.mend(other.addressOf('news'))
  await state(page, 'open', 2)
  say(5)
  await has(page, 5)
  const marks = await marksOf(page)
  assert.equal(numbers(marks), [
    [1, false],
    [2, true],
    [3, true],
    [4, true],
    [5, false],
  ])
  assert.equal(marks.gaps, [])
  await page.close()
})

test('rooms joined while disconnected are joined after the reconnect, and those left are not', async () => {
  const page = await openPage()
  line.cut()
  await state(page, 'waiting 1006')
  await page.evaluate(workspaceId => {
    type Live = import('../../edge/live/client/client.js').Live
    const { live } = globalThis as unknown as { live: Live }
    live.join('joinWorkspace', workspaceId)
    live.join('subscribeToTypes', { workspaceId, types: ['feed'] })()
  }, otherWorkspace)
  line.mend(world.addressOf('news'))
  await state(page, 'open', 2)
  say(11, `workspace:${otherWorkspace}:type:feed`)
  say(12, `workspace:${otherWorkspace}`)
  await has(page, 12)
  const marks = await marksOf(page)
  assert.equal(numbers(marks), [[12, false]])
  // What the page loaded meanwhile may be older than the room.
  assert.equal(marks.gaps, ['joinWorkspace'])
  await page.close()
})

test('a first join that an interruption cuts off is made after the reconnect, as one that may have missed frames', async () => {
  line.cut()
  const opening = openPage()
  const before = line.refused()
  await eventually(() => line.refused() > before)
  line.mend(world.addressOf('news'))
  const page = await opening
  const marks = await marksOf(page)
  assert.equal(marks.gaps, ['auth', 'joinWorkspace'])
  assert.equal(marks.states.at(-1), 'open')
  await page.close()
})

test('when too much was missed it reports that', async () => {
  const page = await openPage()
  line.cut()
  await state(page, 'waiting 1006')
  for (let n = 100; n <= 120; n++) say(n)
  await isKnownThere(120)
  line.mend(other.addressOf('news'))
  await state(page, 'open', 2)
  const marks = await marksOf(page)
  assert.equal(marks.gaps, ['joinWorkspace'])
  assert.equal(numbers(marks), [])
  await page.close()
})

test('delays grow with jitter: from half of 1, 2, 4 … 30 s on', async () => {
  const page = await openPage()
  line.cut()
  await state(page, 'waiting 1006', 7)
  const delays = (await marksOf(page)).delays.slice(0, 6)
  for (const [index, ms] of delays.entries()) {
    const maxDelay = Math.min(30_000, 1_000 * 2 ** index)
    assert.ok(ms >= maxDelay / 2 && ms <= maxDelay, `${ms} of ${maxDelay}`)
  }
  assert.is(new Set(delays.map((ms, index) => ms / 2 ** index)).size, 6)
  line.mend(world.addressOf('news'))
  await state(page, 'open', 2)
  await page.close()
})

test('a refused token is replaced at once, and a new one can be sent over the open socket', async () => {
  const page = await openPage('ben')
  const answer = await page.evaluate(() => {
    type Live = import('../../edge/live/client/client.js').Live
    return (globalThis as unknown as { live: Live }).live.refresh()
  })
  assert.equal(answer['rooms'], [])
  const sessionId = sessions.get(ben.userId) ?? ''
  // Repeated, because this process may not receive these events yet. Affects only the first session.
  await eventually(async () => {
    await world.emit(UserSessionsRevokedSchema, { id: ben.userId, userId: ben.userId, sessionId }, {})
    return (await marksOf(page)).states.includes('waiting 4401')
  })
  await state(page, 'open', 2)
  const { fresh, delays } = await marksOf(page)
  assert.equal([fresh, delays], [[false, true, true], [0]])
  await page.close()
})

test('with too many sockets it waits for more than 4 s, and without access it stops', async () => {
  // Sockets of earlier pages count until the server notices that they are closed.
  await eventually(() => world.live.stats().sockets === 0)
  const before = await openPage('ben')
  const extra = await Promise.all(Array.from({ length: 9 }, () => world.open('news', ben)))
  const delay = await before.evaluate(async address => {
    const { connect } = (await import(String('/live/client.js'))) as typeof import('../../edge/live/client/client.js')
    const { marks } = globalThis as unknown as { marks: Marks }
    const token = await (await fetch('/token?who=ben')).text()
    return new Promise<number | undefined>(resolve => {
      const second = connect({
        url: address,
        token: () => token,
        state(name, code) {
          if (name !== 'waiting' || code !== 4429) return
          void Promise.resolve().then(() => {
            resolve(marks.delays.at(-1))
            second.close()
          })
        },
      })
    })
  }, lineUrl())
  assert.ok((delay ?? 0) >= 4_000 && (delay ?? 0) <= 8_000, `${delay}`)
  for (const { ws } of extra) ws.close()
  ben.isGone = true
  world.rightsChanged([ben.memberId])
  await state(before, 'closed 4403')
  ben.isGone = false
  await before.close()
})

test('a device that is back online reconnects at once, and not after a client is closed', async () => {
  const page = await openPage()
  // The pause before the next try never ends.
  await page.evaluate(() => Object.assign(globalThis, { setTimeout: () => 0 }))
  line.cut()
  await eventually(async () => (await marksOf(page)).states.some(one => one.startsWith('waiting')))
  line.mend(world.addressOf('news'))
  const goOnline = () =>
    page.evaluate(() => void (globalThis as unknown as EventTarget).dispatchEvent(new Event('online')))
  await goOnline()
  await state(page, 'open', 2)
  await page.evaluate(() => (globalThis as unknown as { live: { close(): void } }).live.close())
  await goOnline()
  assert.is((await marksOf(page)).states.filter(one => one === 'connecting').length, 2)
  await page.close()
})

test.run()
