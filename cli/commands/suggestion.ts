/** Letters to insert, remove or replace to make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (const [column, target] of to.split('').entries()) {
      const replacing = (row[column] ?? 0) + (letter === target ? 0 : 1)
      next.push(Math.min(replacing, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/**
 * A sentence with the name that was probably meant; empty when none is near.
 * @param typed what was typed
 */
export function suggestion(typed: string, names: string[]): string {
  const [nearest] = names.toSorted((a, b) => distance(typed, a) - distance(typed, b))
  const maxDistance = Math.max(1, Math.floor(typed.length / 3))
  return nearest !== undefined && distance(typed, nearest) <= maxDistance ? ` Did you mean ${nearest}?` : ''
}
