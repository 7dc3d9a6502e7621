import { Worker } from 'node:worker_threads'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { listedPasswords } from './common-passwords.ts'
import { acceptPassword, createHasher, type Hasher } from './hashing.ts'
import type { Task } from './worker.ts'

const test = suite('hashing')

const hashers: Hasher[] = []
async function newHasher(options?: Parameters<typeof createHasher>[0]): Promise<Hasher> {
  const hasher = await createHasher(options)
  hashers.push(hasher)
  return hasher
}
test.after(async () => {
  for (const hasher of hashers) await hasher.stop()
})

test('a hash is bcrypt of cost 10 and matches only its password', async () => {
  const hasher = await newHasher()
  const hash = await hasher.rehash('correct horse 7')
  assert.match(hash, /^\$2[ab]\$10\$/)
  assert.is(await hasher.matches('correct horse 7', hash), true)
  assert.is(await hasher.matches('correct horse 8', hash), false)
})

test('without a hash nothing matches, and a thread still does the work of a comparison', async () => {
  const tasks: Task[] = []
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (task: Task) {
    tasks.push(task)
    postMessage.call(this, task)
  }
  try {
    const hasher = await newHasher()
    tasks.length = 0
    assert.is(await hasher.matches('wrong horse 7', undefined), false)
  } finally {
    Worker.prototype.postMessage = postMessage
  }
  assert.is(tasks.length, 1)
  const [task] = tasks
  assert.is(task?.password, 'wrong horse 7')
  // test/edge/enumeration.trial.ts measures that the times are alike.
  assert.match(task && 'hash' in task ? task.hash : '', /^\$2[ab]\$10\$[./A-Za-z0-9]{53}$/)
})

test('a limited number runs at once, the next ones queue, and any more are refused', async () => {
  const hasher = await newHasher({ concurrency: 1, queue: 2 })
  const order: number[] = []
  const first = [0, 1, 2].map(async n => {
    await hasher.rehash(`correct horse ${n}`)
    order.push(n)
  })
  const error = await refusal(hasher.rehash('one too many'))
  assert.is(error.info.status, 503)
  assert.ok(error.info.retryAfterSeconds > 0)
  await Promise.all(first)
  assert.equal(order, [0, 1, 2])
  await hasher.rehash('again there is room')
})

test('an unreadable hash matches nothing, and the threads continue', async () => {
  const hasher = await newHasher({ concurrency: 1, queue: 2 })
  assert.is(await hasher.matches('correct horse 7', ''), false)
  assert.is(await hasher.matches('correct horse 7', 'not a hash'), false)
  assert.ok(await hasher.rehash('correct horse 7'))
})

test('a thread that dies fails its own task only, and another thread runs the queued ones', async () => {
  const hasher = await newHasher({ concurrency: 1, queue: 2 })
  const dying = refusal(hasher.matches('correct horse 7', 7 as never))
  const next = hasher.rehash('correct horse 7')
  assert.is((await dying).info.status, 503)
  assert.ok(await next)
})

test('queued, running and later tasks are refused with 503 when hashing stops', async () => {
  const hasher = await createHasher({ concurrency: 1, queue: 2 })
  const refusals = [hasher.rehash('correct horse 1'), hasher.rehash('correct horse 2')].map(refusal)
  // Blocks as on a busy machine, so that the first answer is in transit when hashing stops.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  await hasher.stop()
  const errors = [...(await Promise.all(refusals)), await refusal(hasher.rehash('correct horse 3'))]
  assert.equal(
    errors.map(error => error.info.status),
    [503, 503, 503],
  )
})

test('a listed password is refused in any case, as is the e-mail itself', () => {
  const commonPasswords = ['password123', 'PASSWORD123', 'Hotel1234', '12345678', '1234567890', 'a1234567']
  // OWASP asks to refuse at least the 3,000 most common passwords.
  const popularPasswords = ['scorpion', 'CocaCola', 'bigdaddy', 'yankees1', 'mustang1', '11111111']
  const monotonous = ['abababababab', 'abcdefghij', '98765432', 'zzzzzzzzzz', 'hotlhotlhotl']
  for (const bad of [...commonPasswords, ...popularPasswords, ...monotonous, 'ada@hotel.example', 'Ada.Byron']) {
    const rules = { email: bad.includes('@') ? bad : 'ada.byron@hotel.example', path: 'password' }
    assert.throws(() => acceptPassword(bad, { ...rules, hasBlocklist: true }), /too common/, bad)
    assert.is(acceptPassword(bad, { ...rules, hasBlocklist: false }), bad)
  }
  assert.ok(listedPasswords.size > 15_000)
})

test('an unlisted password is accepted, also without a letter', () => {
  const good = [
    '9274638215080',
    '9274638a1508',
    '2917-4408-1163',
    '!!!--??8842',
    '٣٩٢٨٤٧١٥٦',
    'Summer2031!?',
    'correct horse 7',
  ]
  for (const one of good)
    assert.is(acceptPassword(one, { email: 'ada@hotel.example', path: 'password', hasBlocklist: true }), one)
})

test.run()
