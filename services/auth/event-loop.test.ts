import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { createLog } from '../kernel/log.ts'
import { assert, eventually, suite } from '../kernel/testing.ts'
import { readConfig } from './config.ts'
import { type EventLoopPriority, eventLoopPriority } from './event-loop.ts'
import { pulse } from './event-loop.pulse.ts'
import { createHasher } from './hashing.ts'
import { password, startAuthHost } from './testing.ts'

const test = suite('event loop')

/** The names of Linux for how a thread is scheduled, from sched(7). */
const [ordinary, roundRobin] = [0, 2]
const policyOf = (thread: number | string): number => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38])
}
const isNow = (policy: number) => () => policyOf(process.pid) === policy
/** Said again at each look: on a busy machine the while may be over before the next. */
const isRaisedBy = (priority: EventLoopPriority) => () => {
  priority.raise()
  return policyOf(process.pid) === roundRobin
}

/** Whether this machine lets the tests do what they are about; elsewhere what is left of them says so. */
const isAllowed = process.platform === 'linux' && spawnSync('chrt', ['--rr', '1', 'true']).status === 0
const where = (allowed: boolean) => (allowed ? test : (title: string) => console.log(`\nSKIPPED here: ${title}`))

function listening() {
  const lines: { reason: string; msg: string }[] = []
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { lines, log }
}

where(isAllowed)('raised, the event loop is real-time for a while, and hashing threads never are', async () => {
  const { lines, log } = listening()
  const priority = eventLoopPriority(log, { lingerMs: 300 })
  const hasher = await createHasher({ concurrency: 2, priority })
  await eventually(isRaisedBy(priority))
  // One of them begins only now.
  await Promise.all([hasher.rehash('correct horse 7'), hasher.rehash('correct horse 8')])
  const others = readdirSync('/proc/self/task').filter(thread => thread !== String(process.pid))
  assert.ok(others.length > 2)
  assert.equal([...new Set(others.map(policyOf))], [ordinary])
  await eventually(isNow(ordinary))

  await eventually(isRaisedBy(priority))
  await hasher.stop()
  await eventually(isNow(ordinary))
  priority.raise()
  assert.equal(lines, [])
})

where(process.platform === 'linux')(
  'threads of the pulse wake all the time while it is on, and only then',
  async () => {
    const threads = () => readdirSync('/proc/self/task')
    const before = new Set(threads())
    const beat = pulse(2)
    const wakes = () => {
      const own = threads().filter(thread => !before.has(thread))
      const counts = own.map(thread => readFileSync(`/proc/self/task/${thread}/status`, 'utf8'))
      return counts
        .map(status => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]))
        .toSorted((a, b) => b - a)
    }
    try {
      beat.on()
      await eventually(() => Number(wakes()[1]) > 500)
      beat.off()
      await eventually(async () => {
        const then = wakes()
        await new Promise(resolve => setTimeout(resolve, 200))
        return wakes().every((count, index) => count - Number(then[index]) < 10)
      })
      const asleep = Number(wakes()[1])
      beat.on()
      await eventually(() => Number(wakes()[1]) > asleep + 500)
    } finally {
      beat.stop()
    }
    await eventually(() => wakes().length === 0)
    beat.on()
    assert.equal(wakes(), [])
  },
)

test('where there is no chrt, everything goes on, and the log says so once', async () => {
  const { lines, log } = listening()
  const { PATH } = process.env
  process.env['PATH'] = '/nowhere'
  const priority = eventLoopPriority(log, { lingerMs: 10 })
  process.env['PATH'] = PATH
  priority.raise()
  await eventually(() => lines.length > 0)
  assert.match(lines[0]?.msg ?? '', /stays an ordinary thread while passwords are hashed/)
  assert.match(lines[0]?.reason ?? '', /chrt/)
  priority.raise()
  priority.stop()
  assert.is(lines.length, 1)
})

/** A program run as nobody, with `rights`. */
const asNobody = (rights: string[], ...program: string[]) => {
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', ...rights]
  return spawnSync('setpriv', [...user, ...program], { encoding: 'utf8', timeout: 60_000 })
}
const code = new URL('event-loop.ts', import.meta.url)
/** Nobody must be able to read this checkout for that. */
const hasNobody = isAllowed && asNobody([], 'test', '-r', fileURLToPath(code)).status === 0

/** What becomes of a raised event loop in a process of nobody's. */
function raisedWith(...rights: string[]): string {
  const script = `
    import { readFileSync } from 'node:fs'
    import { eventLoopPriority } from '${code}'
    const end = setTimeout(() => {}, 60_000)
    const policy = () => readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')[38]
    const until = async wanted => { while (policy() !== wanted) await new Promise(done => setTimeout(done, 10)) }
    const refused = () => (console.log('refused'), process.exit())
    const priority = eventLoopPriority({ info: refused })
    priority.raise()
    await until('${roundRobin}')
    priority.stop()
    await until('${ordinary}')
    console.log('there and back')
    clearTimeout(end)`
  const { stdout, stderr } = asNobody(rights, process.execPath, '--input-type=module', '-e', script)
  return stdout.trim() || stderr
}

where(hasNobody)('one capability is all the right it takes, and who has none is refused', () => {
  assert.is(raisedWith('--inh-caps=-all,+sys_nice', '--ambient-caps=+sys_nice'), 'there and back')
  assert.is(raisedWith(), 'refused')
})

test('of those whom hashes leave a core, nobody goes first', async () => {
  let raised = 0
  const hasher = await createHasher({ priority: { raise: () => void raised++, stop: () => undefined } })
  try {
    const cores = availableParallelism()
    const hashAll = (count: number) =>
      Promise.all(Array.from({ length: count }, () => hasher.rehash('correct horse 7')))
    await hashAll(cores)
    assert.is(raised, 0)
    hasher.giveWay()
    await hashAll(cores - 1)
    assert.is(raised, 0)
    hasher.giveWay()
    await hashAll(cores)
    assert.is(raised, 1)
  } finally {
    await hasher.stop()
  }
})

/** Signs in on all cores at once, and has somebody's account asked for meanwhile, until `done`. */
async function crowd(setting: string, done: () => boolean, rounds: number): Promise<boolean> {
  const host = await startAuthHost({ EVENT_LOOP_FIRST: setting, SIGN_IN_SUBJECT_LIMIT: '1000' })
  try {
    const email = host.newEmail()
    const { user } = await host.as(SignInService).register({ email, password })
    for (let round = 0; round < rounds && !done(); round++) {
      const crowd = Array.from({ length: availableParallelism() + 1 }, () =>
        host.as(SignInService).login({ email, password }),
      )
      let isOver = false
      const all = Promise.all(crowd).finally(() => {
        isOver = true
      })
      while (!isOver) {
        await host.asService(AccountService).getAccountState({ userId: user?.id ?? '' })
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      await all
    }
    return done()
  } finally {
    await host.end()
    await eventually(isNow(ordinary))
  }
}

where(isAllowed)('while people sign in on all cores and others are served, the event loop goes first', async () => {
  assert.is(await crowd('off', isNow(roundRobin), 2), false)
  assert.is(await crowd('on', isNow(roundRobin), 50), true)
})

test('a setting that is neither on nor off is refused by its name', () => {
  assert.throws(() => readConfig({ EVENT_LOOP_FIRST: 'perhaps' }), /AUTH_EVENT_LOOP_FIRST or EVENT_LOOP_FIRST: /)
})

test.run()
