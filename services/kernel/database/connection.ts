import type { SslOptions } from 'mysql2'
import { type Connection, type ConnectionOptions, createConnection, type RowDataPacket } from 'mysql2/promise'
import { errorNumber } from '../base/database-errors.ts'
import { ConfigError } from '../process/config.ts'
import { databaseAddress, demandsTls, hostsOf, tlsFor, tlsProblem } from '../process/tls.ts'

const accessDenied = 1045

/** Driver options for an address. By default the driver doesn't check a certificate against the host's name. */
export function databaseConnection(url: string): { uri: string; ssl?: SslOptions } {
  const fault = databaseAddress.safeParse(url).error?.issues[0]?.message
  if (fault !== undefined)
    throw new ConfigError(`the address of a database${URL.canParse(url) ? ` at ${hostsOf(url)}` : ''} ${fault}`)
  const tls = tlsFor(url, 'DATABASE')
  return tls ? { uri: url, ssl: { ...tls, verifyIdentity: true } } : { uri: url }
}

/** Opens one connection to the server of a mysql:// address. */
export async function connectDatabase(
  url: string,
  options: Omit<ConnectionOptions, 'uri' | 'ssl'> = {},
): Promise<Connection> {
  try {
    return await createConnection({ ...options, ...databaseConnection(url) })
  } catch (error) {
    throw explainFailure(error, url)
  }
}

/** The rows that a statement returns. */
export async function queryRows(connection: Connection, text: string, ...values: unknown[]): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>(text, values)
  return rows
}

/** The driver's error; TLS failures are named in terms of the settings. */
export function explainFailure<E>(error: E, url: string): E {
  if (!(error instanceof Error)) return error
  const problem = tlsProblem(error, url, 'DATABASE')
  if (problem !== undefined) {
    replaceMessage(error, problem)
    // The whole certificate, which the start log would print.
    Reflect.deleteProperty(error, 'cert')
  } else if (errorNumber(error) === accessDenied && !demandsTls(url) && !error.message.includes('?ssl='))
    // MariaDB gives a client without TLS no other reason.
    replaceMessage(error, `${error.message}; if the server requires TLS, add ?ssl=true to its address`)
  return error
}

/** Also replaces the message in the stack, which a crashing process prints. */
function replaceMessage(error: Error, message: string): void {
  error.stack = error.stack?.replace(error.message, () => message) ?? message
  error.message = message
}
