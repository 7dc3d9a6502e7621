import { assert, suite } from '../../../test/kit/kit.ts'
import { mediaForTest, upload } from '../../../test/kit/media.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { ObjectStore } from '../objects/objects.ts'
import { insertUpload, takeSpace } from '../quotas/storage.sql.ts'
import { abandonUpload } from './reservation.ts'
import { sweep } from './sweep.ts'

const test = suite('cleaning up after uploads')
const media = await mediaForTest()
const { places, asService } = media
test.after(() => media.end())

const ecosystemId = newId()
const owner = systemTenant('', ecosystemId, 'a test')
const storeOf = (overrides: Partial<ObjectStore>): ObjectStore => ({ ...places.objects, ...overrides })
const removals = async () => (await places.db.selectFrom('media_removals').select('id').execute()).map(row => row.id)

async function began(renewedAt = new Date()): Promise<string> {
  const id = newId()
  await takeSpace(places.db, owner, 10, 1_000_000)
  await insertUpload(places.db, owner, id, 10)
  await places.db
    .updateTable('media_uploads')
    .set({ renewed_at: renewedAt })
    .where('ecosystem_id', '=', ecosystemId)
    .where('id', '=', id)
    .execute()
  return id
}
const reserved = async () => (await asService.getMediaUsage({ ecosystemId })).usedBytes

test('an abandoned upload holds no transaction while the store is silent, and is removed later', async () => {
  const id = await began()
  const discardCall = Promise.withResolvers<void>()
  const silent = Promise.withResolvers<never>()
  const discard = () => {
    discardCall.resolve()
    return silent.promise
  }
  const ending = abandonUpload({ ...places, objects: storeOf({ discard }) }, owner, id)
  await discardCall.promise
  const remainingUploads = await places.db
    .selectFrom('media_uploads')
    .select('id')
    .where('ecosystem_id', '=', ecosystemId)
    .execute()
  assert.equal([remainingUploads, await removals()], [[], [id]])
  silent.reject(new Error('silent'))
  assert.is(await ending.catch((error: Error) => error.message), 'silent')
  await sweep(places, Date.now() + 61_000)
  assert.equal(await removals(), [])
})

test('bytes that cannot be removed do not keep the sweep from removing others', async () => {
  const old = new Date(Date.now() - 3_600_000)
  const [stuckUpload, removableUpload] = [await began(old), await began(old)]
  const [stuckFile, removableFile] = [
    await upload(asService, { ecosystemId }, Buffer.from('a')),
    await upload(asService, { ecosystemId }, Buffer.from('b')),
  ]
  const refuse = async (name: string): Promise<void> => {
    if (name.startsWith(stuckUpload) || name.startsWith(stuckFile.id)) throw new Error('refused')
  }
  const objects = storeOf({
    discard: refuse,
    async remove(names) {
      for (const name of names) await refuse(name)
      await places.objects.remove(names)
    },
    drafts: async () => [stuckUpload, removableUpload],
  })
  for (const { id } of [stuckFile, removableFile]) {
    await places.db.insertInto('media_removals').values({ id, created_at: old }).execute()
  }
  await sweep({ ...places, objects })
  assert.equal((await removals()).toSorted(), [stuckUpload, stuckFile.id].toSorted())
  assert.equal((await media.stored()).toSorted(), [stuckFile.id])
  assert.is(await reserved(), 2)
  await sweep(places, Date.now() + 61_000)
  assert.equal([await removals(), await media.stored()], [[], []])
})

test.run()
