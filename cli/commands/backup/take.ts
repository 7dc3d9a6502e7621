import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { type BackupMessage, backUpMessages } from '../../../services/kernel/bus/backup.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { mediaConfig } from '../../../services/media/config.ts'
import { databaseUrlOf, operatorBroker } from '../../environment.ts'
import { brokerNames } from '../../stack/broker-permissions.ts'
import { messageOf } from '../../stack/messages.ts'
import { replaceable } from '../../stack/secrets.ts'
import { CommandError, exitCodes } from '../command.ts'
import { dumpSchema, openSnapshot, type Snapshot } from './dump.ts'
import { copyFile, type Filed, filesBelow, fingerprint, writeLines } from './files.ts'
import { type Manifest, manifestFile, secretsFile } from './manifest.ts'

type Taking = {
  env: Environment
  folder: string
  /** An account that may read every schema of its server: one snapshot for all that are there. */
  readAllUrl: string | undefined
  withSecrets: boolean
  print: (line: string) => void
}

/**
 * Writes a backup while the platform runs. Throws a {@link CommandError} that says what remains of a failed one:
 * nothing, or everything if only its name was taken meanwhile.
 */
export async function takeBackup(taking: Taking): Promise<Manifest> {
  const folder = resolve(taking.folder)
  await assertFree(folder)
  // Renamed last, so that an interrupted backup never looks like a complete one.
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  for (const note of await leftBeside(folder)) taking.print(note)
  await mkdir(partial, { recursive: true, mode: 0o700 })
  const manifest = await writeBackup(taking, partial).catch(async (error: unknown) => {
    throw await brokenOff(error, partial)
  })
  // A folder that isn't empty stays, and the rename then fails.
  await rmdir(folder).catch(() => undefined)
  await rename(partial, folder).catch((error: unknown) => {
    throw new CommandError(`${messageOf(error)}.\nThe backup is complete in ${partial}. Rename that folder.`)
  })
  return manifest
}

/** A note about partial backups beside this one. Their processes may still run, so they are not touched. */
async function leftBeside(folder: string): Promise<string[]> {
  const entries = await readdir(dirname(folder), { withFileTypes: true }).catch(() => [])
  const places = entries.filter(entry => entry.isDirectory() && entry.name.endsWith('.partial')).map(({ name }) => name)
  const notes = places.toSorted().map(async name => {
    const place = join(dirname(folder), name)
    const files = await readdir(place).catch(() => ['unreadable'])
    if (files.includes(manifestFile))
      return `${place} is a complete backup that was interrupted before it was renamed: rename or remove it.`
    return files.every(isOfBackup)
      ? `${place} is left over from an interrupted backup: remove it, unless that backup is still running.`
      : []
  })
  return (await Promise.all(notes)).flat()
}

/** Whether a backup has files of this name. */
const isOfBackup = (name: string): boolean =>
  name === 'media' || name === secretsFile || /^(stream-[a-z]+\.ndjson|[a-z]+\.sql)\.gz$/.test(name)

async function assertFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new CommandError(`${folder} is not a folder: choose a new one.`) : error
  })
  if (entries.length > 0) throw new CommandError(`${folder} is not empty: choose a new folder.`)
}

/** Removes the rest of a failed backup, which may be large. */
async function brokenOff(error: unknown, partial: string): Promise<CommandError> {
  const outcome = await rm(partial, { recursive: true, force: true }).then(
    () => `Removed the incomplete backup: ${partial}.`,
    (fault: unknown) => `The incomplete backup could not be removed: ${messageOf(fault)}.`,
  )
  if (error instanceof CommandError) return new CommandError(`${error.message}\n${outcome}`, error.exitCode)
  return new CommandError(`The backup failed: ${messageOf(error)}\n${outcome}`, exitCodes.unreachable)
}

/**
 * The broker first, then the databases, then the files: an event missing in the first is in an outbox of the second,
 * and a file named by a row of the second is in the third.
 */
async function writeBackup({ env, readAllUrl, withSecrets, print }: Taking, partial: string): Promise<Manifest> {
  const streams = await takeStreams(env, partial)
  print(`broker: ${streams.map(({ stream, messages }) => `${messages} of ${stream}`).join(', ')}`)
  const { databases, snapshot } = await takeDatabases(env, readAllUrl, partial, print)
  const media = await takeMedia(env, partial)
  print(`media: ${media.storage === 's3' ? `in bucket ${media.bucket}, not copied` : `${media.files.length} files`}`)

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
  await writeFile(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

/**
 * The secrets that a data folder needs beside the backup: during a rotation also the previous and next values, and the
 * administrator's password as it is stored.
 */
function secretsIn(env: Environment): Record<string, string> {
  const names = replaceable.flatMap(name => [name, `${name}_PREVIOUS`, `${name}_NEXT`])
  const entries = [...names, 'BOOTSTRAP_ADMIN_PASSWORD'].map(name => [name, readSetting(env, '', name)] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function takeStreams(env: Environment, folder: string): Promise<Manifest['streams']> {
  const url = operatorBroker(env)
  const name = brokerNames(env).stream
  const streams: Manifest['streams'] = []
  for (const stream of ['events', 'dead'] as const) {
    const isDead = stream === 'dead'
    let messages = 0
    const filed = await writeLines(folder, `stream-${stream}.ndjson.gz`, async write => {
      const keep = (message: BackupMessage) => write(JSON.stringify(message))
      messages = await backUpMessages(url, isDead ? `${name}_dead` : name, !isDead, keep)
    })
    streams.push({ stream, messages, ...filed })
  }
  return streams
}

async function takeDatabases(env: Environment, readAllUrl: string | undefined, folder: string, print: Taking['print']) {
  const urlOf = (name: ServiceName): string => databaseUrlOf(env, name) ?? ''
  const isThere = (name: ServiceName): boolean =>
    readAllUrl !== undefined && serverOf(urlOf(name)) === serverOf(readAllUrl)
  const began = Date.now()
  const shared = readAllUrl !== undefined && serviceNames.some(isThere) ? await openSnapshot(readAllUrl) : undefined
  const snapshots = new Map<string, Snapshot>()
  const databases: Manifest['databases'] = []
  try {
    // All at once, so that their moments are as close as possible. Each is recorded, and closed even when another one
    // fails.
    const opening = serviceNames.map(async name => {
      snapshots.set(name, shared && isThere(name) ? shared : await openSnapshot(urlOf(name)))
    })
    for (const [index, outcome] of (await Promise.allSettled(opening)).entries())
      if (outcome.status === 'rejected')
        throw new Error(`database of ${serviceNames[index]}: ${messageOf(outcome.reason)}`)
    const isOne = serviceNames.every(isThere)
    const spanMs = isOne ? 0 : Date.now() - began
    for (const service of serviceNames) {
      const snapshot = snapshots.get(service)
      if (!snapshot) throw new Error(`no snapshot of ${service}`)
      let rows: Record<string, number> = {}
      const schema = decodeURIComponent(new URL(urlOf(service)).pathname.slice(1))
      const filed: Filed = await writeLines(folder, `${service}.sql.gz`, async write => {
        rows = await dumpSchema(snapshot, schema, write)
      })
      // An empty copy would look like a complete one.
      if (Object.keys(rows).length === 0)
        throw new CommandError(
          `${service}: the schema ${schema} on ${serverOf(urlOf(service))} has no tables that this account may read.\n` +
            `Correct ${service.toUpperCase()}_DATABASE_URL or the account's permissions, or start the platform once.`,
        )
      databases.push({ service, server: await snapshot.version(), rows, ...filed })
      print(`${service}: ${Object.values(rows).reduce((sum, count) => sum + count, 0)} rows`)
    }
    const moments = isOne ? ('one' as const) : ('several' as const)
    return { databases, snapshot: { moments, spanMs } }
  } finally {
    await Promise.all([...new Set(snapshots.values())].map(snapshot => snapshot.close().catch(() => undefined)))
  }
}

/** Host and port of a database address. */
function serverOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 3306}`
}

async function takeMedia(env: Environment, folder: string): Promise<Manifest['media']> {
  const { storage } = mediaConfig(env)
  if (storage.kind === 's3') return { storage: 's3', bucket: storage.bucket, files: [] }
  const files: Filed[] = []
  for (const file of await filesBelow(storage.folder)) {
    const filed = await copyFile(join(storage.folder, file), folder, join('media', file)).catch((error: unknown) => {
      // Deleted meanwhile, together with the row that named it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
    if (filed) files.push(filed)
  }
  return { storage: 'disk', files }
}

/** The version in package.json. */
const platformVersion = (): string =>
  String(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version)
