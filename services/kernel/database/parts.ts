/**
 * Splits a list into parts that fit one statement each: larger ones plan slowly, scan the table, or exceed the server's
 * packet size.
 */
export const toChunks = <T>(all: readonly T[], size = 1_000): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
