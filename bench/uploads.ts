import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { newId } from '../services/kernel/base/ids.ts'
import { sendZeros, startMediaProcesses } from '../test/kit/platform/media-processes.ts'
import { line, median } from './support/figures.ts'
import { childRunning, mostMemory, processorTime, residentMemory } from './support/processes.ts'
import { sized } from './support/size.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const MB = 1_000_000
const size = sized(200, 200, 5) * MB
const rounds = sized(7, 2, 1)
const goal = 0.5
/** Bytes like those of a film or an archive: all values, no runs. */
const chunk = randomBytes(256 * 1024)

/** One path for the same 200 MB, which are deleted after each round. */
type Way = { name: string; send(): Promise<unknown>; forget(): Promise<unknown>; pids: number[] }
/** MB/s, CPU seconds per 100 MB of all processes of a path, and the largest memory growth of one of them in MiB. */
type Round = { rate: number; cost: number; growth: number }

async function measure(way: Way): Promise<Round> {
  const before = way.pids.map(residentMemory)
  const run = way.pids.reduceRight<() => Promise<number[]>>(
    (inner, pid) => async () => {
      const { most, result } = await mostMemory(pid, inner)
      return [most, ...result]
    },
    async () => {
      await way.send()
      return []
    },
  )
  const spent = () => way.pids.reduce((sum, pid) => sum + processorTime(pid), 0)
  const [began, spentBefore] = [performance.now(), spent()]
  const most = await run()
  const rate = size / MB / ((performance.now() - began) / 1000)
  const cost = (spent() - spentBefore) / 1000 / (size / (100 * MB))
  await way.forget()
  return { rate, cost, growth: Math.max(...most.map((one, index) => one - (before[index] ?? 0))) }
}

/**
 * Uploads of 200 MB, one at a time, against a bare Node server that pipes the request to disk: through the platform in
 * one process, as under npm start with one worker, and through an edge and a media service in separate processes.
 */
export const benchUploads = (): Promise<string> =>
  withServers(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-uploads-'))
    const whole = await startPlatform('one', {
      LOG_LEVEL: 'fatal',
      MEDIA_DEFAULT_QUOTA_MO: '100000',
      MEDIA_MAX_FILE_MO: '1000',
    })
    const split = await startMediaProcesses()
    const bare: ChildProcess = fork(fileURLToPath(new URL('./support/bare-upload.ts', import.meta.url)), {
      env: { PATH: process.env['PATH'], BARE_FOLDER: folder },
    })
    try {
      const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
      const one = {
        url: whole.urls.media,
        apiKey: whole.env['SERVICE_API_KEY'] ?? '',
        pids: [childRunning('cli/worker.ts')],
        ecosystemId: (await seed(whole, 0, 0)).hotelId,
      }
      // Without a hotel service, any ecosystem is accepted.
      const two = {
        ecosystemId: newId(),
        url: split.url,
        apiKey: split.apiKey,
        pids: [split.pid('edge'), split.pid('media')],
      }
      const ways = [
        through('platform in one process, fields before the file', one, false),
        through('the same, fields behind it', one, true),
        through('edge and media service, fields before the file', two, false),
        throughBare('bare Node, pipe to disk, kept', `http://127.0.0.1:${port}/kept`, bare.pid ?? 0),
        throughBare('bare Node, pipe to disk, not waited for', `http://127.0.0.1:${port}`, bare.pid ?? 0),
      ]
      return table(await interleaved(ways))
    } finally {
      bare.kill()
      await split.stop()
      await whole.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

type Target = { url: string; apiKey: string; pids: number[]; ecosystemId: string }

function through(name: string, target: Target, fileFirst: boolean): Way {
  let id = ''
  return {
    name,
    pids: target.pids,
    async send() {
      const { status, body } = await sendZeros(target, target.ecosystemId, size, { fileFirst, chunk })
      if (status !== 201) throw new Error(`an upload was answered ${status}: ${JSON.stringify(body)}`)
      id = String(body['id'])
    },
    forget: () =>
      fetch(`${target.url}/media/files/${id}`, { method: 'DELETE', headers: { 'x-api-key': target.apiKey } }),
  }
}

function throughBare(name: string, url: string, pid: number): Way {
  let file = ''
  return {
    name,
    pids: [pid],
    async send() {
      const { body } = await sendZeros({ url, apiKey: 'none' }, newId(), size, { chunk })
      file = String(body['id'])
    },
    forget: () => rm(file),
  }
}

/** The paths in turn, round after round; the first round of each is not counted. */
async function interleaved(ways: Way[]): Promise<Map<Way, Round[]>> {
  const results = new Map<Way, Round[]>(ways.map(way => [way, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const way of ways) {
      const measured = await measure(way)
      if (round > 0) results.get(way)?.push(measured)
    }
  }
  return results
}

/** Compared with the bare path that also answers once the file is kept. The two bare paths come last. */
function table(results: Map<Way, Round[]>): string {
  const rows = [...results].map(([{ name }, all]) => {
    const rates = all.map(one => one.rate)
    return {
      name,
      all,
      rate: median(rates),
      range: `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`,
    }
  })
  const [kept = 1, unkept = 1] = rows.slice(-2).map(row => row.rate)
  const lines = rows.map(({ name, all, rate, range }) => {
    const cost = median(all.map(one => one.cost)).toFixed(2)
    const most = Math.max(...all.map(one => one.growth)).toFixed(0)
    const ratios = [rate / kept, rate / unkept].map(ratio => ratio.toFixed(2))
    return line(name, rate.toFixed(0), range, ...ratios, cost, most)
  })
  const ratio = (rows[0]?.rate ?? 0) / kept
  return [
    '| 200 MB, one at a time | MB/s | range | ÷ bare, kept | ÷ bare, not waited for | CPU s per 100 MB | MiB more at most |',
    '|-|-|-|-|-|-|-|',
    ...lines,
    `\ngoal: one process, fields first, at least ${goal} of bare, kept: ${ratio.toFixed(2)}, ${ratio >= goal ? 'met' : 'MISSED'}`,
  ].join('\n')
}
