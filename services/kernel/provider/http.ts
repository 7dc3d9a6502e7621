import { networkFailure, ProviderFailure, statusFailure } from './failure.ts'
import type { Provider, ProviderCall } from './provider.ts'

/** A call to a provider over HTTP. */
export type HttpCall = ProviderCall & {
  url: string | URL
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
}

/** A provider's answer: a success, or a refusal of the request. */
export type HttpAnswer = {
  status: number
  /** The body as JSON; undefined when it is empty or, in a refusal, unreadable. */
  body: unknown
  header(name: string): string | null
}

const longestAnswer = 1_000_000

/**
 * Calls a provider over HTTP and reads its answer as JSON. Redirects are refused: they would carry credentials
 * elsewhere.
 * @returns any answer below 500, except 408 and 429
 * @throws ProviderFailure otherwise; it holds the answer, if any
 */
export const callHttp = (provider: Provider, call: HttpCall): Promise<HttpAnswer> =>
  provider.call(call, async signal => {
    const { url, method = 'GET', headers, body } = call
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method,
        redirect: 'error',
        signal,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      })
      text = await bounded(response)
    } catch (thrown) {
      throw networkFailure(thrown)
    }
    const read = json(text)
    const { status } = response
    const answer = { status, body: read, header: (name: string) => response.headers.get(name) }
    const failure = statusFailure(status, response.headers.get('retry-after'), answer)
    if (failure) throw failure
    if (read === undefined && text.trim() !== '' && status < 300) throw new ProviderFailure('unreadable')
    return answer
  })

/** The body's text. One above the limit is unreadable. */
async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longestAnswer) throw new ProviderFailure('unreadable')
  }
  return text + decoder.decode()
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
