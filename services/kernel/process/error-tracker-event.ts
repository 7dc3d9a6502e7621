import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { stackFrames } from '../base/statement-failures.ts'
import { causeChain, errorText } from './error-facts.ts'
import type { ErrorContext } from './error-reports.ts'
import { activeTrace } from './tracing.ts'

export type EventSettings = { service: string; environment: string; release: string }

/** Patterns that must not leave the platform, with their replacements. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [removed]'],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[removed]@'],
  [
    /\b((?:\w*(?:password|secret|token|authorization|api[-_]?key))["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    '$1[removed]',
  ],
  [/[^\s@'"<>(),;:]+@[^\s@'"<>(),;:]+\.[a-z]{2,}/gi, '[e-mail]'],
  [/\b[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}\b/g, '[token]'],
  [/\b(?:sk|rk|whsec|pk)_\w{8,}/g, '[key]'],
  [/\b(?=[\w+/-]*\d)[A-Za-z0-9+/_-]{32,}={0,2}/g, '[removed]'],
]

/** The text without tokens, passwords, keys and personal addresses. */
export const redactText = (text: string): string =>
  secrets.reduce((redactedText, [pattern, instead]) => redactedText.replace(pattern, instead), text).slice(0, 2_000)

type Frame = { filename: string; function: string; lineno: number; colno: number; in_app: boolean }

/** The frames of a stack, outermost first as the protocol requires. */
function framesOf(stack: string): Frame[] {
  const lines = stack.matchAll(
    /^\s+at (?:(?:async )?(?<name>.*?) \()?(?<file>[^()\n]+?):(?<line>\d+):(?<column>\d+)\)?$/gm,
  )
  return [...lines]
    .map(({ groups }) => ({
      filename: (groups?.['file'] ?? '').replace(/^file:\/\//, ''),
      function: groups?.['name'] ?? '?',
      lineno: Number(groups?.['line']),
      colno: Number(groups?.['column']),
      in_app: !/node_modules|^node:/.test(groups?.['file'] ?? ''),
    }))
    .toReversed()
    .slice(-50)
}

export type TrackedEvent = ReturnType<typeof eventOf>

/** An error as an event of the Sentry protocol. It never contains bodies, headers or statements. */
export function eventOf(thrown: unknown, { source, requestId }: ErrorContext, settings: EventSettings) {
  const trace = activeTrace()
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1_000,
    platform: 'node',
    level: 'error',
    server_name: hostname(),
    environment: settings.environment,
    release: settings.release,
    transaction: source,
    tags: { service: settings.service, ...(requestId ? { request_id: requestId } : {}) },
    ...(trace ? { contexts: { trace: { trace_id: trace.traceId, span_id: trace.spanId } } } : {}),
    exception: {
      // The cause first, as the protocol requires; three at most.
      values: causeChain(thrown)
        .slice(0, 3)
        .toReversed()
        .map(link => ({
          type: link instanceof Error ? link.name : typeof link,
          value: redactText(errorText(link)),
          stacktrace: { frames: link instanceof Error ? framesOf(stackFrames(link)) : [] },
        })),
    },
  }
}
