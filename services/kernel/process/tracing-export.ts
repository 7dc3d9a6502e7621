import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { setTracing } from './tracing.ts'

type Tracing = { stop(): Promise<void> }

/**
 * Starts sending spans to an OpenTelemetry collector over OTLP/HTTP.
 * @param share of traces that begin here, 0 to 1
 */
export function exportTraces(url: string, service: string, share: number): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces` })
  return record(new BatchSpanProcessor({ exporter }), service, share)
}

/**
 * Passes every span to an exporter at once; for tests.
 * @param share as for `exportTraces`
 */
export const recordTraces = (exporter: SpanExporter, share = 1): Tracing =>
  record(new SimpleSpanProcessor({ exporter }), 'test', share)

function record(processor: SpanProcessor, service: string, share: number): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  setTracing(true)
  return {
    async stop() {
      setTracing(false)
      await provider.shutdown()
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}
