import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { mediaForTest, type StorageKind, storageKinds, upload, uploadParts } from '../../../test/kit/media.ts'
import { newId } from '../../kernel/base/ids.ts'

const mo = (count: number) => Buffer.alloc(count * 1_000_000, 7)

async function runSuite(kind: StorageKind) {
  const test = suite(`media quotas in ${kind}`)
  const media = await mediaForTest({ MEDIA_DEFAULT_QUOTA_MO: '2', MEDIA_MAX_FILE_MO: '30' }, kind)
  const { asService, memberOf, host } = media
  const usageOf = (ecosystemId: string) => asService.getMediaUsage({ ecosystemId })

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

  test('a quota can be filled to the last byte, and an upload beyond it is refused with the remaining space', async () => {
    const ecosystemId = await ecosystemWith(1)
    await upload(asService, { ecosystemId }, Buffer.alloc(999_000))
    const tooMuch = await refusal(upload(asService, { ecosystemId }, Buffer.alloc(1001)))
    assert.equal([tooMuch.info.status, tooMuch.info.class], [413, 'PayloadTooLargeError'])
    assert.match(tooMuch.rawMessage, '1000 bytes are left')
    await upload(asService, { ecosystemId }, Buffer.alloc(1000))
    assert.is((await usageOf(ecosystemId)).availableBytes, 0)
  })

  test('a file above the size limit is a 413 before anything is stored, whatever the quota', async () => {
    const ecosystemId = await ecosystemWith(50)
    const sized = await refusal(upload(asService, { ecosystemId, size: 30_000_001 }))
    const unsized = await refusal(upload(asService, { ecosystemId }, ...Array.from({ length: 31 }, () => mo(1))))
    for (const { info, rawMessage } of [sized, unsized])
      assert.equal(
        [info.status, info.class, rawMessage],
        [413, 'PayloadTooLargeError', 'The file must not exceed 30000000 bytes'],
      )
    assert.is((await usageOf(ecosystemId)).usedBytes, 0)
    await upload(asService, { ecosystemId }, mo(1))
  })

  test('an upload that does not fit is refused before its first byte is accepted', async () => {
    const ecosystemId = await ecosystemWith(1)
    let sentChunks = 0
    async function* parts() {
      yield* uploadParts({ ecosystemId, size: 1_000_001 })
      sentChunks++
      yield { part: { case: 'chunk' as const, value: Buffer.alloc(10) } }
    }
    assert.is((await refusal(asService.uploadMedia(parts()))).info.status, 413)
    assert.is(sentChunks, 0)
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

  test('a wrong size is corrected to the real one', async () => {
    const ecosystemId = await ecosystemWith(5)
    await upload(asService, { ecosystemId, size: 4_000_000 }, Buffer.alloc(10))
    await upload(asService, { ecosystemId, size: 1 }, Buffer.alloc(500), Buffer.alloc(500))
    assert.is((await usageOf(ecosystemId)).usedBytes, 1010)
  })

  test('setting a quota again replaces it, and removing it restores the default', async () => {
    const ecosystemId = await ecosystemWith(3)
    await asService.setMediaQuota({ ecosystemId, maxSize: 20_000, unit: 'MO' })
    assert.is((await usageOf(ecosystemId)).availableBytes, 20_000_000_000)
    await asService.removeMediaQuota({ ecosystemId })
    assert.is((await usageOf(ecosystemId)).maxSize, 2)
    const { client } = memberOf(ecosystemId, { permissions: ['manage_ecosystem'] })
    assert.is((await refusal(client.setMediaQuota({ ecosystemId, maxSize: 1, unit: 'MO' }))).info.status, 403)
    assert.is((await refusal(asService.setMediaQuota({ ecosystemId, maxSize: 1, unit: 'GO' }))).info.status, 400)
  })

  test('platform.storage.media sets the quota', async () => {
    const ecosystemId = newId()
    const body = JSON.stringify({ ecosystemId, payload: { max_size: 20000, unit: 'MO' } })
    await host.bus.publish('platform.storage.media', body, { id: newId() })
    await eventually(async () => (await usageOf(ecosystemId)).maxSize === 20_000)
  })

  test('a storage event with another unit or without a size is dead-lettered at once and changes nothing', async () => {
    const ecosystemId = newId()
    for (const [payload, field] of [
      [{ max_size: 20, unit: 'GO' }, /payload\.unit/],
      [{ unit: 'MO' }, /payload\.max_size/],
      [{ max_size: '20', unit: 'MO' }, /payload\.max_size/],
    ] as const) {
      const { last } = await host.bus.bounds(host.bus.deadStream)
      await host.bus.publish('platform.storage.media', JSON.stringify({ ecosystemId, payload }), { id: newId() })
      const dead = await eventually(() => host.bus.read(host.bus.deadStream, last + 1))
      assert.match(dead.headers['Dead-Reason'] ?? '', field)
    }
    assert.is((await usageOf(ecosystemId)).maxSize, 2)
  })

  test.after(() => media.end())
  test.run()
}

for (const kind of storageKinds) await runSuite(kind)
