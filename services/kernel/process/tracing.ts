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

/** Headers that carry a trace from process to process (W3C Trace Context). */
export type Carrier = Record<string, string>

/** While off, nothing below does anything: a request pays one comparison for each place that could be traced. */
const state = { on: false }

/** Told by tracing-export.ts, and by tests with an exporter of their own. */
export function setTracing(on: boolean): void {
  state.on = on
}

/** Whether spans go anywhere: what is made only for them need not be made otherwise. */
export const isTracing = (): boolean => state.on

const tracer = () => trace.getTracer('platform')

export type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: Attributes
  /** Headers as they came; the span continues their trace unless one is running here already. */
  from?: Readonly<Record<string, string | string[] | undefined>>
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** The trace that new spans belong to: the one running here, else the one that the headers tell of. */
function parentOf(from: SpanOptions['from']) {
  const running = context.active()
  if (!from || trace.getSpan(running)) return running
  return propagation.extract(running === ROOT_CONTEXT ? ROOT_CONTEXT : running, from)
}

/** Does `work` within a span that ends with it; a thrown error is the span's too. */
export async function traced<T>(
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
    failed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Does `work`, which returns at once, within a span that lasts until `end` is called.
 * @param work is given `end` and a way to rename the span once its route is known
 */
export function tracedUntil(
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

/** Gives the running span its name and attributes once they are known: the route, rather than the path. */
export function nameSpan(name: string, attributes: Attributes): void {
  if (!state.on) return
  trace.getActiveSpan()?.updateName(name).setAttributes(attributes)
}

/** A span of something that has just ended and took `ms`. */
export function tracedAfter(name: string, ms: number, attributes: Attributes, error?: unknown): void {
  if (!state.on || !trace.getActiveSpan()) return
  const startTime = performance.timeOrigin + performance.now() - ms
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes })
  if (error !== undefined) failed(span, error)
  span.end()
}

/** Ids of the running span, when there is one. */
export function activeTrace(): { traceId: string; spanId: string } | undefined {
  return state.on ? trace.getActiveSpan()?.spanContext() : undefined
}

/** Headers for what leaves this process on behalf of the running span; undefined when there is none. */
export function carrier(): Carrier | undefined {
  if (!state.on || !trace.getActiveSpan()) return undefined
  const headers: Carrier = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** The class of an error and never its text: that may hold what a client sent. */
function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
