import { once } from 'node:events'
import { create, type DescMethodServerStreaming, isFieldSet, type Message } from '@bufbuild/protobuf'
import { encoderOf, type JsonObject } from '../../services/kernel/json/encode.ts'
import type { RestCall } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import { whileConnected } from './download.ts'
import type { Route } from './routes.ts'

/** The streaming method of a route, if it has one that accepts all of the request. */
export function partsMethodOf({ method, restOptions }: Route, message: Message): DescMethodServerStreaming | undefined {
  if (!restOptions.inParts) return undefined
  const partsMethod = method.parent.methods.find(one => one.name === restOptions.inParts)
  if (partsMethod?.methodKind !== 'server_streaming')
    throw new Error(`${method.name}: no ${restOptions.inParts} that streams`)
  const fieldNames = new Set(partsMethod.input.fields.map(field => field.localName))
  const isWhole = method.input.fields.every(field => fieldNames.has(field.localName) || !isFieldSet(message, field))
  return isWhole ? (partsMethod as DescMethodServerStreaming) : undefined
}

/**
 * Writes a streamed list as one JSON body, no faster than the client reads it; only a part is in memory at a time. The
 * first field of each part is the list; the others are those of the last part.
 */
export const sendParts = (call: RestCall, method: DescMethodServerStreaming, message: Message): Promise<void> =>
  whileConnected(call, signal => streamParts(call, method, message, signal))

async function streamParts(call: RestCall, method: DescMethodServerStreaming, message: Message, signal: AbortSignal) {
  const { transport, request, response, requestId } = call
  const fieldNames = new Set(method.input.fields.map(field => field.localName))
  const input = create(
    method.input,
    Object.fromEntries(Object.entries(message).filter(([name]) => fieldNames.has(name))),
  )
  async function* requestMessages() {
    yield input
  }
  const answer = await transport.stream(method, signal, undefined, rpcHeaders(request, requestId), requestMessages())
  const encode = encoderOf(method.output)
  const list = method.output.fields[0]?.jsonName ?? ''
  const isHead = request.method === 'HEAD'
  let pendingPart: JsonObject | undefined
  let itemCount = 0
  const writeText = async (text: string) => {
    if (!response.write(text)) await once(response, 'drain', { signal })
  }
  /** The items of a part, appended to earlier ones. */
  const itemsJson = (part: JsonObject): string => {
    const partItems = part[list] as unknown[]
    const before = itemCount > 0 && partItems.length > 0 ? ',' : ''
    itemCount += partItems.length
    return before + JSON.stringify(partItems).slice(1, -1)
  }

  for await (const part of answer.message) {
    if (pendingPart) {
      if (!response.headersSent) writeHeaders(call)
      if (isHead) break
      await writeText((itemCount === 0 ? `{${JSON.stringify(list)}:[` : '') + itemsJson(pendingPart))
    }
    pendingPart = encode(part)
  }
  if (!pendingPart) throw new Error(`${method.name} answered nothing`)
  if (!response.headersSent) {
    // A single part is a normal answer.
    const bytes = Buffer.from(JSON.stringify(pendingPart))
    response.setHeader('Content-Length', bytes.length)
    writeHeaders(call)
    response.end(isHead ? undefined : bytes)
    return
  }
  const { [list]: _all, ...otherFields } = pendingPart
  const otherFieldsJson = JSON.stringify(otherFields).slice(1)
  response.end(isHead ? undefined : `${itemsJson(pendingPart)}]${otherFieldsJson === '}' ? '' : ','}${otherFieldsJson}`)
}

function writeHeaders({ route, response }: RestCall): void {
  response.statusCode = route.restOptions.status || 200
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.flushHeaders()
}
