import type { Command } from './command.ts'

const usage = ({ name, words = [] }: Command): string =>
  [name, ...words.map(word => (word.endsWith('?') ? `[${word.slice(0, -1)}]` : `<${word}>`))].join(' ')

const columns = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join('\n')
}

const general: [string, string][] = [
  ['--json', 'the answer as JSON, for programs'],
  ['--help', 'what a command takes'],
]

/** The list of commands. */
export const overview = (commands: Command[]): string => `npm run -s platform -- <command> [options]

${columns(commands.map(each => [usage(each), each.summary]))}

${columns(general)}

Ends with 0 when it is done, 1 when it is refused or something is not well, 2 when the command is not understood, 3 when
the platform does not answer. Settings are read as npm start reads them; see .env.example.`

/** Words and options of one command. */
export function helpOf(command: Command): string {
  const own = Object.entries(command.options ?? {}).map(([name, { value, help }]): [string, string] => [
    value ? `--${name} <${value}>` : `--${name}`,
    help,
  ])
  return `npm run -s platform -- ${usage(command)} [options]\n\n${command.summary}\n\n${columns([...own, ...general])}`
}
