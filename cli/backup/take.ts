import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSetting, type Environment } from '../../services/kernel/config.ts'
import { type KeptMessage, keepMessages } from '../../services/kernel/bus-backup.ts'
import { mediaConfig } from '../../services/media/config.ts'
import { CommandError } from '../commands/command.ts'
import { operatorBroker } from '../environment.ts'
import { replaceable } from '../stack/secrets.ts'
import { services } from '../stack/services.ts'
import { dumpSchema, openSnapshot, type Snapshot } from './dump.ts'
import { copyFile, type Filed, filesBelow, fingerprint, writeLines } from './files.ts'
import { type Manifest, manifestFile, secretsFile } from './manifest.ts'
import { platformVersion } from './version.ts'

type Taking = {
  env: Environment
  folder: string
  /** An account that may read every schema: one snapshot of all. */
  readAllUrl: string | undefined
  withSecrets: boolean
  say: (line: string) => void
}

/**
 * Writes a backup while the platform runs. First the broker, then the databases, then the files: an event that is missing
 * in the first is in the outbox of the second, and a file that a row of the second names is in the third.
 */
export async function takeBackup({ env, folder, readAllUrl, withSecrets, say }: Taking): Promise<Manifest> {
  const present = await readdir(folder).catch(() => [])
  if (present.length > 0) throw new CommandError(`${folder} is not empty: name a new folder.`)
  const partial = `${resolve(folder)}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })

  const streams = await takeStreams(env, partial)
  say(`broker: ${streams.map(({ stream, messages }) => `${messages} of ${stream}`).join(', ')}`)
  const { databases, snapshot } = await takeDatabases(env, readAllUrl, partial, say)
  const media = await takeMedia(env, partial)
  say(`media: ${media.storage === 's3' ? `in the bucket ${media.bucket}, not copied` : `${media.files.length} files`}`)

  const secrets = replaceable.flatMap(name => {
    const value = readSetting(env, '', name)
    return value === undefined ? [] : [{ name, value }]
  })
  if (withSecrets) {
    const text = JSON.stringify(secretsIn(env), null, 2)
    await writeFile(join(partial, secretsFile), `${text}\n`, { mode: 0o600 })
  }
  const manifest: Manifest = {
    format: 1,
    version: platformVersion(),
    takenAt: new Date().toISOString(),
    snapshot,
    databases,
    streams,
    media,
    secrets: secrets.map(({ name, value }) => ({ name, fingerprint: fingerprint(name, value) })),
    hasSecrets: withSecrets,
  }
  // Last of all, and the name after it: what was broken off is never taken for a backup.
  await writeFile(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  await rm(folder, { recursive: true, force: true })
  await rename(partial, resolve(folder))
  return manifest
}

/**
 * What a data folder needs beside the backup: in the middle of a replacement the former and the coming values, too, and
 * the administrator's password, which stays as it is stored.
 */
function secretsIn(env: Environment): Record<string, string> {
  const names = replaceable.flatMap(name => [name, `${name}_PREVIOUS`, `${name}_NEXT`])
  const found = [...names, 'BOOTSTRAP_ADMIN_PASSWORD'].map(name => [name, readSetting(env, '', name)] as const)
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function takeStreams(env: Environment, folder: string): Promise<Manifest['streams']> {
  const url = operatorBroker(env)
  const name = env['AMQP_EXCHANGE_NAME'] || 'platform_events'
  const taken: Manifest['streams'] = []
  for (const stream of ['events', 'dead'] as const) {
    const isDead = stream === 'dead'
    let messages = 0
    const filed = await writeLines(folder, `stream-${stream}.ndjson.gz`, async write => {
      const keep = (message: KeptMessage) => write(JSON.stringify(message))
      messages = await keepMessages(url, isDead ? `${name}_dead` : name, !isDead, keep)
    })
    taken.push({ stream, messages, ...filed })
  }
  return taken
}

async function takeDatabases(env: Environment, readAllUrl: string | undefined, folder: string, say: Taking['say']) {
  const urlOf = (name: string): string => env[`${name.toUpperCase()}_DATABASE_URL`] ?? ''
  const began = Date.now()
  const shared = readAllUrl === undefined ? undefined : await openSnapshot(readAllUrl)
  const snapshots = new Map<string, Snapshot>()
  const databases: Manifest['databases'] = []
  try {
    // All at once, so that they are as little apart as can be.
    await Promise.all(services.map(async name => snapshots.set(name, shared ?? (await openSnapshot(urlOf(name))))))
    const spanMs = shared ? 0 : Date.now() - began
    for (const service of services) {
      const snapshot = snapshots.get(service)
      if (!snapshot) throw new Error(`no snapshot of ${service}`)
      let rows: Record<string, number> = {}
      const schema = decodeURIComponent(new URL(urlOf(service)).pathname.slice(1))
      const filed: Filed = await writeLines(folder, `${service}.sql.gz`, async write => {
        rows = await dumpSchema(snapshot, schema, write)
      })
      databases.push({ service, server: await snapshot.version(), rows, ...filed })
      say(`${service}: ${Object.values(rows).reduce((sum, count) => sum + count, 0)} rows`)
    }
    const moments = shared ? ('one' as const) : ('several' as const)
    return { databases, snapshot: { moments, spanMs } }
  } finally {
    await Promise.all([...new Set(snapshots.values())].map(each => each.close().catch(() => undefined)))
  }
}

async function takeMedia(env: Environment, folder: string): Promise<Manifest['media']> {
  const { storage } = mediaConfig(env)
  if (storage.kind === 's3') return { storage: 's3', bucket: storage.bucket, files: [] }
  const files: Filed[] = []
  for (const file of await filesBelow(storage.folder)) {
    const filed = await copyFile(join(storage.folder, file), folder, join('media', file)).catch((error: unknown) => {
      // Removed by somebody meanwhile: the row that named it goes the same way.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
    if (filed) files.push(filed)
  }
  return { storage: 'disk', files }
}
