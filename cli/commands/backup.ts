import { takeBackup } from './backup/take.ts'
import { operatorBroker } from '../environment.ts'
import { messageOf } from '../stack/errors.ts'
import { type Command, CommandError, exitCodes } from './command.ts'
import { dataDirOf, readAllUrlOf, settingsOf } from './places.ts'
import { count } from './print.ts'

/** A copy of everything that must survive, taken while the platform runs. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'writes databases, waiting events, dead letters and files into a new folder',
  words: ['folder'],
  options: {
    'with-secrets': {
      help: 'puts the secrets into it as well, IN CLEAR: whoever has the folder then has everything',
    },
  },
  async run({ env, words, given, say }) {
    const folder = words[0] ?? ''
    const all = { ...settingsOf(env), DATA_DIR: dataDirOf(env) }
    if (!operatorBroker(all)) throw new CommandError('No broker is known here: set AMQP_GATEWAY_URL or DATA_DIR.')
    const withSecrets = given['with-secrets'] === true
    const taking = { env: all, folder, readAllUrl: readAllUrlOf(env), withSecrets, say }
    const manifest = await takeBackup(taking).catch((error: unknown) => {
      if (error instanceof CommandError) throw error
      throw new CommandError(`No backup was made: ${messageOf(error)}`, exitCodes.unreachable)
    })
    const { databases, streams, media, snapshot, hasSecrets } = manifest
    const moment =
      snapshot.moments === 'one'
        ? 'Every database is as it was at one moment.'
        : `Each database has a moment of its own, within ${snapshot.spanMs} ms; BACKUP_DATABASE_URL, an account that reads them all, makes it one.`
    const secrets = hasSecrets
      ? 'The secrets are in it, in clear: keep it as you keep them.'
      : 'The secrets are not in it: keep PASSWORD_ENCRYPTION_KEY above all, without which sealed data stays closed.'
    const rows = databases.flatMap(each => Object.values(each.rows)).reduce((sum, number) => sum + number, 0)
    const messages = streams.reduce((sum, each) => sum + each.messages, 0)
    const files =
      media.storage === 's3' ? `the files stay in the bucket ${media.bucket}` : count(media.files.length, 'file')
    return {
      data: { folder, ...manifest, media: { ...media, files: media.files.length } },
      text: `\n${folder}: ${count(rows, 'row')}, ${count(messages, 'message')}, ${files}.\n${moment}\n${secrets}`,
    }
  },
}
