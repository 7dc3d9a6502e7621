/** Logs a failure. `kind` tells which ones count as the same. */
export type FailureLog = (kind: string, fields: object, message: string) => void

const minuteMs = 60_000
/** Further kinds are logged each time. */
const maxKinds = 1_000

/**
 * Logs the first failure of a kind at once, and then once a minute how often it came again: an outage must not flood
 * the log.
 */
export function failureLog(write: (fields: object, message: string) => void, everyMs = minuteMs): FailureLog {
  const repeatsByKind = new Map<string, number>()
  return (kind, fields, message) => {
    const repeats = repeatsByKind.get(kind)
    if (repeats !== undefined) return void repeatsByKind.set(kind, repeats + 1)
    write(fields, message)
    if (repeatsByKind.size >= maxKinds) return
    repeatsByKind.set(kind, 0)
    const timer = setInterval(() => {
      const count = repeatsByKind.get(kind) ?? 0
      if (count > 0) {
        write(fields, `${message} (… ${count} more in the last ${everyMs / 1_000} s)`)
        return void repeatsByKind.set(kind, 0)
      }
      repeatsByKind.delete(kind)
      clearInterval(timer)
    }, everyMs)
    timer.unref()
  }
}
