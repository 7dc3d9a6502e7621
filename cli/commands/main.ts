import { parseArgs } from 'node:util'
import { ConfigError, type Environment } from '../../services/kernel/process/config.ts'
import { messageOf } from '../stack/messages.ts'
import { signOut } from './access.ts'
import { resetAdministratorCommand } from './administrator.ts'
import { backupCommand } from './backup/backup.ts'
import { restoreCommand } from './backup/restore.ts'
import { brokerAccountsCommand } from './broker-accounts.ts'
import { type CliCommand, CommandError, type CommandRequest, exitCodes, type OptionValues } from './command.ts'
import { configCommand } from './config.ts'
import { deadLetterCommands } from './dead-letters.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { listenCommand } from './events/listen.ts'
import { triggerCommand } from './events/trigger.ts'
import { growthCommand } from './growth/growth.ts'
import { helpOf, overview } from './help.ts'
import { keyCommands } from './keys.ts'
import { legacyUsageCommand } from './legacy-usage.ts'
import { migrateCommand } from './migrate.ts'
import { recountCommand } from './recount.ts'
import { seedCommand } from './seed.ts'
import { setupCommands } from './setups.ts'
import { suggestion } from './suggestion.ts'
import { tokenCommand } from './token.ts'
import { tourCommand } from './tour.ts'
import { upCommand } from './up.ts'
import { versionCommand } from './version.ts'

/** Every command, in the order of the help. */
export const commands: CliCommand[] = [
  upCommand,
  doctorCommand,
  configCommand,
  growthCommand,
  ...deadLetterCommands,
  ...setupCommands,
  recountCommand,
  resetAdministratorCommand,
  ...keyCommands,
  legacyUsageCommand,
  migrateCommand,
  brokerAccountsCommand,
  backupCommand,
  restoreCommand,
  seedCommand,
  tourCommand,
  tokenCommand,
  listenCommand,
  triggerCommand,
  versionCommand,
]

/** Where a command reads its settings and writes its output. */
type Terminal = { env: Environment; print(text: string): void; printError(text: string): void }

const ownTerminal: Terminal = { env: process.env, print: console.log, printError: console.error }

/**
 * Runs a command line.
 * @returns the exit code, see `exitCodes`
 */
export async function main(typed: string[], terminal: Terminal = ownTerminal): Promise<number> {
  const isJson = typed.includes('--json')
  try {
    return await dispatch(
      typed.filter(word => word !== '--json'),
      isJson,
      terminal,
    )
  } catch (error) {
    const isCommandError = error instanceof CommandError
    const message =
      isCommandError || error instanceof ConfigError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : messageOf(error)
    const status = isCommandError && error.status !== undefined ? { status: error.status } : {}
    terminal.printError(isJson ? JSON.stringify({ error: message, ...status }) : message)
    return isCommandError ? error.exitCode : exitCodes.fault
  }
}

async function dispatch(typed: string[], isJson: boolean, { env, print }: Terminal): Promise<number> {
  const asksHelp = typed.includes('--help') || typed.includes('-h') || typed[0] === 'help'
  const line = typed[0] === '--version' ? ['version', ...typed.slice(1)] : typed
  const plain = line.filter(word => word !== 'help' || line[0] !== 'help')
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => plain[index] === word))
  if (!command) {
    const [first = '', second] = plain.filter(word => !word.startsWith('-'))
    const group = commands.filter(({ name }) => name.split(' ')[0] === first)
    const listedCommands = group.length > 0 ? group : commands
    if (asksHelp && (first === '' || group.length > 0)) {
      print(overview(listedCommands))
      return exitCodes.done
    }
    const typedName = group.length === 0 ? first : second && `${first} ${second}`
    const names = listedCommands.flatMap(({ name }) => [name, name.split(' ')[0] ?? name])
    const problem = typedName ? `Unknown command: ${typedName}.${suggestion(typedName, names)}\n\n` : ''
    throw new CommandError(problem + overview(listedCommands), exitCodes.usage)
  }
  if (asksHelp) {
    print(helpOf(command))
    return exitCodes.done
  }
  const { words, optionValues } = understood(command, plain.slice(command.name.split(' ').length))
  const progress = isJson ? () => undefined : print
  const stream = (text: string, data: object) => print(isJson ? JSON.stringify(data) : text)
  const ask: CommandRequest = { env, words, optionValues, isJson, print: progress, stream }
  try {
    const { data, text, isFault = false } = await command.run(ask)
    const output = isJson ? JSON.stringify(data, null, 2) : text
    if (output) print(output)
    return isFault ? exitCodes.fault : exitCodes.done
  } finally {
    await signOut(ask)
  }
}

/** The words and options of a command. Throws a {@link CommandError} with the command's help when they are invalid. */
function understood(command: CliCommand, args: string[]): { words: string[]; optionValues: OptionValues } {
  const { options = {}, words: names = [] } = command
  const entries = Object.entries(options).map(([name, { value }]) => {
    return [name, { type: value ? ('string' as const) : ('boolean' as const) }] as const
  })
  const optionNames = [...Object.keys(options), 'json', 'help'].map(name => `--${name}`)
  const usageError = (problem: string) => new CommandError(`${problem}\n\n${helpOf(command)}`, exitCodes.usage)
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: Object.fromEntries(entries) })
    const requiredCount = names.filter(name => !name.endsWith('?')).length
    if (positionals.length < requiredCount) throw usageError(`${command.name} requires ${names.join(' ')}.`)
    if (positionals.length > names.length) throw usageError(`${command.name} does not accept ${positionals.at(-1)}.`)
    return { words: positionals, optionValues: values }
  } catch (error) {
    if (error instanceof CommandError) throw error
    // Node's message continues with advice about words that begin with a dash, which no command has.
    const problem = messageOf(error).replace(/\. To specify .*/s, '.')
    const [, option] = /^Unknown option '(--.+?)'/.exec(problem) ?? []
    throw usageError(option ? problem + suggestion(option, optionNames) : problem)
  }
}
