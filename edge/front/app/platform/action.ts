import { useRef, useState } from 'preact/hooks'
import { type FieldViolation, PlatformError } from '../../../client/errors.ts'
import { fill, type Texts, useTexts } from './texts.ts'

/** What a button or form runs. */
export type Runnable = { run: () => Promise<unknown>; isRunning: boolean; error: unknown }

type Action<Args extends unknown[]> = Omit<Runnable, 'run'> & {
  /** Runs the action. @returns false when it failed, with the reason in `error`, or is already running */
  run: (...args: Args) => Promise<boolean>
  /** The message of each field that was refused, by its name. */
  fields: Record<string, string>
  clear: () => void
}

/** An action of the user: runs once at a time and keeps its error. */
export function useAction<Args extends unknown[]>(perform: (...args: Args) => Promise<unknown>): Action<Args> {
  const [isRunning, setRunning] = useState(false)
  // A ref, because two clicks before the next rendering would both see the old state.
  const isBusy = useRef(false)
  const [error, setError] = useState<unknown>(undefined)
  return {
    isRunning,
    error,
    fields: useFaults(error),
    clear: () => setError(undefined),
    async run(...args) {
      if (isBusy.current) return false
      isBusy.current = true
      setRunning(true)
      setError(undefined)
      try {
        await perform(...args)
        return true
      } catch (thrown) {
        // Browsers report a missing connection so.
        setError(thrown instanceof TypeError ? new UnsentError() : thrown)
        return false
      } finally {
        isBusy.current = false
        setRunning(false)
      }
    },
  }
}

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
function useFaults(error: unknown): Record<string, string> {
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
