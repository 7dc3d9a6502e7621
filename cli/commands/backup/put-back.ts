import { join } from 'node:path'
import {
  type BackupMessage,
  countMessages,
  deleteStreams,
  restoreMessages,
} from '../../../services/kernel/bus/backup.ts'
import { connectBus } from '../../../services/kernel/bus/bus.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { mediaConfig } from '../../../services/media/config.ts'
import { databaseUrlOf, operatorBroker } from '../../environment.ts'
import { brokerNames } from '../../stack/broker-permissions.ts'
import { CommandError } from '../command.ts'
import { copyFile, filesBelow, fingerprint, readLines } from './files.ts'
import { connectionsTo, emptySchema, loadSchema, tablesOf } from './load.ts'
import type { Manifest } from './manifest.ts'

type RestoreOptions = {
  env: Environment
  folder: string
  manifest: Manifest
  /** Replace existing data. */
  force: boolean
  /** Proceed with secrets other than the backup's. */
  otherSecrets: boolean
  print: (line: string) => void
}

const urlOf = (env: Environment, service: string): string => {
  const url = databaseUrlOf(env, service)
  if (!url)
    throw new CommandError(`No database is configured for ${service}: set ${service.toUpperCase()}_DATABASE_URL.`)
  return url
}

const streamsOf = (env: Environment) => {
  const events = brokerNames(env).stream
  return { events, dead: `${events}_dead`, live: `${events}_live` }
}

/**
 * Restores a verified backup into an empty installation that isn't running. Throws a {@link CommandError}, before it
 * changes anything, when the installation holds data or its secrets can't decrypt the backup's.
 */
export async function restoreBackup({
  env,
  folder,
  manifest,
  force,
  otherSecrets,
  print,
}: RestoreOptions): Promise<void> {
  if (!otherSecrets) assertSecrets(env, manifest)
  const url = operatorBroker(env)
  const names = streamsOf(env)
  const { storage } = mediaConfig(env)
  const existingData = await findExistingData(env, manifest)
  if (existingData.length > 0 && !force)
    throw new CommandError(`This installation is not empty: ${existingData.join(', ')}.\n--force replaces its data.`)
  await assertStopped(env, manifest)

  for (const { service, file, rows } of manifest.databases) {
    const target = urlOf(env, service)
    await emptySchema(target)
    const rowsByTable = await loadSchema(target, readLines(join(folder, file)))
    const wrongTables = Object.keys(rows).filter(table => rows[table] !== rowsByTable[table])
    if (wrongTables.length > 0) throw new CommandError(`${service}: rows are missing in ${wrongTables.join(', ')}.`)
    print(`${service}: ${Object.values(rowsByTable).reduce((sum, count) => sum + count, 0)} rows`)
  }

  await deleteStreams(url, Object.values(names))
  const bus = await connectBus({ url, stream: names.events, name: 'restore' })
  if (!bus.status().connected) throw new CommandError(`The broker is not available: ${bus.status().problem}`)
  await bus.close()
  for (const { stream, file, messages } of manifest.streams) {
    const restoredCount = await restoreMessages(url, messagesOf(join(folder, file)))
    if (restoredCount !== messages)
      throw new CommandError(`${stream}: ${restoredCount} of ${messages} messages restored.`)
    print(`${stream}: ${restoredCount} messages`)
  }

  if (storage.kind === 'disk' && manifest.media.storage === 'disk') {
    for (const { file, sha256 } of manifest.media.files) {
      const copy = await copyFile(join(folder, file), storage.folder, file.slice('media/'.length))
      if (copy.sha256 !== sha256) throw new CommandError(`${file} was not copied completely.`)
    }
    print(`media: ${manifest.media.files.length} files`)
  }
}

async function* messagesOf(path: string): AsyncGenerator<BackupMessage> {
  for await (const line of readLines(path)) yield JSON.parse(line) as BackupMessage
}

/** Describes the data that the installation already holds. */
async function findExistingData(env: Environment, { databases }: Manifest): Promise<string[]> {
  const obstacles: string[] = []
  for (const { service } of databases) {
    const tables = await tablesOf(urlOf(env, service))
    if (tables.length > 0) obstacles.push(`the database of ${service} has ${tables.length} tables`)
  }
  const { events, dead } = streamsOf(env)
  for (const stream of [events, dead]) {
    const messages = await countMessages(operatorBroker(env), stream)
    if (messages > 0) obstacles.push(`the stream ${stream} has ${messages} messages`)
  }
  const { storage } = mediaConfig(env)
  const files = storage.kind === 'disk' ? await filesBelow(storage.folder) : []
  if (files.length > 0) obstacles.push(`the media folder has ${files.length} files`)
  return obstacles
}

/** A running process would write into the restored data. No option skips this check. */
async function assertStopped(env: Environment, { databases }: Manifest): Promise<void> {
  for (const { service } of databases) {
    const connections = await connectionsTo(urlOf(env, service))
    if (connections > 0)
      throw new CommandError(
        `The database of ${service} is in use by ${connections} connections: stop the platform first.`,
      )
  }
}

/** Without the original key, encrypted data stays unreadable. */
function assertSecrets(env: Environment, { secrets }: Manifest): void {
  const differingSecrets = secrets.filter(({ name, fingerprint: savedFingerprint }) => {
    const values = [name, `${name}_PREVIOUS`].flatMap(setting => readSetting(env, '', setting) ?? [])
    return !values.some(value => fingerprint(name, value) === savedFingerprint)
  })
  if (differingSecrets.length === 0) return
  throw new CommandError(
    `These secrets differ from those of the backup: ${differingSecrets.map(({ name }) => name).join(', ')}.\n` +
      'Restore their former values, or pass --other-secrets. Without PASSWORD_ENCRYPTION_KEY encrypted data cannot be read; ' +
      'without the others all users must sign in again.',
  )
}
