import { once } from 'node:events'
import type { DescMethodServerStreaming, Message } from '@bufbuild/protobuf'
import { contentDisposition } from './disposition.ts'
import { rpcHeaders } from './credentials.ts'
import type { Call } from './handler.ts'
import type { FileChunk, FileHead } from '../../gen/platform/common/v1/common_pb.ts'

/** Streams a file out of a server-streaming RPC, no faster than the client takes it. */
export async function sendFile(call: Call, message: Message): Promise<void> {
  const { route, transport, request, response, requestId } = call
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  async function* input() {
    yield message
  }
  const method = route.method as DescMethodServerStreaming
  const answer = await transport.stream(method, gone.signal, undefined, rpcHeaders(request, requestId), input())
  for await (const part of answer.message) {
    const { head, data } = chunkOf(part)
    if (head && !response.headersSent) {
      if (notModified(call, head)) return
      writeHead(call, head)
    }
    if (request.method === 'HEAD') break
    if (data.length > 0 && !response.write(data)) await once(response, 'drain', { signal: gone.signal })
  }
  response.end()
}

/** The FileChunk that a response message carries in its only message field. */
function chunkOf(message: Message): FileChunk {
  const chunk = (message as { chunk?: FileChunk }).chunk
  if (!chunk) throw new Error(`${message.$typeName} carries no chunk`)
  return chunk
}

function notModified({ request, response }: Call, { etag }: FileHead): boolean {
  const known = (request.headers['if-none-match'] ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  if (!etag || !(known.includes(`"${etag}"`) || known.includes('*'))) return false
  response.status(304).setHeader('ETag', `"${etag}"`).end()
  return true
}

function writeHead({ response }: Call, head: FileHead): void {
  response.statusCode = 200
  response.setHeader('Content-Type', head.contentType)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Cache-Control', head.cacheControl || 'no-store')
  if (head.size !== undefined) response.setHeader('Content-Length', head.size.toString())
  if (head.etag) response.setHeader('ETag', `"${head.etag}"`)
  if (head.fileName || head.attachment)
    response.setHeader(
      'Content-Disposition',
      contentDisposition(head.attachment ? 'attachment' : 'inline', head.fileName),
    )
  response.flushHeaders()
}
