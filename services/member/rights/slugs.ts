/** A slug from a name: "Réception de nuit" gives "reception-de-nuit". Empty when no letter remains. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')

/**
 * Whether a text has the form of a role's slug. Slug columns hold ASCII, and the database refuses to compare them with
 * other characters.
 */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
