import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { portSettings } from '../../../edge/config.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'
import { testBus, testDatabase } from '../database.ts'
import { type Process, ready, startProcess } from '../process.ts'
import { freePorts } from './ports.ts'

const root = new URL('../../../', import.meta.url)
const programs = { media: 'services/main.ts', edge: 'edge/main.ts' } as const
export type Program = keyof typeof programs
export type MediaProcesses = Awaited<ReturnType<typeof startMediaProcesses>>

/**
 * The media service and the edge in separate processes. A service key needs no other service.
 * @param storage where files are stored; by default a separate folder
 */
export async function startMediaProcesses(storage: Environment = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-processes-'))
  const temporary = path.join(folder, 'tmp')
  await mkdir(temporary)
  const bus = await testBus()
  const database = await testDatabase(new URL('services/media/migrations/', root))
  const rpc = serviceNames.map(name => `${name.toUpperCase()}_RPC_PORT`)
  const ports = await freePorts(portSettings.length + rpc.length)
  const port = Object.fromEntries([...portSettings, ...rpc].map((name, index) => [name, String(ports[index])]))
  const apiKey = randomBytes(32).toString('hex')
  const env: Environment = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
    TMPDIR: temporary,
    SERVICES: 'media',
    ...port,
    MEDIA_RPC_URL: `http://127.0.0.1:${port['MEDIA_RPC_PORT']}`,
    MEDIA_DIR: path.join(folder, 'media'),
    MEDIA_DEFAULT_QUOTA_MO: '100000',
    MEDIA_MAX_FILE_MO: '1000',
    MEDIA_DATABASE_URL: database.url,
    METRICS_PORT: '0',
    AMQP_GATEWAY_URL: bus.url,
    AMQP_EXCHANGE_NAME: bus.stream,
    JWT_ACCESS_SECRET: randomBytes(32).toString('hex'),
    SERVICE_API_KEY: apiKey,
    ...storage,
  }
  const runningProcesses = new Map<Program, Process>()
  const start = async (name: Program, overrides: Environment = {}): Promise<void> => {
    const newProcess = startProcess(programs[name], { ...env, ...overrides })
    runningProcesses.set(name, newProcess)
    await ready(name, newProcess.child)
  }
  await start('media')
  await start('edge')
  return {
    url: `http://127.0.0.1:${port['MEDIA_PORT']}`,
    apiKey,
    databaseUrl: database.url,
    pid: (name: Program): number => runningProcesses.get(name)?.child.pid ?? 0,
    start,
    /** Kills a process without cleanup. */
    kill: (name: Program) => runningProcesses.get(name)?.stop('SIGKILL'),
    /** Contents of the folder for temporary files. */
    waiting: () => readdir(temporary),
    async stop() {
      await Promise.all([...runningProcesses.values()].map(one => one.stop()))
      await bus.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As long as those of browsers, because the parser's speed depends on its length. */
const boundary = '----FormBoundary7MA4YWxkTrZu0gW1'

const zeros = Buffer.alloc(256 * 1024)

type UploadAnswer = { status: number; body: Record<string, unknown> }

/**
 * Uploads the same bytes repeatedly, no faster than they are accepted: zeros, unless `chunk` holds others.
 * @param fileFirst whether the fields follow the file, which then waits for them on disk
 * @param stopAfter bytes after which sending stops, so that the upload can be killed midway
 */
export function sendZeros(
  to: Pick<MediaProcesses, 'url' | 'apiKey'>,
  ecosystemId: string,
  size: number,
  { fileFirst = false, stopAfter = size, onStop = () => undefined as unknown, chunk = zeros } = {},
): Promise<UploadAnswer> {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const fields = field('folder', 'tours') + field('ecosystemId', ecosystemId)
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="tour.bin"\r\n\r\n`
  const [before, after] = fileFirst
    ? [file, `\r\n${fields}--${boundary}--\r\n`]
    : [fields + file, `\r\n--${boundary}--\r\n`]
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': before.length + size + after.length,
    'x-api-key': to.apiKey,
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${to.url}/media/upload`, { method: 'POST', headers, agent: false }, response => {
      let text = ''
      response.on('data', part => (text += part))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    sending.once('error', reject)
    const run = async () => {
      sending.write(before)
      for (let offset = 0; offset < stopAfter && !sending.destroyed; offset += chunk.length) {
        if (!sending.write(chunk.subarray(0, size - offset))) await once(sending, 'drain')
      }
      if (stopAfter < size) onStop()
      else sending.end(after)
    }
    run().catch(reject)
  })
}
