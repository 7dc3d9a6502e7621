import { join } from 'node:path'
import { operatorBroker } from '../../environment.ts'
import { messageOf } from '../../stack/messages.ts'
import { type CliCommand, CommandError, exitCodes, textOf } from '../command.ts'
import { dataDirOf, readAllUrlOf, settingsOf } from '../operator-settings.ts'
import { count } from '../print.ts'
import { deleteOldBackups, folderNameAt } from './keep.ts'
import { takeBackup } from './take.ts'

/** A copy of everything that must survive, taken while the platform runs. */
export const backupCommand: CliCommand = {
  name: 'backup',
  summary: 'writes databases, pending events, dead letters and files to a new folder',
  words: ['folder'],
  options: {
    keep: {
      value: 'number',
      help: 'writes a folder named after the time into <folder>, and then deletes all but the newest of those',
    },
    'with-secrets': {
      help: 'includes the secrets IN CLEAR TEXT: anyone who can read the folder can read everything',
    },
  },
  async run({ env, words, optionValues, print }) {
    const keep = textOf(optionValues, 'keep')
    if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
      throw new CommandError('--keep is a whole number from 1 to 9999.', exitCodes.usage)
    const [parent = ''] = words
    const folder = keep === undefined ? parent : join(parent, folderNameAt(new Date()))
    const settings = { ...settingsOf(env), DATA_DIR: dataDirOf(env) }
    if (!operatorBroker(settings)) throw new CommandError('No broker is configured: set AMQP_GATEWAY_URL or DATA_DIR.')
    const withSecrets = optionValues['with-secrets'] === true
    const options = { env: settings, folder, readAllUrl: readAllUrlOf(env), withSecrets, print }
    const manifest = await takeBackup(options).catch((error: unknown) => {
      if (error instanceof CommandError) throw error
      throw new CommandError(`The backup failed: ${messageOf(error)}`, exitCodes.unreachable)
    })
    const deletedFolders = keep === undefined ? [] : await deleteOldBackups(parent, Number(keep))
    for (const path of deletedFolders) print(`deleted ${path}`)
    const { databases, streams, media, snapshot, hasSecrets } = manifest
    const moment =
      snapshot.moments === 'one'
        ? 'All databases were captured at the same moment.'
        : `The databases were captured up to ${snapshot.spanMs} ms apart. To capture them at one moment, set BACKUP_DATABASE_URL to an account of their server that can read them all.`
    const secrets = hasSecrets
      ? 'The secrets are included in clear text: protect the folder as you protect them.'
      : 'The secrets are not included. Keep PASSWORD_ENCRYPTION_KEY above all: without it, encrypted data cannot be read.'
    const rows = databases.flatMap(database => Object.values(database.rows)).reduce((sum, number) => sum + number, 0)
    const messages = streams.reduce((sum, database) => sum + database.messages, 0)
    const files = media.storage === 's3' ? `files remain in bucket ${media.bucket}` : count(media.files.length, 'file')
    return {
      data: { folder, deleted: deletedFolders, ...manifest, media: { ...media, files: media.files.length } },
      text: `\n${folder}: ${count(rows, 'row')}, ${count(messages, 'message')}, ${files}.\n${moment}\n${secrets}`,
    }
  },
}
