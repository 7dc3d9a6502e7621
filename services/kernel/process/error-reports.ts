/** The context of an unexpected error. */
export type ErrorContext = {
  /** The RPC, route, consumer or process in which it happened. */
  source: string
  requestId?: string | undefined
}

type Sink = (error: unknown, context: ErrorContext) => void

let sink: Sink | undefined

/** Sets the receiver of this process's unexpected errors; none by default. */
export function setErrorSink(to: Sink | undefined): void {
  sink = to
}

/** Reports an unexpected error. Never throws and never waits. */
export function reportError(error: unknown, context: ErrorContext): void {
  try {
    sink?.(error, context)
  } catch {
    // A failing error sink must not cause another failure.
  }
}
