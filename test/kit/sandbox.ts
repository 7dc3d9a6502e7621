import { silentLog } from '../../services/kernel/process/log.ts'
import { type SandboxOptions, startSandbox } from '../../services/sandbox/service.ts'

/** Settings for the calling services: short pauses after failures, otherwise the same behaviour. */
export const quickProviders = {
  PROVIDER_RETRY_DELAYS_MS: '5,10,20',
  PROVIDER_REST_MS: '100',
}

/** A sandbox on free ports for one test file, with functions to call and control it. */
export async function sandboxForTest(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ port: 0, log: silentLog, env: {}, ...options })
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
    const type: Record<string, string> = text === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(sandbox.url + path, {
      method,
      headers: { ...type, ...headers },
      ...(text !== undefined && { body: text }),
      signal: AbortSignal.timeout(30_000),
    })
    const raw = await answer.text()
    const json = /json/.test(answer.headers.get('content-type') ?? '') && raw ? parse(raw) : undefined
    return { status: answer.status, headers: answer.headers, text: raw, json }
  }
  const control = (fault: object) => call('POST', '/_control', fault)
  return { ...sandbox, call, control }
}

// The type of JSON.parse: tests read answers of many shapes.
function parse(raw: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
