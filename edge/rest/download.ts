import { once } from 'node:events'
import type { DescMethodServerStreaming, Message } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import type { FileChunk, FileHead } from '../../gen/platform/common/v1/common_pb.ts'
import { RpcError } from '../../services/kernel/base/errors.ts'
import { matchesEtag } from '../../services/kernel/base/text.ts'
import { contentDisposition } from '../../services/kernel/files/file-name.ts'
import type { RestCall } from './call.ts'
import { rpcHeaders } from './credentials.ts'

/** Streams a file, or a range of it, from a server-streaming RPC, no faster than the client reads it. */
export const sendFile = (call: RestCall, message: Message): Promise<void> =>
  whileConnected(call, signal => stream(call, message, signal))

/** Runs work that lasts as long as the client reads; the signal aborts when it disconnects. */
export async function whileConnected(
  { response }: RestCall,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (response.destroyed) return
  const disconnect = new AbortController()
  response.once('close', () => disconnect.abort())
  try {
    await work(disconnect.signal)
  } catch (error) {
    // No client is left to answer, and a disconnect isn't an error.
    if (!disconnect.signal.aborted) throw error
  }
}

async function stream(call: RestCall, message: Message, signal: AbortSignal): Promise<void> {
  const { route, transport, request, response } = call
  async function* input() {
    yield message
  }
  const method = route.method as DescMethodServerStreaming
  const answer = await transport.stream(method, signal, undefined, headersOf(call), input())
  for await (const part of answer.message) {
    const { head, data } = chunkOf(part)
    if (head && !response.headersSent) {
      if (answerNotModified(call, head)) return
      writeHead(call, head)
    }
    if (request.method === 'HEAD') break
    if (data.length > 0 && !response.write(data)) await once(response, 'drain', { signal })
  }
  response.end()
}

/** Forwards the range to the service, which knows the file's size and version. HEAD needs no bytes, so no range. */
function headersOf({ request, requestId }: RestCall): Record<string, string> {
  const headers = rpcHeaders(request, requestId)
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch, 'if-modified-since': since } = request.headers
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch
  if (since !== undefined) headers['if-modified-since'] = since
  if (request.method === 'HEAD') return { ...headers, 'x-http-method': 'HEAD' }
  if (range !== undefined) headers['range'] = range
  if (typeof ifRange === 'string') headers['if-range'] = ifRange
  return headers
}

/** The FileChunk in a response message's only message field. */
function chunkOf(message: Message): FileChunk {
  const chunk = (message as { chunk?: FileChunk }).chunk
  if (!chunk) throw new Error(`${message.$typeName} carries no chunk`)
  return chunk
}

function answerNotModified({ request, response }: RestCall, head: FileHead): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers
  const isKnown =
    tags === undefined ? isUnmodifiedSince(since, head) : head.etag !== '' && matchesEtag(tags, `"${head.etag}"`)
  if (!isKnown) return false
  response.status(304)
  writeValidators({ response }, head)
  response.end()
  return true
}

/** Dates have whole seconds; an invalid one doesn't count. */
function isUnmodifiedSince(since: string | undefined, { lastModified }: FileHead): boolean {
  return lastModified !== undefined && Number(lastModified.seconds) * 1000 <= Date.parse(since ?? '')
}

/** The headers that a 304 repeats, so that caches refresh their entries. */
function writeValidators({ response }: Pick<RestCall, 'response'>, head: FileHead): void {
  response.setHeader('Cache-Control', head.cacheControl || 'no-store')
  if (head.etag) response.setHeader('ETag', `"${head.etag}"`)
  if (head.lastModified) response.setHeader('Last-Modified', timestampDate(head.lastModified).toUTCString())
}

/** A document opened in a browser runs nothing and loads nothing. */
const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
/** Files shown in the browser's own viewer: allowed from here, and in frames of this origin only. */
const viewerPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
const viewerTypes = /^(application\/pdf|audio\/|video\/)/

function writeHead({ response }: RestCall, head: FileHead): void {
  const { range } = head
  if (range?.unsatisfiable) {
    response.setHeader('Content-Range', `bytes */${range.totalSize}`)
    throw new RpcError('RangeNotSatisfiableError', 416, Code.OutOfRange, 'The file has no such range')
  }
  response.statusCode = range ? 206 : 200
  writeValidators({ response }, head)
  response.setHeader('Content-Type', head.contentType)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const isViewed = !head.attachment && viewerTypes.test(head.contentType)
  response.setHeader('Content-Security-Policy', isViewed ? viewerPolicy : sandboxPolicy)
  if (head.takesRanges) response.setHeader('Accept-Ranges', 'bytes')
  if (head.size !== undefined) response.setHeader('Content-Length', head.size.toString())
  if (range)
    response.setHeader(
      'Content-Range',
      `bytes ${range.start}-${range.start + (head.size ?? 0n) - 1n}/${range.totalSize}`,
    )
  if (head.fileName || head.attachment)
    response.setHeader(
      'Content-Disposition',
      contentDisposition(head.attachment ? 'attachment' : 'inline', head.fileName),
    )
  response.flushHeaders()
}
