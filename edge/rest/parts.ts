import { once } from 'node:events'
import { create, type DescMethodServerStreaming, isFieldSet, type Message } from '@bufbuild/protobuf'
import { encoderOf, type JsonObject } from '../../services/kernel/json/encode.ts'
import type { Call } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import { whileAsked } from './download.ts'
import type { Route } from './routes.ts'

/** The streaming method of a route, if it has one that accepts all of the request. */
export function partsOf({ method, rest }: Route, message: Message): DescMethodServerStreaming | undefined {
  if (!rest.inParts) return undefined
  const parts = method.parent.methods.find(one => one.name === rest.inParts)
  if (parts?.methodKind !== 'server_streaming') throw new Error(`${method.name}: no ${rest.inParts} that streams`)
  const known = new Set(parts.input.fields.map(field => field.localName))
  const isWhole = method.input.fields.every(field => known.has(field.localName) || !isFieldSet(message, field))
  return isWhole ? (parts as DescMethodServerStreaming) : undefined
}

/**
 * Writes a streamed list as one JSON body, no faster than the client reads it; only a part is in memory at a time. The
 * first field of each part is the list; the others are those of the last part.
 */
export const sendParts = (call: Call, method: DescMethodServerStreaming, message: Message): Promise<void> =>
  whileAsked(call, gone => write(call, method, message, gone))

async function write(call: Call, method: DescMethodServerStreaming, message: Message, gone: AbortSignal) {
  const { transport, request, response, requestId } = call
  const known = new Set(method.input.fields.map(field => field.localName))
  const input = create(method.input, Object.fromEntries(Object.entries(message).filter(([name]) => known.has(name))))
  async function* only() {
    yield input
  }
  const answer = await transport.stream(method, gone, undefined, rpcHeaders(request, requestId), only())
  const encode = encoderOf(method.output)
  const list = method.output.fields[0]?.jsonName ?? ''
  const isHead = request.method === 'HEAD'
  let held: JsonObject | undefined
  let written = 0
  const send = async (text: string) => {
    if (!response.write(text)) await once(response, 'drain', { signal: gone })
  }
  /** The items of a part, appended to earlier ones. */
  const items = (part: JsonObject): string => {
    const each = part[list] as unknown[]
    const before = written > 0 && each.length > 0 ? ',' : ''
    written += each.length
    return before + JSON.stringify(each).slice(1, -1)
  }

  for await (const part of answer.message) {
    if (held) {
      if (!response.headersSent) begin(call)
      if (isHead) break
      await send((written === 0 ? `{${JSON.stringify(list)}:[` : '') + items(held))
    }
    held = encode(part)
  }
  if (!held) throw new Error(`${method.name} answered nothing`)
  if (!response.headersSent) {
    // A single part is a normal answer.
    const bytes = Buffer.from(JSON.stringify(held))
    response.setHeader('Content-Length', bytes.length)
    begin(call)
    response.end(isHead ? undefined : bytes)
    return
  }
  const { [list]: _all, ...others } = held
  const rest = JSON.stringify(others).slice(1)
  response.end(isHead ? undefined : `${items(held)}]${rest === '}' ? '' : ','}${rest}`)
}

function begin({ route, response }: Call): void {
  response.statusCode = route.rest.status || 200
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  response.flushHeaders()
}
