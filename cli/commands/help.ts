import type { CliCommand } from './command.ts'

const usage = ({ name, words = [] }: CliCommand): string =>
  [name, ...words.map(word => (word.endsWith('?') ? `[${word.slice(0, -1)}]` : `<${word}>`))].join(' ')

const columns = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join('\n')
}

const general: [string, string][] = [
  ['--json', 'prints the result as JSON'],
  ['--help', 'shows the help of a command'],
]

/** The list of commands. */
export const overview = (commands: CliCommand[]): string => `npm run -s platform -- <command> [options]

${columns(commands.map(command => [usage(command), command.summary]))}

${columns(general)}

Exit codes: 0 success, 1 refused or problems found, 2 invalid usage, 3 the platform is not responding.
Reads the same settings as npm start; see .env.example.`

/** Words and options of one command. */
export function helpOf(command: CliCommand): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, help }]): [string, string] => [
    value ? `--${name} <${value}>` : `--${name}`,
    help,
  ])
  return `npm run -s platform -- ${usage(command)} [options]\n\n${command.summary}\n\n${columns([...options, ...general])}`
}
