import type { Environment } from '../../services/kernel/process/config.ts'

/** The value of an option: a text, or true for a switch. */
export type OptionValues = Record<string, string | boolean | undefined>

/** A command's input: settings, words and options. */
export type CommandRequest = {
  env: Environment
  words: string[]
  optionValues: OptionValues
  /** Whether the output is for a program. */
  isJson: boolean
  /** Prints progress for people. */
  print(line: string): void
  /** Prints a part of the result as it comes: a line for people, or a JSON value on one line. */
  stream(text: string, data: object): void
  /** The access token of the administrator's session that the command has opened. */
  session?: Promise<string>
}

/** A command's result: data for programs, text for people; undefined and empty after a stream. */
export type CommandResult = {
  data: unknown
  text: string
  /** True when the command worked, but found a problem. */
  isFault?: boolean
}

export type Option = {
  /** Name of the value, such as days; none for a switch. */
  value?: string
  help: string
}

/** One command: `platform dead-letters list`. */
export type CliCommand = {
  name: string
  summary: string
  /** Names of its words; a final `?` marks an optional one. */
  words?: string[]
  options?: Record<string, Option>
  run(ask: CommandRequest): Promise<CommandResult>
}

/** Exit codes of the process. */
export const exitCodes = {
  done: 0,
  /** Refused, not found, or a problem found. */
  fault: 1,
  /** Invalid command line. */
  usage: 2,
  /** The platform or one of its servers does not answer. */
  unreachable: 3,
} as const

/** The error of a command that can't continue, with its exit code. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number
  readonly status: number | undefined

  constructor(message: string, exitCode: number = exitCodes.fault, status?: number) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

/** Violations on one line: status: must be one of … */
export const faultsOf = (violations: { path: string; message: string }[]): string =>
  violations.map(({ path, message }) => `${path}: ${message}`).join('; ')

/** The text of an option, or undefined. */
export function textOf(optionValues: OptionValues, name: string): string | undefined {
  const value = optionValues[name]
  return typeof value === 'string' ? value : undefined
}
