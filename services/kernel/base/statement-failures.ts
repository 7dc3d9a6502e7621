import type { DatabaseConnection } from 'kysely'
import { errorNumber } from './database-errors.ts'

/**
 * Server errors whose text names only tables, columns, keys, files and accounts: denied access, unknown names, foreign
 * keys, locks, limits, full disks, a read-only server. All others may quote client input.
 */
const textsOfNames = new Set([
  1004, 1020, 1021, 1026, 1030, 1040, 1044, 1045, 1047, 1048, 1049, 1054, 1053, 1114, 1142, 1143, 1146, 1205, 1213,
  1226, 1227, 1290, 1317, 1364, 1451, 1452, 1698, 1836, 1878, 1927, 1969, 3024, 3675,
])
/** At the end of a text, where no value can stand. */
const place = / for (?:key|column) ['`][\w.`-]+['`](?: at row \d+)?$/

/**
 * The part of a database server's error that may be shown: no statement and no value. Undefined for any other error.
 */
export function serverText(error: Error): string | undefined {
  const number = errorNumber(error)
  const { code, sqlState, sqlMessage } = error as Error & Record<'code' | 'sqlState' | 'sqlMessage', unknown>
  if (number < 1000 || (sqlState === undefined && sqlMessage === undefined)) return undefined
  if (textsOfNames.has(number)) return error.message
  return `${typeof code === 'string' ? code : 'error'} (${number})${place.exec(error.message)?.[0] ?? ''}`
}

/** The stack lines that name places in the code; the lines before them repeat the message. */
export function stackFrames({ message, stack = '' }: Error): string {
  const messageStart = stack.indexOf(message)
  const lines = (messageStart < 0 ? stack : stack.slice(messageStart + message.length)).split('\n')
  return lines.filter(line => /^\s+at /.test(line)).join('\n')
}

/**
 * Removes the statement from a connection's errors. The driver fills in all values, and errors end up in logs, error
 * trackers, dead letters and the standard error of a crashed process.
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
  const places = stackFrames(error)
  error.message = text
  error.stack = `${error.name}: ${text}\n${places}`
  Reflect.deleteProperty(error, 'sqlMessage')
  return error
}
