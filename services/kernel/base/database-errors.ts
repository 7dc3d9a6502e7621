// Recognises errors without the driver: an edge process has no database.

const unreachableCodes = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'POOL_CLOSED',
  // The handshake broke off, or the certificate was not accepted.
  'HANDSHAKE_SSL_ERROR',
  'HANDSHAKE_NO_SSL_SUPPORT',
])
const socketCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT$)/
/** Too many connections, no quorum, shutting down, read-only after a failover, connection killed. */
const unreachableNumbers = new Set([1040, 1203, 1047, 1053, 1290, 1836, 1927, 2006, 2013])

/** Access denied: to the server, a schema or a table, as while a password or a grant is replaced. */
const deniedNumbers = new Set([1044, 1045, 1142, 1143, 1698])
/** A full disk or table. */
const fullNumbers = new Set([1021, 1114, 3675])
/** Errors of files, which a full disk causes too; their text names the system's error. */
const fileNumbers = new Set([3, 1004, 1026, 1030, 1878])
const noSpace = /\b28\b|No space left/

/** Deadlock, lock wait timeout, failed certification at commit: a retry may succeed. */
const contentionNumbers = new Set([1213, 1205, 1020])

/** Whether the statement met contention. Transactions retry it; if that fails, the answer is a 503. */
export const isContention = (error: unknown): boolean => contentionNumbers.has(errorNumber(error))

/** Whether the statement violated a unique key, optionally the named one. */
export function isDuplicateKey(error: unknown, keyName?: string): boolean {
  if (errorNumber(error) !== 1062) return false
  if (keyName === undefined) return true
  // MySQL 8 prints table.key, MariaDB key. Only the end counts, because the entry before it is client input.
  const match = /for key '(?:[^']*\.)?([^'.]+)'$/.exec(error instanceof Error ? error.message : '')
  return match?.[1] === keyName
}

/**
 * Whether the server refuses work whatever is asked of it: access is denied, or the disk is full. It may answer other
 * statements meanwhile [D513].
 */
export function isServerRefusing(error: unknown): boolean {
  const number = errorNumber(error)
  if (deniedNumbers.has(number) || fullNumbers.has(number)) return true
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || (fileNumbers.has(number) && noSpace.test(error.message))
}

/** Whether the database or disk was unreachable, was lost or can't take work now: answer 503. */
export function isUnavailable(error: unknown): boolean {
  if (unreachableNumbers.has(errorNumber(error)) || isServerRefusing(error)) return true
  if (!(error instanceof Error)) return false
  const { code, fatal } = error as Error & { code?: unknown; fatal?: unknown }
  if (typeof code === 'string' && unreachableCodes.has(code)) return true
  if (/closed state|Pool is closed|driver has already been destroyed/.test(error.message)) return true
  // Only the driver marks errors as fatal; a refused HTTP call inside a handler isn't a missing database.
  return fatal === true && typeof code === 'string' && socketCodes.test(code)
}

/** The server's error number, or 0 for any other error. */
export function errorNumber(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errno' in error)) return 0
  return typeof error.errno === 'number' ? error.errno : 0
}
