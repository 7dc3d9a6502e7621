import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import type { Job } from './decoder.ts'
import { startDecoding } from './decoding.ts'

const test = suite('decoding of pictures in a process of its own')
const folder = await mkdtemp(join(tmpdir(), 'decoding-'))
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } })

async function jobOf(bytes: Buffer, name: string): Promise<Job> {
  const source = join(folder, name)
  await writeFile(source, bytes)
  return { make: 'thumbnail', source, target: `${source}.out`, edge: 480, maxPixels: 100_000_000 }
}

/** The most memory that a process has had resident, in bytes; 0 once it is gone. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Pictures that decode to far more than they hold, and what becomes of each. */
const bombs: [name: string, make: () => Promise<Buffer>, result: 'done' | 'refused' | 'failed'][] = [
  ['AVIF of 12 million pixels', () => plain(4_000, 3_000).avif({ effort: 0 }).toBuffer(), 'refused'],
  ['AVIF of 6 million pixels', () => plain(3_000, 2_000).avif({ effort: 0 }).toBuffer(), 'done'],
  ['GIF of 24 million pixels', () => plain(6_000, 4_000).gif({ effort: 1 }).toBuffer(), 'refused'],
  ['GIF of 18 million pixels', () => plain(4_500, 4_000).gif({ effort: 1 }).toBuffer(), 'done'],
  ['interlaced PNG of 24 million pixels', () => plain(6_000, 4_000).png({ progressive: true }).toBuffer(), 'refused'],
  ['PNG of 50 million pixels', () => plain(10_000, 5_000).png().toBuffer(), 'done'],
  ['progressive JPEG of 32 million pixels', () => plain(8_000, 4_000).jpeg({ progressive: true }).toBuffer(), 'done'],
  [
    'progressive JPEG of 36 million pixels in full planes',
    () => plain(6_000, 6_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    'failed',
  ],
  ['WebP of 50 million pixels', () => plain(10_000, 10_000).webp({ effort: 0, lossless: true }).toBuffer(), 'done'],
  ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'failed'],
]

for (const [name, make, expected] of bombs)
  test(`${name}: ${expected}, within 256 MB`, async () => {
    const decoding = startDecoding()
    const job = await jobOf(await make(), name.replaceAll(' ', '-'))
    let peak = 0
    let isEnded = false
    const watching = eventually(async () => {
      const pid = decoding.pid()
      if (pid) peak = Math.max(peak, await peakOf(pid))
      return isEnded
    })
    const result = await decoding.inTurn(decode => decode(job))
    isEnded = true
    await watching
    assert.is(typeof result === 'object' ? 'done' : result, expected)
    assert.ok(peak > 0 && peak <= 256e6, `${Math.round(peak / 1e6)} MB`)
    await decoding.stop()
  })

test('a picture is decoded after one that ended the process', async () => {
  const decoding = startDecoding()
  const good = await jobOf(await plain(300, 200).jpeg().toBuffer(), 'good')
  const run = () => decoding.inTurn(decode => decode(good))
  assert.is(typeof (await run()), 'object')
  const pid = decoding.pid() ?? 0
  process.kill(pid, 'SIGKILL')
  await eventually(() => decoding.pid() === undefined)
  assert.is(typeof (await run()), 'object')
  assert.is.not(decoding.pid(), pid)
  await decoding.stop()
})

test('the process ends with the service, also when that is killed', async () => {
  const decoding = startDecoding()
  await decoding.inTurn(async decode => decode(await jobOf(await plain(30, 20).jpeg().toBuffer(), 'small')))
  const pid = decoding.pid() ?? 0
  assert.ok(isAlive(pid))
  await decoding.stop()
  await eventually(() => !isAlive(pid))
  const child: ChildProcess = fork(fileURLToPath(new URL('./decoder.ts', import.meta.url)), ['1000000000'])
  const exit = once(child, 'exit')
  child.disconnect()
  assert.equal(await exit, [null, 'SIGKILL'])
})

test('stopping waits for the end of the work under way', async () => {
  const decoding = startDecoding()
  const job = await jobOf(await plain(8_000, 6_000).jpeg().toBuffer(), 'under-way')
  let hasEnded = false
  const work = decoding.inTurn(async decode => {
    try {
      return await decode(job)
    } finally {
      // As the service notes in its database that the attempt is over.
      await new Promise(resolve => setTimeout(resolve, 50))
      hasEnded = true
    }
  })
  work.catch(() => undefined)
  await eventually(() => decoding.pid())
  await decoding.stop()
  assert.ok(hasEnded)
})

test('the process has none of the settings of the service', async () => {
  const decoding = startDecoding()
  await decoding.inTurn(async decode => decode(await jobOf(await plain(30, 20).jpeg().toBuffer(), 'secret')))
  const environment = await readFile(`/proc/${decoding.pid()}/environ`, 'utf8')
  assert.equal(
    environment
      .split('\0')
      .map(each => each.split('=')[0])
      .filter(name => name && !name.startsWith('NODE_CHANNEL_')),
    [],
  )
  await decoding.stop()
})

test.after(() => rm(folder, { recursive: true }))
test.run()
