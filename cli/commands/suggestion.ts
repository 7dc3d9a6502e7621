import { editDistance } from '../../services/kernel/base/text.ts'

/**
 * A sentence with the name that was probably meant; empty when none is near.
 * @param typed what was typed
 */
export function suggestion(typed: string, names: string[]): string {
  const maxDistance = Math.max(1, Math.floor(typed.length / 3))
  const distanceTo = (name: string): number => editDistance(typed, name, maxDistance)
  const [nearest = ''] = names.toSorted((a, b) => distanceTo(a) - distanceTo(b))
  return distanceTo(nearest) <= maxDistance ? ` Did you mean ${nearest}?` : ''
}
