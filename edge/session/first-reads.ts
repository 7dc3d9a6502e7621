import type { Request } from 'express'
import { invalid } from '../../services/kernel/base/errors.ts'

/** Limits of the reads in one request: the first screen makes about ten, of some kB each. */
const [maxReads, maxAddressLength, maxAnswerBytes, timeoutMs] = [20, 2_000, 1_000_000, 3_000]

/**
 * The addresses of the reads that a page wants answered with its new access token, each below `/services/`. Throws a
 * ValidationError for any other value.
 */
export function readsOf(body: unknown): string[] {
  const reads = (body as { reads?: unknown } | undefined)?.reads ?? []
  const isAddress = (one: unknown) => typeof one === 'string' && one.length <= maxAddressLength
  if (!Array.isArray(reads) || reads.length > maxReads || !reads.every(isAddress))
    throw invalid('reads', `must be at most ${maxReads} addresses of ${maxAddressLength} characters`, 'type')
  return reads as string[]
}

/**
 * Answers reads as the person of an access token, by address. They are requests to this server, so that every rule of
 * their routes holds. One that fails is left out: the page then asks for itself.
 */
export async function answerReads(
  { socket, ip, headers }: Request,
  accessToken: string,
  addresses: readonly string[],
): Promise<Record<string, unknown>> {
  const { localAddress = '', localPort } = socket
  const origin = `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
  const read = async (address: string): Promise<[string, unknown][]> => {
    const url = new URL(`/services/${address}`, origin)
    if (url.origin !== origin || !url.pathname.startsWith('/services/')) return []
    const response = await fetch(url, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        'accept-language': headers['accept-language'] ?? '',
        ...(ip ? { 'x-forwarded-for': ip } : {}),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return response.ok ? [[address, await readJson(response)]] : []
  }
  const answers = await Promise.all([...new Set(addresses)].map(address => read(address).catch(() => [])))
  return Object.fromEntries(answers.flat())
}

/** The JSON of a response. Throws for another type, such as that of a file, and for one that is too long. */
async function readJson(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const chunks: Uint8Array[] = []
  let byteCount = 0
  // Leaving the loop cancels the response.
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.length
    if (!isJson || byteCount > maxAnswerBytes) throw new Error('not a short JSON answer')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}
