import type { DatabaseConnection } from 'kysely'
import { numberOf } from './database-errors.ts'

/**
 * Errors of the server whose text names tables, columns, keys and accounts alone: denied access, unknown names, foreign
 * keys, locks, limits, a server that is read-only. All others may quote what a client sent.
 */
const textsOfNames = new Set([
  1020, 1040, 1044, 1045, 1047, 1048, 1049, 1054, 1053, 1142, 1143, 1146, 1205, 1213, 1226, 1227, 1290, 1317, 1364,
  1451, 1452, 1698, 1836, 1927, 1969, 3024,
])
/** At the end of a text, where no value can stand. */
const place = / for (?:key|column) ['`][\w.`-]+['`](?: at row \d+)?$/

/** What may be shown of an error of the database's server: neither the statement nor a value; undefined for any other. */
export function serverText(error: Error): string | undefined {
  const number = numberOf(error)
  const { code, sqlState, sqlMessage } = error as Error & Record<'code' | 'sqlState' | 'sqlMessage', unknown>
  if (number < 1000 || (sqlState === undefined && sqlMessage === undefined)) return undefined
  if (textsOfNames.has(number)) return error.message
  return `${typeof code === 'string' ? code : 'error'} (${number})${place.exec(error.message)?.[0] ?? ''}`
}

/** The lines of a stack that name places in the code; its first ones are the error's message. */
export function placesIn({ message, stack = '' }: Error): string {
  const at = stack.indexOf(message)
  const lines = (at < 0 ? stack : stack.slice(at + message.length)).split('\n')
  return lines.filter(line => /^\s+at /.test(line)).join('\n')
}

/**
 * Has the errors of a connection leave without their statement, which the driver fills in with all values: an error ends
 * in logs, error trackers and dead letters, and on the standard error of a process that dies of it.
 */
export function hideStatements(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection)
  connection.executeQuery = (query, options) =>
    execute<never>(query, options).catch((error: unknown) => {
      throw withoutStatement(error)
    })
}

function withoutStatement(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const text = serverText(error)
  Reflect.deleteProperty(error, 'sql')
  if (text === undefined || text === error.message) return error
  const places = placesIn(error)
  error.message = text
  error.stack = `${error.name}: ${text}\n${places}`
  Reflect.deleteProperty(error, 'sqlMessage')
  return error
}
