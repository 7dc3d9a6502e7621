import { type ServiceName, serviceNames } from '../../services/kernel/base/service-names.ts'
import { MigrationError, migrate } from '../../services/kernel/database/migrate.ts'
import { ConfigError } from '../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../environment.ts'
import { messageOf } from '../stack/messages.ts'
import { type CliCommand, CommandError, exitCodes, textOf } from './command.ts'
import { settingsOf } from './operator-settings.ts'
import { count } from './print.ts'

const isService = (name: string): name is ServiceName => serviceNames.some(service => service === name)

/** Migrates the databases as a service's start does, for operators who migrate before they replace processes. */
export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: "migrates the services' databases to this version",
  options: { service: { value: 'name', help: `only one of ${serviceNames.join(', ')}` } },
  async run({ env, optionValues, print }) {
    const serviceName = textOf(optionValues, 'service')
    if (serviceName !== undefined && !isService(serviceName))
      throw new CommandError(
        `Unknown service: ${serviceName}. Known services: ${serviceNames.join(', ')}.`,
        exitCodes.usage,
      )
    const settings = settingsOf(env)
    const applied: Record<string, string[]> = {}
    for (const name of serviceName ? [serviceName] : serviceNames) {
      const url = databaseUrlOf(settings, name)
      if (!url) throw new CommandError(`No database is configured for ${name}: set DATABASE_URL or DATA_DIR.`)
      applied[name] = await migrated(name, url, print)
    }
    const total = Object.values(applied).flat().length
    return {
      data: { applied },
      text: total === 0 ? 'Every database is up to date.' : `${count(total, 'migration')} applied.`,
    }
  },
}

async function migrated(name: ServiceName, url: string, print: (line: string) => void): Promise<string[]> {
  const folder = new URL(`../../services/${name}/migrations/`, import.meta.url)
  try {
    return await migrate(url, folder, { owner: name, log: line => print(`${name}: ${line}`) })
  } catch (error) {
    const isFault = error instanceof MigrationError || (error instanceof ConfigError && !error.cause)
    throw new CommandError(`${name}: ${messageOf(error)}`, isFault ? exitCodes.fault : exitCodes.unreachable)
  }
}
