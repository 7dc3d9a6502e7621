import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { main } from '../../cli/commands/main.ts'
import { call } from '../../cli/tour/client.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import { runCommand } from '../kit/command.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type SharedPlatform, sharedPlatform } from '../kit/platform/shared.ts'
import { type House, houses } from '../kit/platform/shared-person.ts'

const test = suite('commands for developers')

let platform: SharedPlatform
let house: House
let email: string
test.before(async () => {
  platform = await sharedPlatform()
  const people = await houses(platform)
  house = await people.house('La Cale', 'ada')
  email = addressOf(people.world, 'ada')
})

const settings = () => ({ ...platform.env, PLATFORM_PASSWORD: password })

/** Runs a command as the hotel's administrator, which must exit with 0. @returns its JSON output */
async function data(...words: string[]) {
  const { status, stdout, stderr } = await runCommand([...words, '--email', email, '--json'], settings())
  assert.equal([status, stderr], [0, ''])
  return JSON.parse(stdout)
}

async function countSessions(): Promise<number> {
  const { body } = await call(platform.urls, 'auth', 'GET', '/users/me/sessions', { token: house.token })
  const list: unknown[] = body['data'] ?? []
  assert.ok(list.length > 0)
  return list.length
}

/** The command `token`, which reads the password from its standard input. */
const startToken = () =>
  spawn(
    process.execPath,
    [fileURLToPath(new URL('../../cli/command.ts', import.meta.url)), 'token', '--email', email],
    {
      env: platform.env as NodeJS.ProcessEnv,
    },
  )

test('token signs in with a password on standard input, and its session stays', async () => {
  const child = startToken()
  child.stdin.end(`${password}\n`)
  const [output] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'exit')])
  const token = output.join('').trimEnd()
  assert.is((await call(platform.urls, 'auth', 'GET', '/users/me', { token })).body['email'], email)
})

test('token without a password says how to pass one', async () => {
  const child = startToken()
  child.stdin.end()
  const [errors] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'exit')])
  assert.match(errors.join(''), /^No password: set PLATFORM_PASSWORD/)
  assert.is(child.exitCode, 2)
})

test('token refuses a wrong password, and prints the tokens of the bootstrap administrator by default', async () => {
  const refusal = await runCommand(['token', '--email', email], { ...platform.env, PLATFORM_PASSWORD: 'wrong' })
  assert.equal([refusal.status, refusal.stdout], [1, ''])
  assert.match(refusal.stderr, /^401 /)
  const { stdout } = await runCommand(['token', '--json'], platform.env)
  assert.equal(Object.keys(JSON.parse(stdout)), ['accessToken', 'refreshToken'])
})

/** Runs `listen` until it has ended. @returns its lines, a promise of its exit code, and what waits until it listens */
function listen(...words: string[]) {
  const lines: string[] = []
  const terminal = { env: settings(), print: (line: string) => lines.push(line), printError: assert.unreachable }
  const exitCode = main(['listen', '--email', email, ...words], terminal)
  return { lines, exitCode, waitForStart: () => eventually(() => lines.some(line => line.startsWith('Listening'))) }
}

function countByText(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

test('listen shows the frames of what trigger causes, and leaves no session', async () => {
  const { id } = await data('trigger', 'page.created')
  const before = await countSessions()
  const { lines, exitCode, waitForStart } = listen('--type', 'page.*,comment.*,like.*', '--count', '11')
  await waitForStart()
  for (const event of ['page.created', 'page.updated', 'page.deleted']) await data('trigger', event)
  for (const event of ['comment.created', 'comment.deleted', 'like.deleted', 'like.created'])
    await data('trigger', event, '--page', id)
  assert.is(await exitCode, 0)
  const types = lines.flatMap(line => /^\d\d:\d\d:\d\d  ([a-z]+\.[a-z]+) +\{/.exec(line)?.[1] ?? [])
  const expected = { 'page.created': 3, 'page.updated': 1, 'page.deleted': 1 }
  const onPage = { 'comment.created': 2, 'comment.deleted': 1, 'like.created': 2, 'like.deleted': 1 }
  assert.equal(countByText(types), { ...expected, ...onPage })
  assert.is(await countSessions(), before)
})

test('listen leaves the count of what is unread out, unless it is asked for', async () => {
  const frames = listen('--json', '--count', '2')
  const counts = listen('--json', '--count', '1', '--type', 'notification:count')
  const events = async () => (await data('trigger', 'workspace.member_joined')) && counts.lines.length > 0
  await eventually(events, 60_000)
  assert.equal([await counts.exitCode, await frames.exitCode], [0, 0])
  const typesOf = (lines: string[]) => lines.map(line => JSON.parse(line).type)
  assert.equal(typesOf(counts.lines), ['notification:count'])
  assert.equal(typesOf(frames.lines).toSorted(), ['member:joined', 'notification:new'])
})

type Posted = { path: string | undefined; headers: Record<string, string>; body: string }

/** A receiver of webhooks on this machine. */
async function startReceiver() {
  const requests: Posted[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    requests.push({ path: request.url, headers: request.headers as Record<string, string>, body })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    requestsTo: (path: string) => requests.filter(one => one.path === path),
    close: () => server.close(),
  }
}

const webhooks = async (method: string, body?: object, id = '') => {
  const options = { token: house.token, ...(body && { body }) }
  return (await call(platform.urls, 'notification', method, `/api/v1/webhooks${id}`, options)).body
}

test('trigger causes every event that webhooks carry, and listen forwards what a webhook of the hotel gets', async () => {
  const { address, requestsTo, close } = await startReceiver()
  const { id: webhookId } = await webhooks('POST', { url: `${address}/webhook` })
  const { lines, exitCode, waitForStart } = listen('--forward', `${address}/listen`, '--count', '16')
  await waitForStart()
  const types = (await webhooks('GET'))['availableEventTypes'] as unknown as string[]
  for (const type of types) await data('trigger', type)
  await eventually(() => requestsTo('/listen').length === 16 && requestsTo('/webhook').length === 16)
  assert.is(await exitCode, 0)
  close()
  const [, secret = ''] = /signed with (whsec_\S+)$/.exec(lines[0] ?? '') ?? []
  const events = requestsTo('/listen').map(
    ({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string },
  )
  assert.equal(countByText(events.map(({ type }) => type)), {
    ...{ 'hotel.updated': 1, 'page.created': 3, 'page.updated': 1, 'page.deleted': 1 },
    ...{ 'workspace.member_joined': 5, 'workspace.member_left': 2 },
    ...{ 'member.registered': 1, 'member.updated': 1, 'member.deleted': 1 },
  })
  assert.equal(types.toSorted(), [...new Set(events.map(({ type }) => type))].toSorted())
  const bodiesTo = (path: string) =>
    requestsTo(path)
      .map(({ body }) => body)
      .toSorted()
  assert.equal(bodiesTo('/listen'), bodiesTo('/webhook'))
  assert.is(lines.filter(line => /^\d\d:\d\d:\d\d  [a-z_]+\.[a-z_]+ .*\n +→ 204$/s.test(line)).length, 16)
  const endpoints: { id: string }[] = (await webhooks('GET'))['data'] ?? []
  assert.equal(
    endpoints.map(one => one.id),
    [webhookId],
  )
  await webhooks('DELETE', undefined, `/${webhookId}`)
})

test('listen prints each attempt as one object per line, also one that fails', async () => {
  const { lines, exitCode } = listen('--type', 'page.*', '--count', '1', '--json', '--forward', 'http://127.0.0.1:4040')
  await eventually(async () => (await data('trigger', 'page.created')) && lines.length > 1, 60_000)
  assert.is(await exitCode, 0)
  const [first, second] = lines.map(line => JSON.parse(line))
  assert.match(first.secret, /^whsec_/)
  assert.equal([second.type, second.data.ecosystemId], ['page.created', house.ecosystem])
  assert.match(second.answer, 'ECONNREFUSED')
})

test('what cannot be forwarded or counted is refused', async () => {
  const problems = [
    ...['abc', '0', '-1', '1.5'].map(count => [`--count=${count}`, '--count is a whole number from 1.']),
    ['--forward http://127.0.0.1:1', '400 url: must use port 443'],
    ['--forward http://127.0.0.1:4040 --type like.*', '--type matches no event that webhooks carry: hotel.updated, '],
  ]
  for (const [options = '', problem = ''] of problems) {
    const { status, stderr } = await runCommand(['listen', '--email', email, ...options.split(' ')], settings())
    assert.ok(status > 0 && stderr.startsWith(problem), stderr)
  }
})

test('a workspace of another hotel is refused', async () => {
  const { stderr, status } = await runCommand(['listen', '--workspace', '0'.repeat(24), '--email', email], settings())
  assert.is(status, 1)
  assert.match(stderr, /^40[34] /)
})

test('listen with a token ends when the platform does not answer', async () => {
  const ports = { MEMBER_PORT: '1', NEWS_PORT: '1', HOTEL_PORT: '1', NOTIFICATION_PORT: '1' }
  const words = ['listen', '--workspace', house.workspace, '--token', house.token]
  assert.is((await runCommand(words, { ...settings(), ...ports })).status, 3)
})

test('misspelt commands, groups, options and events are answered with the right one', async () => {
  const problems = [
    ['docter', 'Unknown command: docter. Did you mean doctor?'],
    ['dead-leters list', 'Unknown command: dead-leters. Did you mean dead-letters?'],
    ['dead-letters lst', 'Unknown command: dead-letters lst. Did you mean dead-letters list?'],
    ['setups list --statsu done', "Unknown option '--statsu'. Did you mean --status?"],
    ['trigger page.create', 'Unknown event: page.create. Did you mean page.created?'],
    ['trigger', 'Name an event. Events: page.created, '],
  ]
  for (const [line = '', problem = ''] of problems) {
    const { status, stderr } = await runCommand(line.split(' '), platform.env)
    assert.equal([status, stderr.startsWith(problem)], [2, true], stderr)
  }
})

test('in production and on another machine nothing is triggered, and somebody without a hotel names one', async () => {
  const stopped = await runCommand(['trigger', 'page.created'], { ...settings(), NODE_ENV: 'production' })
  assert.match(stopped.stderr, 'In production, nothing is triggered')
  const remote = await runCommand(['trigger', 'page.created', '--host', 'edge'], settings())
  assert.match(remote.stderr, 'On another machine, nothing is triggered')
  const nowhere = await runCommand(['listen'], platform.env)
  assert.equal([nowhere.status, nowhere.stderr], [2, 'This account belongs to no hotel: pass --workspace.\n'])
})

test('the tour shows its steps, and every call when asked to', async () => {
  const [shortTour, longTour] = [
    await runCommand(['tour'], platform.env),
    await runCommand(['tour', '--verbose'], platform.env),
  ]
  assert.equal([shortTour.status, longTour.status], [0, 0])
  assert.ok(shortTour.stdout.trimEnd().split('\n').length <= 13, shortTour.stdout)
  assert.not.match(shortTour.stdout, '→')
  assert.match(longTour.stdout, /POST http.*\/auth\/login → 200/)
})

test.run()
