/**
 * Splits a list into parts that fit one statement each: larger ones plan slowly, scan the table, or exceed the server's
 * packet size.
 */
export const toChunks = <T>(items: readonly T[], size = 1_000): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
