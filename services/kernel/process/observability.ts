import { z } from 'zod'
import { type Environment, integer, readSettings } from './config.ts'
import { reportError, setErrorSink } from './error-reports.ts'
import { errorTracker } from './error-tracker.ts'
import type { Log } from './log.ts'
import { serveMetrics } from './metrics.ts'
import { platformVersion } from './version.ts'

const shape = {
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: integer(0, 65_535).default(9464),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  SENTRY_DSN: z.string().optional(),
  SENTRY_ENVIRONMENT: z.string().optional(),
  SENTRY_RELEASE: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
}

/**
 * Starts what a process exposes: metrics on METRICS_PORT of loopback, unexpected errors to SENTRY_DSN, and traces to
 * the collector of OTEL_EXPORTER_OTLP_ENDPOINT; OpenTelemetry is loaded only then. Several processes on one machine use
 * MEMBER_METRICS_PORT, EDGE_METRICS_PORT …; one whose port is taken runs without metrics.
 * @param name of the process, and of its traces' service
 * @param text the metrics; left out where another process exposes them
 */
export async function startObservability(
  env: Environment,
  name: string,
  log: Log,
  text?: () => Promise<string>,
): Promise<{ stop(): Promise<void> }> {
  const config = readSettings(env, name.toUpperCase(), shape)
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracing = endpoint
    ? (await import('./tracing-export.ts')).exportTraces(endpoint, name, config.OTEL_TRACES_SAMPLER_ARG)
    : undefined
  const stopTracking = trackErrors(config, env['NODE_ENV'], name, log)
  const metrics = text
    ? await serveMetrics(text, config.METRICS_HOST, config.METRICS_PORT).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        log.warn(
          { port: config.METRICS_PORT },
          `no metrics: the port is in use; set ${name.toUpperCase()}_METRICS_PORT to another`,
        )
        return undefined
      })
    : undefined
  return {
    async stop() {
      await metrics?.close()
      await tracing?.stop()
      await stopTracking()
    },
  }
}

type Tracked = { [Name in 'SENTRY_DSN' | 'SENTRY_ENVIRONMENT' | 'SENTRY_RELEASE']?: string | undefined }

/**
 * Sends unexpected errors, and the one that ends the process, to the configured tracker.
 * @returns a function that stops it
 */
function trackErrors(config: Tracked, mode: string | undefined, service: string, log: Log): () => Promise<void> {
  if (!config.SENTRY_DSN) return async () => undefined
  const environment = config.SENTRY_ENVIRONMENT ?? mode ?? 'development'
  const release = config.SENTRY_RELEASE ?? platformVersion
  const tracker = errorTracker(config.SENTRY_DSN, { service, environment, release }, log)
  const onCrash = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught exception; exiting')
    reportError(error, { source: 'uncaught exception' })
    void tracker.flush(5_000).finally(() => process.exit(1))
  }
  setErrorSink(tracker.take)
  process.on('uncaughtException', onCrash)
  return async () => {
    process.off('uncaughtException', onCrash)
    setErrorSink(undefined)
    await tracker.flush(2_000)
  }
}
