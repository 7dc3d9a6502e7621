import { resetAdministrator } from '../../services/auth/accounts/bootstrap.ts'
import { readConfig } from '../../services/auth/config.ts'
import { createHasher } from '../../services/auth/hashing/hashing.ts'
import { createLimits } from '../../services/auth/limits/limits.ts'
import type { AuthTables } from '../../services/auth/tables.ts'
import { closeDatabase, openDatabase } from '../../services/kernel/database/database.ts'
import { readSetting } from '../../services/kernel/process/config.ts'
import { typeablePassword } from '../stack/secrets.ts'
import { type CliCommand, CommandError } from './command.ts'
import { settingsOf } from './operator-settings.ts'

/** For an operator whose password is lost or locked, without mail and without a session. */
export const resetAdministratorCommand: CliCommand = {
  name: 'administrator reset',
  summary: 'gives a platform administrator a new password, unlocks the account and ends its sessions',
  words: ['email?'],
  async run({ env, words }) {
    const settings = settingsOf(env)
    const bootstrapEmail = readSetting(settings, '', 'BOOTSTRAP_ADMIN_EMAIL') ?? ''
    const email = words[0] ?? bootstrapEmail
    // The commands sign in with the setting, so that its account gets it again.
    const setting = email === bootstrapEmail ? readSetting(settings, '', 'BOOTSTRAP_ADMIN_PASSWORD') : undefined
    const password = setting ?? typeablePassword()
    const config = readConfig(settings)
    const db = openDatabase<AuthTables>(config.DATABASE_URL, { poolSize: 1, guard: false })
    const hasher = await createHasher({ concurrency: 1 })
    try {
      if (!(await resetAdministrator({ db, hasher, limits: createLimits(db, config) }, { email, password })))
        throw new CommandError(`${email || 'No address given: it'} is not the address of a platform administrator.`)
    } finally {
      await hasher.stop()
      await closeDatabase(db)
    }
    return setting === undefined
      ? { data: { email, password }, text: `${email} now signs in with ${password}` }
      : { data: { email }, text: `${email} now signs in with BOOTSTRAP_ADMIN_PASSWORD.` }
  },
}
