import { Agent } from 'node:http'
import fc from 'fast-check'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { exampleWorld } from '../kit/requests/example-world.ts'
import { type Records, recordFor, recordsOf } from '../kit/requests/records.ts'
import { type Endpoint, endpoints } from '../kit/requests/requests.ts'
import { type Answer, sendWild, type Wild, wildRequests } from '../kit/requests/wild-requests.ts'

const test = suite('random requests')
const platform = await sharedPlatform()
// The same requests on each run, so that a failure is caused by the change under test. FUZZ_SEED varies them.
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const count = Number(process.env['FUZZ_COUNT'] ?? 2_000)
let hotels: TwoHotels
let records: Records

// Requests that end the caller's own session or hotel would turn all later ones into refusals.
const spared =
  /DELETE \/users\/me|\/auth\/logout|DELETE \/workspaces\/delete|DELETE \/hotel\/delete|suspend-member|revoke/i

test('two hotels exist', async () => {
  hotels = await twoHotels(platform)
  records = await recordsOf(exampleWorld(hotels))
})

test(`of ${count} random requests none is answered with a 5xx, with a stack, or late (FUZZ_SEED=${seed})`, async () => {
  const known = (endpoint: Endpoint) => {
    const tenant = idsOf(hotels.ours, endpoint)
    return (field: Parameters<typeof tenant>[0]) => tenant(field) ?? recordFor(records, endpoint, field)
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const credentials = [
    bearer(hotels.ours.token),
    bearer(hotels.ours.token),
    bearer(hotels.root),
    bearer(hotels.viewer),
    { 'x-api-key': hotels.apiKey },
  ]
  const routes = (await endpoints()).filter(endpoint => !spared.test(endpoint.title))
  const queue = fc.sample(wildRequests({ endpoints: routes, known, credentials }), { numRuns: count, seed })
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const work = async (): Promise<void> => {
    for (let wild = queue.pop(); wild; wild = queue.pop()) {
      const answer = await sendWild(platform.urls[wild.endpoint.service], wild, agent).catch(String)
      const problem = typeof answer === 'string' ? answer : problemOf(answer)
      if (typeof answer !== 'string') statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (problem) faults.push(`${problem}: ${shown(wild)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  agent.destroy()
  assert.equal(faults, [], JSON.stringify([...statuses].sort()))
  // Requests that are all refused at once would prove little.
  const good = [...statuses].filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0)
  assert.ok(good > count / 50, JSON.stringify([...statuses].sort()))
})

function problemOf({ status, text, ms }: Answer): string | undefined {
  if (status >= 500 && status !== 501) return `${status} ${text.slice(0, 200)}`
  if (/node_modules|\bat \S+ \(|<pre>|SQLSTATE|ER_[A-Z_]{4}/.test(text))
    return `inner text in ${status} ${text.slice(0, 300)}`
  // Above what a busy machine takes: the request hangs.
  return ms > 60_000 ? `${ms} ms` : undefined
}

const shown = ({ endpoint, verb, path, headers, body }: Wild): string =>
  `${endpoint.title} as ${verb} ${path.slice(0, 300)} ${JSON.stringify(headers).replace(/Bearer [\w.-]{60,}/, 'Bearer …')} ${body?.toString().slice(0, 500)}`

test('the platform is still up', async () => {
  for (const url of Object.values(platform.urls)) assert.is((await fetch(`${url}/health`)).status, 200)
})

test.run()
