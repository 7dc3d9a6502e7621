import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { newId } from '../services/kernel/ids.ts'
import { sendZeros, startMediaProcesses } from '../test/support/media-processes.ts'
import { median } from './support/load.ts'
import { childRunning, mostMemory, residentMemory } from './support/memory.ts'
import { startPlatform, withServers } from './support/world.ts'

const MB = 1_000_000
const size = 200 * MB
const rounds = process.argv.includes('--quick') ? 2 : 7

/** One way for the same 200 MB; gives them up again after each round. */
type Way = { name: string; send(): Promise<unknown>; forget(): Promise<unknown>; pids: number[] }
type Measured = { rates: number[]; growth: number[] }

async function measure(way: Way): Promise<{ rate: number; growth: number }> {
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
  const began = performance.now()
  const most = await run()
  const rate = size / MB / ((performance.now() - began) / 1000)
  await way.forget()
  return { rate, growth: Math.max(...most.map((one, index) => one - (before[index] ?? 0))) }
}

/**
 * Uploads of 200 MB, one at a time, against a bare Node server that pipes the request to disk: through the platform in
 * one process, as npm start runs it with one worker, and through an edge and a media service in processes of their own.
 */
export const benchUploads = (): Promise<string> =>
  withServers(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-uploads-'))
    const whole = await startPlatform('one', { LOG_LEVEL: 'fatal', MEDIA_DEFAULT_QUOTA_MO: '100000' })
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
      }
      const two = { url: split.url, apiKey: split.apiKey, pids: [split.pid('edge'), split.pid('media')] }
      const ways = [
        through('platform in one process, fields before the file', one, false),
        through('the same, fields behind it', one, true),
        through('edge and media service, fields before the file', two, false),
        throughBare(port, bare.pid ?? 0),
      ]
      return table(await interleaved(ways))
    } finally {
      bare.kill()
      await split.stop()
      await whole.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

type Target = { url: string; apiKey: string; pids: number[] }

function through(name: string, target: Target, fileFirst: boolean): Way {
  const ecosystemId = newId()
  let id = ''
  return {
    name,
    pids: target.pids,
    async send() {
      const { status, body } = await sendZeros(target, ecosystemId, size, { fileFirst })
      if (status !== 201) throw new Error(`an upload was answered ${status}: ${JSON.stringify(body)}`)
      id = String(body['id'])
    },
    forget: () =>
      fetch(`${target.url}/media/files/${id}`, { method: 'DELETE', headers: { 'x-api-key': target.apiKey } }),
  }
}

function throughBare(port: number, pid: number): Way {
  let name = ''
  return {
    name: 'bare Node, pipe to disk',
    pids: [pid],
    async send() {
      const { body } = await sendZeros({ url: `http://127.0.0.1:${port}`, apiKey: 'none' }, newId(), size)
      name = String(body['id'])
    },
    forget: () => rm(name),
  }
}

/** The ways in turn, round after round; a first one of each is not counted. */
async function interleaved(ways: Way[]): Promise<Map<Way, Measured>> {
  const results = new Map<Way, Measured>(ways.map(way => [way, { rates: [], growth: [] }]))
  for (let round = 0; round <= rounds; round++) {
    for (const way of ways) {
      const { rate, growth } = await measure(way)
      if (round === 0) continue
      results.get(way)?.rates.push(rate)
      results.get(way)?.growth.push(growth)
    }
  }
  return results
}

function table(results: Map<Way, Measured>): string {
  const rows = [...results].map(([way, { rates, growth }]) => ({ way, rates, growth, rate: median(rates) }))
  const bare = rows.at(-1)?.rate ?? 1
  const lines = rows.map(({ way, rates, growth, rate }) => {
    const range = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`
    const most = Math.max(...growth).toFixed(0)
    return `| ${[way.name, rate.toFixed(0), range, (rate / bare).toFixed(2), most].join(' | ')} |`
  })
  return ['| 200 MB, one at a time | MB/s | range | ÷ bare | MiB more at most |', '|-|-|-|-|-|', ...lines].join('\n')
}
