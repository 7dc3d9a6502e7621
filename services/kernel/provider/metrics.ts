import { Gauge, Histogram, type Registry } from 'prom-client'

export type { Registry }

const seconds = 'provider_call_seconds'
const rest = 'provider_resting'

/** Metrics of one provider: call times by result, and whether its circuit breaker is open. */
export function providerMetrics(provider: string, registry: Registry | undefined) {
  // Services of one process share the registry, and so these two.
  const calls = registry && (metricOf(registry, seconds) ?? newHistogram(registry))
  const resting = registry && (metricOf(registry, rest) ?? newGauge(registry))
  if (resting instanceof Gauge) resting.set({ provider }, 0)
  return {
    observe(operation: string, result: string, ms: number) {
      if (calls instanceof Histogram) calls.observe({ provider, operation, result }, ms / 1000)
    },
    resting(is: boolean) {
      if (resting instanceof Gauge) resting.set({ provider }, is ? 1 : 0)
    },
  }
}

const metricOf = (registry: Registry, name: string) => registry.getSingleMetric(name)

const newHistogram = (registry: Registry) =>
  new Histogram({
    name: seconds,
    help: 'Duration of one attempt of a call to an external provider, by operation and result',
    labelNames: ['provider', 'operation', 'result'],
    buckets: [0.02, 0.1, 0.5, 1, 2, 5],
    registers: [registry],
  })

const newGauge = (registry: Registry) =>
  new Gauge({
    name: rest,
    help: '1 while calls to a provider are suspended after repeated failures',
    labelNames: ['provider'],
    registers: [registry],
  })
