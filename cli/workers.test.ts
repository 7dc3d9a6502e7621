import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('processes that share their ports')
const fixture = fileURLToPath(new URL('./fixtures/workers.ts', import.meta.url))

let leader: ChildProcess
let port: number
test.before(async () => {
  leader = fork(fixture)
  const [said] = (await once(leader, 'message')) as [{ port: number }]
  port = said.port
})
test.after(() => void leader.kill('SIGKILL'))

async function replace(): Promise<{ count?: number; error?: string }> {
  leader.send({ type: 'replace' })
  const [said] = (await once(leader, 'message')) as [{ count?: number; error?: string }]
  return said
}

const ask = (agent: Agent) =>
  new Promise<string>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, response => {
      let text = ''
      response.on('data', part => (text += String(part))).on('end', () => resolve(text))
    }).on('error', reject)
  })

/** Sends requests over kept connections until stopped, without retries. */
function startAsking() {
  // As many connections as senders, so that none is ever idle.
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const answered = new Set<string>()
  const failed: string[] = []
  let isOver = false
  const one = async () => {
    while (!isOver)
      await ask(agent).then(
        pid => answered.add(pid),
        error => failed.push(String(error)),
      )
  }
  const all = Promise.all([one(), one(), one(), one()])
  return {
    answered,
    failed,
    async stop() {
      isOver = true
      await all
      agent.destroy()
    },
  }
}

test('each process is replaced while serving, and no request fails', async () => {
  const clients = startAsking()
  const former = new Set<string>()
  while (former.size < 2) former.add(await ask(new Agent()))
  for (let round = 0; round < 2; round++) assert.equal(await replace(), { count: 2 })
  await clients.stop()
  assert.equal(clients.failed, [])
  const now = new Set<string>()
  while (now.size < 2) now.add(await ask(new Agent()))
  assert.equal(
    [...now].filter(pid => former.has(pid)),
    [],
  )
  assert.ok(clients.answered.size > 0)
})

test('a replacement that does not start is reported, and the running processes continue', async () => {
  leader.send({ type: 'break' })
  const clients = startAsking()
  assert.equal(await replace(), { error: 'ended before it served' })
  await clients.stop()
  assert.equal(clients.failed, [])
  const now = new Set<string>()
  while (now.size < 2) now.add(await ask(new Agent()))
})

test('a stop ends all processes', async () => {
  leader.send({ type: 'stop' })
  const [code] = (await once(leader, 'exit')) as [number]
  assert.is(code, 0)
})

test.run()
