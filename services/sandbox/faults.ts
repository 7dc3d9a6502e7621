import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler, Response } from 'express'
import { z } from 'zod'
import { sendProviderError } from './provider-errors.ts'
import { type ProviderName, providers } from './state.ts'

/**
 * The body of `POST /_control`. `method` and `path` (a substring) narrow it down; `after` executes the request and then
 * drops the answer.
 */
export const faultSchema = z.strictObject({
  provider: z.enum(providers),
  mode: z.enum(['ok', 'delay', '400', '410', '429', '500', 'reset', 'garbage']),
  times: z.int().min(1).max(1_000_000).default(1),
  delayMs: z.int().min(0).max(120_000).default(0),
  /** Seconds in the Retry-After of a 429. */
  retryAfter: z.int().min(0).max(86_400).default(1),
  method: z.string().max(10).optional(),
  path: z.string().max(200).optional(),
  after: z.boolean().default(false),
})
type InjectedFault = z.infer<typeof faultSchema>
export type Faults = ReturnType<typeof createFaults>

/** The active faults. A new one replaces the one with the same provider, method and path; `ok` clears a provider's. */
export function createFaults() {
  let active: InjectedFault[] = []
  return {
    list: () => active,
    set(fault: InjectedFault) {
      const isReplaced = (earlier: InjectedFault) =>
        earlier.provider === fault.provider &&
        (fault.mode === 'ok' ? fault.path === undefined : earlier.method === fault.method) &&
        (earlier.path === fault.path || (fault.mode === 'ok' && fault.path === undefined))
      active = active.filter(earlier => !isReplaced(earlier))
      if (fault.mode !== 'ok') active.push({ ...fault })
    },
    /** The fault for this request; counts it down. */
    take(provider: ProviderName, method: string, path: string): InjectedFault | undefined {
      const fault = active.find(
        candidate =>
          candidate.provider === provider &&
          (candidate.method === undefined || candidate.method.toUpperCase() === method) &&
          (candidate.path === undefined || path.includes(candidate.path)),
      )
      if (fault && --fault.times < 1) active = active.filter(candidate => candidate !== fault)
      return fault
    },
  }
}

/** Waits. @returns false when the sandbox closes first */
export const pause = (ms: number, closeSignal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal: closeSignal }).catch(() => false)

/**
 * Injects the active fault of a provider, if any. A delayed request is executed even if its caller has disconnected.
 */
export function playFaults(
  provider: ProviderName,
  faults: Faults,
  closeSignal: AbortSignal,
  body: (status: number) => unknown,
): RequestHandler {
  return async (req, res, next) => {
    const fault = faults.take(provider, req.method, req.originalUrl)
    if (!fault) return next()
    if (fault.delayMs > 0 && !(await pause(fault.delayMs, closeSignal))) return void res.destroy()
    if (fault.mode === 'delay') return next()
    if (fault.after) {
      corruptAnswer(res, () => answer(res, fault, body))
      return next()
    }
    answer(res, fault, body)
  }
}

function answer(res: Response, { mode, provider, retryAfter }: InjectedFault, body: (status: number) => unknown) {
  if (mode === 'reset') return void res.socket?.destroy()
  if (mode === 'garbage') return void res.status(200).type('application/json').end('{"id":"\u0000\ufffd<<<')
  const status = Number(mode)
  if (status === 429) res.set('Retry-After', String(retryAfter))
  // The mail provider sends the second at which its rate limit resets.
  if (status === 429 && provider === 'email')
    res.set('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1000) + retryAfter))
  sendProviderError(res, status, body(status))
}

function corruptAnswer(res: Response, play: () => void) {
  const end = res.end.bind(res)
  res.end = (() => {
    res.end = end
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    play()
    return res
  }) as typeof res.end
}
