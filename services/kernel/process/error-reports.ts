/** Where an unexpected error came up. */
export type ErrorContext = {
  /** The RPC, route, consumer or the process itself. */
  where: string
  requestId?: string | undefined
}

type Sink = (error: unknown, context: ErrorContext) => void

let sink: Sink | undefined

/** Says who hears of unexpected errors of this process; nobody unless told. */
export function setErrorSink(to: Sink | undefined): void {
  sink = to
}

/** Tells of an error that nobody expected. Never throws and never waits. */
export function reportError(error: unknown, context: ErrorContext): void {
  try {
    sink?.(error, context)
  } catch {
    // Whoever is told of failures must not make one.
  }
}
