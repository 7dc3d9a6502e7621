import http from 'node:http'

/* node:http instead of fetch, which takes more CPU time per request on the servers' machine. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

/** One request over kept connections, and the text of its answer. Any status from 300 is an error. */
export function request(url: string, { body, token }: { body?: object; token?: string } = {}): Promise<string> {
  const text = body && JSON.stringify(body)
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
  }
  return new Promise((resolve, reject) => {
    const asked = http.request(url, { agent, method: text ? 'POST' : 'GET', headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
      answer.once('end', () => {
        const read = Buffer.concat(chunks).toString()
        if ((answer.statusCode ?? 500) < 300) resolve(read)
        else reject(new Error(`${url} answered ${answer.statusCode}: ${read}`))
      })
    })
    asked.once('error', reject).end(text)
  })
}
