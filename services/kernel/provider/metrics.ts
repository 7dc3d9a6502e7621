import { Gauge, Histogram, type Metric, type Registry } from 'prom-client'

export type { Registry }

/** Metrics of one provider: call times by result, and whether its circuit breaker is open. */
export function providerMetrics(provider: string, registry: Registry | undefined) {
  const calls = registry && metricOf(registry, 'provider_call_seconds', newHistogram)
  const resting = registry && metricOf(registry, 'provider_resting', newGauge)
  resting?.set({ provider }, 0)
  return {
    observe(operation: string, result: string, ms: number) {
      calls?.observe({ provider, operation, result }, ms / 1000)
    },
    resting(is: boolean) {
      resting?.set({ provider }, is ? 1 : 0)
    },
  }
}

/** Services of one process share the registry, and so its metrics. */
const metricOf = <M extends Metric>(
  registry: Registry,
  name: string,
  create: (name: string, registry: Registry) => M,
) => (registry.getSingleMetric(name) as M | undefined) ?? create(name, registry)

const newHistogram = (name: string, registry: Registry) =>
  new Histogram({
    name,
    help: 'Duration of one attempt of a call to an external provider, by operation and result',
    labelNames: ['provider', 'operation', 'result'],
    buckets: [0.02, 0.1, 0.5, 1, 2, 5],
    registers: [registry],
  })

const newGauge = (name: string, registry: Registry) =>
  new Gauge({
    name,
    help: '1 while calls to a provider are suspended after repeated failures',
    labelNames: ['provider'],
    registers: [registry],
  })
