import { fold } from './fold.ts'

/** The ASCII letters and digits of a folded text, joined by hyphens: "Réception de nuit" is "reception-de-nuit". */
export const plainSlug = (text: string, maxLength = 64): string =>
  fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '')

/** A record that gets a slug from its name. */
type Unnamed = {
  name: string
  id: string
  /** What the slug begins with when the name has no Latin letter or digit: category. */
  kind: string
  maxLength: number
  /** The slugs that begin with a text and cannot be used. */
  loadTaken(prefix: string): Promise<ReadonlySet<string>>
  /** Whether an insertion failed because another record took the slug meanwhile. */
  isTaken(error: unknown): boolean
}

/** Inserts a record under the first free slug of its name: bar, bar-2, bar-3. */
export async function insertUnderSlug<T>(record: Unnamed, insert: (slug: string) => Promise<T>): Promise<T> {
  const { name, id, kind, maxLength } = record
  // The last characters of an id are random; the first ones are its second.
  const base = plainSlug(name, maxLength - '-10000'.length) || `${kind}-${id.slice(-8)}`
  for (;;) {
    const takenSlugs = await record.loadTaken(base)
    let slug = base
    for (let number = 2; takenSlugs.has(slug); number++) slug = `${base}-${number}`
    try {
      return await insert(slug)
    } catch (error) {
      if (!record.isTaken(error)) throw error
    }
  }
}
