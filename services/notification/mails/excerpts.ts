const longestPreview = 150

/** What lists of mails show beside the subject. */
export const previewOf = (text: string): string => cut(text, longestPreview)

/** A text cut to a length at the end of a word. */
export function cut(text: string, maxCharacters: number): string {
  const trimmedText = text.trim()
  if (trimmedText.length <= maxCharacters) return trimmedText
  const start = trimmedText.slice(0, maxCharacters).replace(/\s+\S*$/u, '')
  // Half a surrogate pair is no character.
  return `${start.replace(/[\ud800-\udbff]$/u, '')}…`
}
