import { PlatformError } from '../../kernel/base/errors.ts'

/** What became of one row, as answered. */
export type Result = {
  index: number
  success: boolean
  memberId?: string
  email?: string
  error?: string
  message?: string
}

/** The form of an address as HTML has it, which is what single requests are held to. */
const address =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

export const isAddress = (text: string): boolean => text.length <= 254 && address.test(text)
export const isName = (text: string): boolean => text.trim() !== '' && text.length <= 120

/** A row that fails says why under the name of its error class; anything unexpected stops the whole call. */
export function failed(index: number, error: unknown, known: Pick<Result, 'memberId' | 'email'> = {}): Result {
  if (!(error instanceof PlatformError) || error.info.status >= 500) throw error
  return { index, success: false, ...known, error: error.info.class, message: error.rawMessage }
}

/** The whole report, in the order of the request. */
export function bulkReport(results: Result[]) {
  const succeeded = results.filter(one => one.success).length
  const ordered = results.toSorted((a, b) => a.index - b.index)
  return { results: ordered, total: results.length, succeeded, failed: results.length - succeeded }
}
