import type { Environment } from '../../services/kernel/process/config.ts'

/** What was typed for an option: a text, or true for one without a value. */
export type Given = Record<string, string | boolean | undefined>

/** What a command gets: the settings, its words and its options. */
export type Ask = {
  env: Environment
  words: string[]
  given: Given
  /** Whether the answer is for a program. */
  isJson: boolean
  /** Tells a person how far it is. */
  say(line: string): void
}

/** What a command found: data for programs, text for people. */
export type Found = {
  data: unknown
  text: string
  /** True when the command ran, and what it looked at is not well. */
  isFault?: boolean
}

export type Option = {
  /** Name of the value, such as days; none for a switch. */
  value?: string
  help: string
}

/** One command: `platform dead-letters list`. */
export type Command = {
  name: string
  summary: string
  /** Names of the words it takes, all of them needed. */
  words?: string[]
  options?: Record<string, Option>
  run(ask: Ask): Promise<Found>
}

/** How the process ends. */
export const exitCodes = {
  done: 0,
  /** Refused, not found, or something is not well. */
  fault: 1,
  /** The command was not understood. */
  usage: 2,
  /** The platform, or what it stands on, does not answer. */
  unreachable: 3,
} as const

/** A command that cannot go on, and the code it ends with. */
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

/** Fields at fault in one line: status: must be one of … */
export const faultsOf = (violations: { path: string; message: string }[]): string =>
  violations.map(({ path, message }) => `${path}: ${message}`).join('; ')

/** The text of an option, or undefined. */
export function textOf(given: Given, name: string): string | undefined {
  const value = given[name]
  return typeof value === 'string' ? value : undefined
}
