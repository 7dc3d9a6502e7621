import { useRef, useState } from 'preact/hooks'
import { UnsentError, useFaults } from './faults.ts'

type Action<Args extends unknown[]> = {
  /** Runs the action. @returns false when it failed, with the reason in `error`, or is already running */
  run: (...args: Args) => Promise<boolean>
  isRunning: boolean
  error: unknown
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
