/**
 * Splits a list into parts for one statement each. A statement with a longer list is planned slowly, scans the table, or
 * exceeds the server's packet size.
 */
export const toChunks = <T>(items: readonly T[], size = 1_000): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
