import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type ReceivedMessage = { headers: IncomingHttpHeaders; body: string; path: string }

/** A hotel's own system on loopback: keeps what it receives and answers as the test says; 204 by default. */
export async function startReceiver(
  answer: (message: ReceivedMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(204).end(),
) {
  const messages: ReceivedMessage[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const message = { headers: request.headers, body: Buffer.concat(parts).toString(), path: request.url ?? '' }
    messages.push(message)
    receiver.answer(message, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver = {
    answer,
    messages,
    port,
    url: `http://127.0.0.1:${port}/events`,
    ids: () => messages.map(({ headers }) => String(headers['webhook-id'])),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return receiver
}

/** The verified content of a message. Throws when the signature isn't one of the secret. */
export const verify = (secret: string, { headers, body }: ReceivedMessage) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }
