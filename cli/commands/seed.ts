import { createLog } from '../../services/kernel/process/log.ts'
import { isProduction } from '../../services/kernel/process/mode.ts'
import { seedDemo } from '../seed.ts'
import { accessOptions, administratorOf, urlsOf } from './access.ts'
import { type CliCommand, CommandError } from './command.ts'
import { settingsOf } from './operator-settings.ts'
import { table } from './print.ts'

/** Creates the demonstration hotel of `npm start` on a platform that was started without it. */
export const seedCommand: CliCommand = {
  name: 'seed',
  summary: 'creates the demonstration hotel, its users and a first page, unless they exist',
  options: { host: accessOptions['host'] ?? { help: '' } },
  async run(ask) {
    const settings = settingsOf(ask.env)
    if (isProduction(settings))
      throw new CommandError('In production, no demonstration hotel with known passwords is created.')
    administratorOf(ask.env)
    const { logins, problem } = await seedDemo(
      { ...settings, SEED_DEMO: 'true' },
      urlsOf(ask),
      createLog('seed', 'silent'),
    )
    if (problem !== undefined) throw new CommandError(`The demonstration hotel could not be created: ${problem}`)
    const people = logins.slice(1)
    return {
      data: { logins: people },
      text: table(
        ['who', 'e-mail', 'password'],
        people.map(({ name, email, password }) => [name, email, password]),
      ),
    }
  },
}
