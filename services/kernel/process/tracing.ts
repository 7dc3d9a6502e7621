import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/** Headers that carry a trace between processes (W3C Trace Context). */
type TraceHeaders = Record<string, string>

/** While off, each traceable place costs a request one comparison. */
const state = { on: false }

/** Called by tracing-export.ts, and by tests with their own exporter. */
export function setTracing(on: boolean): void {
  state.on = on
}

/** Whether spans are recorded; skip work that only they need otherwise. */
export const isTracing = (): boolean => state.on

const tracer = () => trace.getTracer('platform')

type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: Attributes
  /** Incoming headers: the span continues their trace, unless one is active already. */
  from?: Readonly<Record<string, string | string[] | undefined>>
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** The parent of new spans: the active trace, else the one in the headers. */
function parentOf(from: SpanOptions['from']) {
  const activeContext = context.active()
  if (!from || trace.getSpan(activeContext)) return activeContext
  return propagation.extract(activeContext === ROOT_CONTEXT ? ROOT_CONTEXT : activeContext, from)
}

/** Runs `work` within a span that ends with it and records a thrown error. */
export async function withSpan<T>(
  name: string,
  { kind = 'internal', attributes, from }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (!state.on) return work()
  const parent = parentOf(from)
  const span = tracer().startSpan(name, { kind: kinds[kind], ...(attributes ? { attributes } : {}) }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    recordFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Runs `work`, which returns at once, within a span that lasts until `end` is called.
 * @param work receives `end` and a function to rename the span once its route is known
 */
export function withOpenSpan(
  name: string,
  { kind = 'internal', attributes, from }: SpanOptions,
  work: (end: (result: Attributes, isFailure: boolean) => void) => void,
): void {
  if (!state.on) return work(() => undefined)
  const parent = parentOf(from)
  const span = tracer().startSpan(name, { kind: kinds[kind], ...(attributes ? { attributes } : {}) }, parent)
  const end = (result: Attributes, isFailure: boolean) => {
    span.setAttributes(result)
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  context.with(trace.setSpan(parent, span), () => work(end))
}

/** Names the active span once its route is known, and sets its attributes. */
export function nameSpan(name: string, attributes: Attributes): void {
  if (!state.on) return
  trace.getActiveSpan()?.updateName(name).setAttributes(attributes)
}

/** Records a span that has just ended and took `ms`. */
export function recordSpan(name: string, ms: number, attributes: Attributes, error?: unknown): void {
  if (!state.on || !trace.getActiveSpan()) return
  const startTime = performance.timeOrigin + performance.now() - ms
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes })
  if (error !== undefined) recordFailure(span, error)
  span.end()
}

/** Ids of the active span, if any. */
export function activeTrace(): { traceId: string; spanId: string } | undefined {
  return state.on ? trace.getActiveSpan()?.spanContext() : undefined
}

/** Trace headers for outgoing calls of the active span; undefined without an active span. */
export function traceHeaders(): TraceHeaders | undefined {
  if (!state.on || !trace.getActiveSpan()) return undefined
  const headers: TraceHeaders = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** Records the class of an error, never its text, which may hold client input. */
function recordFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
