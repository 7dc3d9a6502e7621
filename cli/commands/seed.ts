import { createLog } from '../../services/kernel/process/log.ts'
import { seedDemo } from '../seed.ts'
import { messageOf } from '../stack/messages.ts'
import { accessOptions, administratorOf, isUnanswered, refuseProduction, unreachable, urlsOf } from './access.ts'
import { type CliCommand, CommandError } from './command.ts'
import { settingsOf } from './operator-settings.ts'
import { table } from './print.ts'

/** Creates the demonstration hotel of `npm start` on a platform that was started without it. */
export const seedCommand: CliCommand = {
  name: 'seed',
  summary: 'creates the demonstration hotel, its users and a first page, unless they exist',
  options: { host: accessOptions['host'] ?? { help: '' } },
  async run(ask) {
    refuseProduction(ask, 'no demonstration hotel with known passwords is created.')
    administratorOf(ask.env)
    const [env, urls] = [{ ...settingsOf(ask.env), SEED_DEMO: 'true' }, urlsOf(ask)]
    const { logins, problem } = await seedDemo(env, urls, createLog('seed', 'silent')).catch((error: unknown) => {
      throw isUnanswered(error) ? unreachable(new URL(urls.auth).host, messageOf(error)) : error
    })
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
