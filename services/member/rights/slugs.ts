/**
 * Whether a text has the form of a role's slug. Slug columns hold ASCII, and the database refuses to compare them with
 * other characters.
 */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
