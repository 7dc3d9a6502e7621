import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { type BackupMessage, backUpMessages } from '../../../services/kernel/bus/backup.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { platformVersion } from '../../../services/kernel/process/version.ts'
import { mediaConfig } from '../../../services/media/config.ts'
import { databaseUrlOf, operatorBroker } from '../../environment.ts'
import { brokerNames } from '../../stack/broker-permissions.ts'
import { messageOf } from '../../stack/messages.ts'
import { rotatableSecrets } from '../../stack/secrets.ts'
import { CommandError, exitCodes } from '../command.ts'
import { dumpSchema, openSnapshot, type Snapshot } from './dump.ts'
import { type BackupFile, copyFile, filesBelow, fingerprint, writeLines } from './files.ts'
import { type Manifest, manifestFile, secretsFile } from './manifest.ts'

type BackupOptions = {
  env: Environment
  folder: string
  /** The account that reads every schema of one server, so that one snapshot covers all of them. */
  readAllUrl: string | undefined
  withSecrets: boolean
  print: (line: string) => void
}

/**
 * Writes a backup while the platform runs. A failed backup is removed, unless only its last step failed, the renaming
 * of the complete folder. The {@link CommandError} says which.
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const folder = resolve(options.folder)
  await assertEmptyFolder(folder)
  // Renamed last, so that an interrupted backup never looks like a complete one.
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  for (const note of await notesOnPartialBackups(folder)) options.print(note)
  await mkdir(partial, { recursive: true, mode: 0o700 })
  const manifest = await writeBackup(options, partial).catch(async (error: unknown) => {
    throw await discardPartial(error, partial)
  })
  // A folder that isn't empty stays, and the rename then fails.
  await rmdir(folder).catch(() => undefined)
  await rename(partial, folder).catch((error: unknown) => {
    throw new CommandError(`${messageOf(error)}.\nThe backup is complete in ${partial}. Rename that folder.`)
  })
  return manifest
}

/** Notes about partial backups in the same folder. They aren't removed, since their processes may still run. */
async function notesOnPartialBackups(folder: string): Promise<string[]> {
  const entries = await readdir(dirname(folder), { withFileTypes: true }).catch(() => [])
  const partialNames = entries
    .filter(entry => entry.isDirectory() && entry.name.endsWith('.partial'))
    .map(({ name }) => name)
  const notes = partialNames.toSorted().map(async name => {
    const partialFolder = join(dirname(folder), name)
    const files = await readdir(partialFolder).catch(() => ['unreadable'])
    if (files.includes(manifestFile))
      return `${partialFolder} is a complete backup that was interrupted before it was renamed: rename or remove it.`
    return files.every(isBackupEntry)
      ? `${partialFolder} is left over from an interrupted backup: remove it, unless that backup is still running.`
      : []
  })
  return (await Promise.all(notes)).flat()
}

/** Whether the name is one that a backup gives to its files and folders. */
const isBackupEntry = (name: string): boolean =>
  name === 'media' || name === secretsFile || /^(stream-[a-z]+\.ndjson|[a-z]+\.sql)\.gz$/.test(name)

async function assertEmptyFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new CommandError(`${folder} is not a folder: choose a new one.`) : error
  })
  if (entries.length > 0) throw new CommandError(`${folder} is not empty: choose a new folder.`)
}

/**
 * Removes an incomplete backup, which may be large.
 * @returns the error to throw, which says whether the removal succeeded
 */
async function discardPartial(error: unknown, partial: string): Promise<CommandError> {
  const outcome = await rm(partial, { recursive: true, force: true }).then(
    () => `Removed the incomplete backup: ${partial}.`,
    (fault: unknown) => `The incomplete backup could not be removed: ${messageOf(fault)}.`,
  )
  if (error instanceof CommandError) return new CommandError(`${error.message}\n${outcome}`, error.exitCode)
  return new CommandError(`The backup failed: ${messageOf(error)}\n${outcome}`, exitCodes.unreachable)
}

/**
 * Copies the broker, then the databases, then the files. So an event that is too new for the copied stream is still in
 * a copied outbox, and every file that a copied row names is copied, too.
 */
async function writeBackup({ env, readAllUrl, withSecrets, print }: BackupOptions, partial: string): Promise<Manifest> {
  const streams = await takeStreams(env, partial)
  print(`broker: ${streams.map(({ stream, messages }) => `${messages} of ${stream}`).join(', ')}`)
  const { databases, snapshot } = await takeDatabases(env, readAllUrl, partial, print)
  const media = await takeMedia(env, partial)
  print(`media: ${media.storage === 's3' ? `in bucket ${media.bucket}, not copied` : `${media.files.length} files`}`)

  const secrets = rotatableSecrets.flatMap(name => {
    const value = readSetting(env, '', name)
    return value === undefined ? [] : [{ name, value }]
  })
  if (withSecrets) {
    const text = JSON.stringify(secretsIn(env), null, 2)
    await writeFile(join(partial, secretsFile), `${text}\n`, { mode: 0o600 })
  }
  const manifest: Manifest = {
    format: 1,
    version: platformVersion,
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

/** The secrets that a restored data folder needs, with the previous and next values of a running rotation. */
function secretsIn(env: Environment): Record<string, string> {
  const names = rotatableSecrets.flatMap(name => [name, `${name}_PREVIOUS`, `${name}_NEXT`])
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
    const file = await writeLines(folder, `stream-${stream}.ndjson.gz`, async write => {
      const writeMessage = (message: BackupMessage) => write(JSON.stringify(message))
      messages = await backUpMessages(url, isDead ? `${name}_dead` : name, !isDead, writeMessage)
    })
    streams.push({ stream, messages, ...file })
  }
  return streams
}

async function takeDatabases(
  env: Environment,
  readAllUrl: string | undefined,
  folder: string,
  print: BackupOptions['print'],
) {
  const urlOf = (name: ServiceName): string => databaseUrlOf(env, name) ?? ''
  const isOnSnapshotServer = (name: ServiceName): boolean =>
    readAllUrl !== undefined && serverOf(urlOf(name)) === serverOf(readAllUrl)
  const startedAt = Date.now()
  const sharedSnapshot =
    readAllUrl !== undefined && serviceNames.some(isOnSnapshotServer) ? await openSnapshot(readAllUrl) : undefined
  const snapshots = new Map<string, Snapshot>()
  const databases: Manifest['databases'] = []
  try {
    // Opened together, to be of nearly the same moment. Each is recorded, so that it is closed even if another fails.
    const openings = serviceNames.map(async name => {
      snapshots.set(name, sharedSnapshot && isOnSnapshotServer(name) ? sharedSnapshot : await openSnapshot(urlOf(name)))
    })
    for (const [index, outcome] of (await Promise.allSettled(openings)).entries())
      if (outcome.status === 'rejected')
        throw new Error(`database of ${serviceNames[index]}: ${messageOf(outcome.reason)}`)
    const hasOneSnapshot = serviceNames.every(isOnSnapshotServer)
    const spanMs = hasOneSnapshot ? 0 : Date.now() - startedAt
    for (const service of serviceNames) {
      const snapshot = snapshots.get(service)
      if (!snapshot) throw new Error(`no snapshot of ${service}`)
      let rows: Record<string, number> = {}
      const schema = decodeURIComponent(new URL(urlOf(service)).pathname.slice(1))
      const file: BackupFile = await writeLines(folder, `${service}.sql.gz`, async write => {
        rows = await dumpSchema(snapshot, schema, write)
      })
      // An empty copy would look like a complete one.
      if (Object.keys(rows).length === 0)
        throw new CommandError(
          `${service}: the schema ${schema} on ${serverOf(urlOf(service))} has no tables that this account may read.\n` +
            `Correct ${service.toUpperCase()}_DATABASE_URL or the account's permissions, or start the platform once.`,
        )
      databases.push({ service, server: await snapshot.version(), rows, ...file })
      print(`${service}: ${Object.values(rows).reduce((sum, count) => sum + count, 0)} rows`)
    }
    const moments = hasOneSnapshot ? ('one' as const) : ('several' as const)
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
  const files: BackupFile[] = []
  for (const path of await filesBelow(storage.folder)) {
    const file = await copyFile(join(storage.folder, path), folder, join('media', path)).catch((error: unknown) => {
      // Deleted meanwhile, together with the row that named it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
    if (file) files.push(file)
  }
  return { storage: 'disk', files }
}
