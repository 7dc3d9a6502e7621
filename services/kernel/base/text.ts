import { invalid } from './errors.ts'

/** A header's text as its sender wrote it: clients send UTF-8, and Node reads every byte as a character of its own. */
export function headerText(value: string | null): string | null {
  const text = Buffer.from(value ?? '', 'latin1').toString()
  return text.includes('\ufffd') ? value : value && text
}

/**
 * What people are to read must say something: 400 for a text of blanks alone. What is absent or empty is the contract's.
 * @param texts by their path in the request
 */
export function requireText(texts: Record<string, string | undefined>): void {
  for (const [path, text] of Object.entries(texts))
    if (text && text.trim() === '') throw invalid(path, 'must not be blank', 'required')
}
