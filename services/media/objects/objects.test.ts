import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { notProven } from '../../../test/kit/sandbox-contract.ts'
import { newId } from '../../kernel/base/ids.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { openDisk } from './disk.ts'
import type { ObjectStore } from './objects.ts'
import { openBucket } from './s3.ts'
import type { BucketSettings } from './s3-calls.ts'

const sandbox = await sandboxForTest()
const folder = await mkdtemp(join(tmpdir(), 'media-'))
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const inSandbox = { bucket: 'media', region: 'eu-1', endpoint: `${sandbox.url}/storage`, credentials }
const quick = providerSettings({ PROVIDER_RETRY_DELAYS_MS: '5,5,5', PROVIDER_REST_MS: '50' }, '')
const bucket = (settings: BucketSettings, calls = quick) =>
  openBucket(settings, createProvider('storage', calls, { log: silentLog }))

/** The real provider, if its bucket and keys are set (docs/guides/providers.md). */
function realBucket(): BucketSettings | undefined {
  const text = (name: string) => process.env[`CONTRACT_S3_${name}`]
  const [name, accessKeyId, secretAccessKey] = [text('BUCKET'), text('ACCESS_KEY_ID'), text('SECRET_ACCESS_KEY')]
  if (!name || !accessKeyId || !secretAccessKey) return undefined
  const region = text('REGION') ?? 'us-east-1'
  return { bucket: name, region, endpoint: text('ENDPOINT'), credentials: { accessKeyId, secretAccessKey } }
}

const real = realBucket()
const stores: Record<string, () => Promise<ObjectStore>> = {
  'a folder': () => openDisk(folder),
  'a bucket of the sandbox': async () => bucket(inSandbox),
  ...(real && { 'a real bucket': async () => bucket(real) }),
}

if (!real)
  notProven(
    'objects in a real bucket',
    ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map(name => `CONTRACT_S3_${name}`),
  )

for (const [storeName, open] of Object.entries(stores)) {
  const test = suite(`objects in ${storeName}`)
  const store = await open()

  const write = async (id: string, ...parts: Buffer[]) => {
    const draft = await store.begin(id)
    for (const part of parts) await draft.write(part)
    return draft
  }
  const read = async (name: string, range?: { start: number; end: number }) => {
    const stream = await store.read(name, range)
    return stream && buffer(stream)
  }
  const oneMinuteAhead = () => new Date(Date.now() + 60_000)

  test('written content is returned whole and in part, and only once it is published', async () => {
    const id = newId()
    const bytes = randomBytes(100_000)
    const draft = await write(id, bytes.subarray(0, 70_000), bytes.subarray(70_000))
    assert.is(await read(id), undefined)
    await draft.publish()
    await draft.close()
    assert.ok((await read(id))?.equals(bytes))
    assert.ok((await read(id, { start: 69_990, end: 70_010 }))?.equals(bytes.subarray(69_990, 70_011)))
    await store.remove([id, `${id}.small`])
    assert.is(await read(id), undefined)
    await store.remove([id])
  })

  test('a file of several parts is returned byte for byte', async () => {
    const id = newId()
    const parts = Array.from({ length: 50 }, () => randomBytes(250_000))
    const draft = await write(id, ...parts)
    await draft.publish()
    await draft.close()
    assert.ok((await read(id))?.equals(Buffer.concat(parts)))
    assert.equal(await store.drafts(oneMinuteAhead()), [])
    await store.remove([id])
  })

  test('aborted content is never visible and leaves nothing, whatever its size', async () => {
    for (const size of [10, 6_000_000, 12_000_000]) {
      const id = newId()
      const draft = await write(id, Buffer.alloc(size))
      await draft.close()
      await store.discard(id)
      assert.is(await read(id), undefined, `${size}`)
      assert.not((await store.drafts(oneMinuteAhead())).includes(id), `${size}`)
    }
  })

  test('a small object is stored whole, and can be overwritten', async () => {
    const name = `${newId()}.small`
    await store.put(name, Buffer.from('one'))
    await Promise.all([store.put(name, Buffer.from('two')), store.put(name, Buffer.from('two'))])
    assert.is((await read(name))?.toString(), 'two')
    await store.remove([name])
  })

  test('a reader that disconnects delays nothing', async () => {
    const id = newId()
    const draft = await write(id, Buffer.alloc(3_000_000))
    await draft.publish()
    for (let count = 0; count < 40; count++) {
      const stream = await store.read(id)
      await stream?.iterator().next()
      stream?.destroy()
    }
    assert.is((await read(id))?.length, 3_000_000)
    await store.remove([id])
  })

  test('it reports that it is ready', () => store.ready())
  test.after(() => store.close())
  test.run()
}

const test = suite('failing bucket')
const store = bucket(inSandbox)
const fault = (mode: string, settings: object = {}) => sandbox.control({ provider: 'storage', mode, ...settings })
const readBytes = async (id: string) => {
  const stream = await store.read(id)
  return stream ? buffer(stream) : Buffer.of()
}
const send = async (id: string, size: number, to = store) => {
  const draft = await to.begin(id)
  try {
    await draft.write(Buffer.alloc(size))
    await draft.publish()
  } finally {
    await draft.close()
  }
}

const countRequests = async (method: string): Promise<number> =>
  (await sandbox.call('GET', '/_requests?provider=storage')).json.data.filter(
    (each: { method: string }) => each.method === method,
  ).length

/** The fault of the first POST, and the least number of POSTs for a multipart file, which needs two without faults. */
const passing = [
  { play: { mode: '500' }, posts: 3 },
  { play: { mode: '429', retryAfter: 1 }, posts: 3 },
  { play: { mode: 'reset' }, posts: 3 },
  // The client doesn't read the answer to a PUT, so an unreadable one is no failure.
  { play: { mode: 'garbage' }, posts: 3 },
  { play: { mode: 'delay', delayMs: 100 }, posts: 2 },
  { play: { mode: 'delay', delayMs: 60_000 }, posts: 3, timeoutMs: 1_000 },
]
test('a temporary failure is retried, and a slow answer awaited', async () => {
  // Only the case that must time out gets a limit that a busy machine might exceed, too.
  for (const { play, posts, timeoutMs = 60_000 } of passing) {
    const limited = bucket(inSandbox, { ...quick, timeoutMs })
    await fault('ok')
    await fault(play.mode, { ...play, method: 'POST' })
    const [id, before] = [newId(), await countRequests('POST')]
    await send(id, 6_000_000, limited)
    const playText = JSON.stringify(play)
    assert.is((await readBytes(id)).length, 6_000_000, playText)
    const tries = (await countRequests('POST')) - before
    assert.ok(timeoutMs > 1_000 ? tries === posts : tries >= posts, `${playText} ${tries}`)
    limited.close()
    await store.remove([id])
  }
})

test('a permanent failure is a 502, and nothing of the upload remains', async () => {
  await fault('ok')
  await fault('500', { method: 'PUT', times: 100 })
  for (const size of [10, 12_000_000]) {
    const id = newId()
    const error = await refusal(send(id, size))
    assert.equal([error.info.status, error.info.class], [502, 'ExternalServiceError'])
    assert.not(error.rawMessage.includes('127.0.0.1'))
    // The client's circuit breaker closes again soon.
    await eventually(() => store.discard(id).then(() => true))
  }
  await fault('ok')
  const state = await sandbox.call('GET', '/_state/storage')
  assert.equal(state.json.uploads, [])
})

test('a store without its bucket is not ready', async () => {
  const missing = bucket({ ...inSandbox, bucket: 'missing-media' })
  await missing.ready().then(
    () => assert.unreachable(),
    () => undefined,
  )
  missing.close()
})

test.after(async () => {
  store.close()
  await sandbox.close()
  await rm(folder, { recursive: true })
})
test.run()
