import { type FieldViolation, PlatformError } from '../../../client/errors.ts'
import { fill, type Texts, useTexts } from './texts.ts'

/** Something that wasn't sent, for want of a connection. */
export class UnsentError extends Error {}

/** The texts of the rules that people break. */
const rules: Record<string, Exclude<keyof Texts['platform/faults'], 'other'>> = {
  required: 'required',
  'string.min_len': 'short',
  'string.max_len': 'long',
  'string.max_bytes': 'long',
  'string.email': 'email',
  'password.common': 'common',
  'password.matches': 'wrong',
  'password.new': 'present',
  'pin.expiry': 'past',
  'must-read.deadline': 'past',
}

/** The message of each field that the platform refused, by its name. The platform's own messages are English. */
export function useFaults(error: unknown): Record<string, string> {
  const t = useTexts('platform/faults')
  const textOf = ({ rule, message }: FieldViolation): string => {
    // An empty text breaks the rule of its length.
    const text = rules[message === 'is required' ? 'required' : rule]
    return text ? t[text] : fill(t.other, { message })
  }
  return error instanceof PlatformError
    ? Object.fromEntries(error.violations.map(violation => [violation.path, textOf(violation)]))
    : {}
}
