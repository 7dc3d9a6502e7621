import { invalid } from './errors.ts'

/**
 * What people are to read must say something: 400 for a text of blanks alone. What is absent or empty is the contract's.
 * @param texts by their path in the request
 */
export function requireText(texts: Record<string, string | undefined>): void {
  for (const [path, text] of Object.entries(texts))
    if (text && text.trim() === '') throw invalid(path, 'must not be blank', 'required')
}
