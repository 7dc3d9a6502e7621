import http from 'node:http'

// As many connections are kept as are in use at once.
const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 })

export type RequestParts = {
  method: string
  token?: string | undefined
  /** Content type of the body. */
  type?: string
  body?: string | Buffer
}

/**
 * One request over kept connections; rejects when its connection breaks. node:http takes less CPU time per request than
 * fetch on the servers' machine.
 */
export function send(
  url: string,
  { method, token, type, body }: RequestParts,
): Promise<{ status: number; text: string }> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(type && { 'content-type': type }),
    ...(body && { 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { agent, method, headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    outgoing.once('error', reject).end(body)
  })
}

/** The text of a successful answer to a GET, or to a POST with a body; any status from 300 is an error. */
export async function request(url: string, { body, token }: { body?: object; token?: string } = {}): Promise<string> {
  const json = body && { type: 'application/json', body: JSON.stringify(body) }
  const { status, text } = await send(url, { method: json ? 'POST' : 'GET', token, ...json })
  if (status < 300) return text
  throw new Error(`${url} answered ${status}: ${text}`)
}
