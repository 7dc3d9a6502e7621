import { mostMemory, residentMemory } from '../../bench/support/processes.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { assert, suite } from '../kit/kit.ts'
import { type StorageKind, storageForTest, storageKinds } from '../kit/media.ts'
import { sendZeros, startMediaProcesses } from '../kit/platform/media-processes.ts'

const MB = 1_000_000
const size = 200 * MB
const programs = ['media', 'edge'] as const

async function runSuite(kind: StorageKind) {
  const test = suite(`memory of uploads over two processes to ${kind}`)
  const storage = await storageForTest(kind)
  const platform = await startMediaProcesses(storage.env)
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
    const up = (fileFirst: boolean) =>
      growth(async () => {
        const { status, body } = await sendZeros(platform, ecosystemId, size, { fileFirst })
        assert.equal([status, body['size']], [201, size], JSON.stringify(body))
        id = String(body['id'])
      })
    const down = () =>
      growth(async () => {
        let read = 0
        const response = await fetch(`${platform.url}/media/files/${id}`)
        for await (const chunk of response.body ?? []) read += chunk.length
        assert.is(read, size)
      })
    // How the edge receives a file doesn't depend on the storage kind.
    const grown = [await up(false), ...(kind === 'disk' ? [await down(), await up(true)] : [])]
    const said = grown.flat().map(Math.round).join(', ')
    assert.ok(Math.max(...grown.flat()) < 100, `MiB more of media and edge, up, down, up with the file first: ${said}`)
  })

  test.after(async () => {
    await platform.stop()
    await storage.end()
  })
  test.run()
}

for (const kind of storageKinds) await runSuite(kind)
