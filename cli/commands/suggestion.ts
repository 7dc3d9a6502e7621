import { editDistance } from '../../services/kernel/base/text.ts'

/**
 * A sentence with the name that was probably meant; empty when none is near.
 * @param typed what was typed
 */
export function suggestion(typed: string, names: string[]): string {
  const [nearest] = names.toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b))
  const maxDistance = Math.max(1, Math.floor(typed.length / 3))
  return nearest !== undefined && editDistance(typed, nearest) <= maxDistance ? ` Did you mean ${nearest}?` : ''
}
