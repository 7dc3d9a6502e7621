const longestPreview = 150

/** What lists of mails show beside the subject. */
export const previewOf = (text: string): string => cut(text, longestPreview)

/** A text cut to a length at the end of a word. */
export function cut(text: string, most: number): string {
  const whole = text.trim()
  if (whole.length <= most) return whole
  const start = whole.slice(0, most).replace(/\s+\S*$/u, '')
  // Half a surrogate pair is no character.
  return `${start.replace(/[\ud800-\udbff]$/u, '')}…`
}
