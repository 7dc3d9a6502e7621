import { mostMemory, residentMemory } from '../../bench/support/processes.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type StorageKind, storageForTest, storageKinds } from '../kit/media.ts'
import { sendZeros, startMediaProcesses } from '../kit/platform/media-processes.ts'
import { testPool } from '../kit/sql.ts'

const MB = 1_000_000
const size = 200 * MB
const programs = ['media', 'edge'] as const

async function runSuite(kind: StorageKind) {
  const test = suite(`uploads over two processes to ${kind}`)
  const storage = await storageForTest(kind)
  const platform = await startMediaProcesses(storage.env)
  const db = testPool(platform.databaseUrl)
  const ecosystemId = newId()

  /** MiB by which each process grows during `run`. */
  const growth = async (run: () => Promise<unknown>) => {
    const before = programs.map(name => residentMemory(platform.pid(name)))
    const media = await mostMemory(platform.pid('media'), () => mostMemory(platform.pid('edge'), run))
    return [media.peak - (before[0] ?? 0), media.result.peak - (before[1] ?? 0)]
  }

  test('200 MB are uploaded and downloaded in constant memory', async () => {
    // Memory taken for the first upload is kept for all later ones.
    await sendZeros(platform, ecosystemId, 30 * MB, { fileFirst: true })
    let id = ''
    const upload = (fileFirst: boolean) =>
      growth(async () => {
        const { status, body } = await sendZeros(platform, ecosystemId, size, { fileFirst })
        assert.equal([status, body['size']], [201, size], JSON.stringify(body))
        id = String(body['id'])
      })
    const download = () =>
      growth(async () => {
        let read = 0
        const response = await fetch(`${platform.url}/media/files/${id}`)
        for await (const chunk of response.body ?? []) read += chunk.length
        assert.is(read, size)
      })
    // How the edge receives a file doesn't depend on the storage kind.
    const grown = [await upload(false), ...(kind === 'disk' ? [await download(), await upload(true)] : [])]
    const figures = grown.flat().map(Math.round).join(', ')
    assert.ok(
      Math.max(...grown.flat()) < 100,
      `MiB more of media and edge, up, down, up with the file first: ${figures}`,
    )
  })

  const usedBytes = async (): Promise<number> => {
    const headers = { 'x-api-key': platform.apiKey }
    const usage = await fetch(`${platform.url}/media/usage/${ecosystemId}`, { headers })
    return ((await usage.json()) as { usedBytes: number }).usedBytes
  }
  for (const fileFirst of [false, true]) {
    test(`an edge killed during an upload leaves nothing, its file ${fileFirst ? 'first' : 'last'}`, async () => {
      const [before, fileCount] = [await usedBytes(), (await storage.stored()).length]
      const options = { fileFirst, stopAfter: 20 * MB, onStop: () => platform.kill('edge') }
      await sendZeros(platform, ecosystemId, 40 * MB, options).then(
        () => assert.unreachable('it was answered'),
        () => undefined,
      )
      assert.equal(await platform.waiting(), [])
      await platform.start('edge')
      await eventually(async () => (await usedBytes()) === before)
      await eventually(async () => (await storage.stored()).length === fileCount)
    })
  }

  test('a media service killed during an upload, or between its bytes and its record, frees space and bytes', async () => {
    const [before, fileCount] = [await usedBytes(), (await storage.stored()).length]
    const givenBack = async (settings: Environment = {}) => {
      const [rows] = await db.query('update media_uploads set renewed_at = now(3) - interval 1 hour')
      assert.is((rows as { affectedRows: number }).affectedRows, 1)
      await platform.start('media', settings)
      await eventually(async () => (await usedBytes()) === before)
      await eventually(async () => (await storage.stored()).length === fileCount)
    }
    const options = { stopAfter: 20 * MB, onStop: () => platform.kill('media') }
    assert.is((await sendZeros(platform, ecosystemId, 40 * MB, options)).status, 503)
    await givenBack({ FAILPOINT: 'media-published' })

    assert.is((await sendZeros(platform, ecosystemId, 1 * MB)).status, 503)
    assert.is((await storage.stored()).length, fileCount + 1)
    await platform.kill('media')
    await givenBack()
  })

  test.after(async () => {
    await db.end()
    await platform.stop()
    await storage.end()
  })
  test.run()
}

for (const kind of storageKinds) await runSuite(kind)
