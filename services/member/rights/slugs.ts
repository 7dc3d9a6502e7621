/** A slug made from a name: "Réception de nuit" gives "reception-de-nuit". Empty when nothing is left. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')

/** Whether a text has the form of a role's slug. Columns of slugs hold ASCII, and refuse to be compared with other letters. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
