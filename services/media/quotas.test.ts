import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@connectrpc/connect'
import { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import { closeDatabase, openDatabase } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import { remoteTransport } from '../kernel/remote.ts'
import { startRpcServer } from '../kernel/server.ts'
import { implement } from '../kernel/implement.ts'
import { systemTenant } from '../kernel/tenant.ts'
import { assert, eventually, refusal, suite } from '../kernel/testing.ts'
import { openDisk } from './disk.ts'
import { reservationOf } from './reservation.ts'
import { sweep } from './sweep.ts'
import { type Tables, tenantTables } from './tables.ts'
import { mediaForTest, upload, uploadParts } from './testing.ts'

const test = suite('media quotas')
const media = await mediaForTest({ MEDIA_DEFAULT_QUOTA_MO: '2' })
const { asService, asNobody, memberOf, host } = media
const usageOf = (ecosystemId: string) => asService.getMediaUsage({ ecosystemId })
const mo = (count: number) => Buffer.alloc(count * 1_000_000, 7)

async function ecosystemWith(maxSize: number): Promise<string> {
  const ecosystemId = newId()
  await asService.setMediaQuota({ ecosystemId, maxSize, unit: 'MO' })
  return ecosystemId
}

test('an ecosystem without a quota has the default one', async () => {
  const ecosystemId = newId()
  const { client } = memberOf(ecosystemId)
  const { maxSize, unit, usedBytes, availableBytes, filesCount } = await client.getMediaUsage({ ecosystemId })
  assert.equal([maxSize, unit, usedBytes, availableBytes, filesCount], [2, 'MO', 0, 2_000_000, 0])
  assert.is((await refusal(client.getMediaUsage({ ecosystemId: newId() }))).info.status, 403)
})

test('a quota is filled to the last byte, and beyond it an upload is refused with what is left', async () => {
  const ecosystemId = await ecosystemWith(1)
  await upload(asService, { ecosystemId }, Buffer.alloc(999_000))
  const tooMuch = await refusal(upload(asService, { ecosystemId }, Buffer.alloc(1001)))
  assert.equal([tooMuch.info.status, tooMuch.info.class], [413, 'PayloadTooLargeError'])
  assert.match(tooMuch.rawMessage, '1000 bytes are left')
  await upload(asService, { ecosystemId }, Buffer.alloc(1000))
  assert.is((await usageOf(ecosystemId)).availableBytes, 0)
})

test('an upload that cannot fit is refused before its first byte is taken', async () => {
  const ecosystemId = await ecosystemWith(1)
  let taken = 0
  async function* parts() {
    yield* uploadParts({ ecosystemId, size: 1_000_001 })
    taken++
    yield { part: { case: 'chunk' as const, value: Buffer.alloc(10) } }
  }
  assert.is((await refusal(asService.uploadMedia(parts()))).info.status, 413)
  assert.is(taken, 0)
})

test('of 50 parallel uploads of one MO exactly 20 fit into 20 MO', async () => {
  const ecosystemId = await ecosystemWith(20)
  const bytes = mo(1)
  const sizes = Array.from({ length: 50 }, (_, i) => (i % 2 ? { size: bytes.length } : {}))
  const results = await Promise.allSettled(sizes.map(size => upload(asService, { ecosystemId, ...size }, bytes)))
  assert.is(results.filter(result => result.status === 'fulfilled').length, 20)
  const { usedBytes, availableBytes, filesCount } = await usageOf(ecosystemId)
  assert.equal([usedBytes, availableBytes, filesCount], [20_000_000, 0, 20])
})

test('a size that was said wrongly is settled to the real one', async () => {
  const ecosystemId = await ecosystemWith(5)
  await upload(asService, { ecosystemId, size: 4_000_000 }, Buffer.alloc(10))
  await upload(asService, { ecosystemId, size: 1 }, Buffer.alloc(500), Buffer.alloc(500))
  assert.is((await usageOf(ecosystemId)).usedBytes, 1010)
})

test('setting a quota again replaces it, and removing it gives the default one back', async () => {
  const ecosystemId = await ecosystemWith(3)
  await asService.setMediaQuota({ ecosystemId, maxSize: 20_000, unit: 'MO' })
  assert.is((await usageOf(ecosystemId)).availableBytes, 20_000_000_000)
  await asService.removeMediaQuota({ ecosystemId })
  assert.is((await usageOf(ecosystemId)).maxSize, 2)
  const { client } = memberOf(ecosystemId, { permissions: ['manage_ecosystem'] })
  assert.is((await refusal(client.setMediaQuota({ ecosystemId, maxSize: 1, unit: 'MO' }))).info.status, 403)
  assert.is((await refusal(asService.setMediaQuota({ ecosystemId, maxSize: 1, unit: 'GO' }))).info.status, 400)
})

test('platform.storage.media makes the quota', async () => {
  const ecosystemId = newId()
  const body = JSON.stringify({ ecosystemId, payload: { max_size: 20000, unit: 'MO' } })
  await host.bus.publish('platform.storage.media', body, { id: newId() })
  await eventually(async () => (await usageOf(ecosystemId)).maxSize === 20_000)
})

test('a storage event in another unit becomes a dead letter at once', async () => {
  const ecosystemId = newId()
  const body = JSON.stringify({ ecosystemId, payload: { max_size: 20, unit: 'GO' } })
  const { last } = await host.bus.bounds(host.bus.deadStream)
  await host.bus.publish('platform.storage.media', body, { id: newId() })
  const dead = await eventually(() => host.bus.read(host.bus.deadStream, last + 1), 3_000)
  assert.match(dead.headers['Dead-Reason'] ?? '', /payload\.unit/)
  assert.is((await usageOf(ecosystemId)).maxSize, 2)
})

test('the space of an upload whose process died is given back, and its bytes go', async () => {
  const db = openDatabase<Tables>(host.databaseUrl('media'), { tables: tenantTables })
  const disk = await openDisk(media.folder)
  const ecosystemId = newId()
  const id = newId()
  await reservationOf(db, systemTenant('', ecosystemId, 'the test'), id, 2_000_000).cover(1_500_000)
  const draft = await disk.begin(id)
  await draft.write(Buffer.alloc(100))
  await draft.close()
  await sweep({ db, disk })
  assert.is((await usageOf(ecosystemId)).usedBytes, 1_500_000)
  await sweep({ db, disk }, Date.now() + 3_600_000)
  assert.is((await usageOf(ecosystemId)).usedBytes, 0)
  assert.instance(await access(join(media.folder, 'incoming', id)).catch(error => error), Error)
  await closeDatabase(db)
})

test('200 MO travel over the network within a memory that does not grow with them', async () => {
  const ecosystemId = await ecosystemWith(200)
  const relay = implement(
    MediaService,
    {
      uploadMedia: messages => asService.uploadMedia(messages),
      downloadMedia: message => asNobody.downloadMedia(message),
    },
    ['deleteMedia', 'listMedia', 'getMediaUsage', 'setMediaQuota', 'removeMediaQuota', 'purgeMedia'],
  )
  const server = await startRpcServer({
    rpcs: [relay],
    interceptors: [],
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  })
  const remote = remoteTransport(`http://127.0.0.1:${server.port}`)
  const client = createClient(MediaService, remote)
  const chunk = Buffer.alloc(250_000, 'x')
  let peak = 0
  async function* parts() {
    yield* uploadParts({ ecosystemId, size: 200_000_000 })
    for (let sent = 0; sent < 800; sent++) {
      yield { part: { case: 'chunk' as const, value: chunk } }
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
    }
  }
  const before = process.memoryUsage().arrayBuffers
  const { file } = await client.uploadMedia(parts())
  assert.is(file?.size, 200_000_000)
  // Both ends are in this process, and what is in flight waits for the collector.
  assert.ok(peak - before < 120_000_000, `${peak - before} bytes at the peak`)
  let read = 0
  for await (const part of client.downloadMedia({ id: file?.id ?? '' })) read += part.chunk?.data.length ?? 0
  assert.is(read, 200_000_000)
  await remote.close()
  await server.close(100)
})

test.after(() => media.end())
test.run()
