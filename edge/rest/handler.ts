import type { DescMethodUnary, DescService, Message } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import type { Request, RequestHandler, Response } from 'express'
import { Body, Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import { NotFoundError, RpcError } from '../../services/kernel/base/errors.ts'
import { encoderOf, type Json } from '../../services/kernel/json/encode.ts'
import { nameSpan } from '../../services/kernel/process/tracing.ts'
import type { HeaderCheck } from '../../services/kernel/rpc/door/handlers.ts'
import { bodyLimits } from '../../services/kernel/rpc/door/size.ts'
import { responseHeaders } from '../../services/kernel/rpc/in-process.ts'
import { sendError } from '../http/errors.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { readJson } from './body.ts'
import type { CountRefusal } from './broken.ts'
import type { RestCall } from './call.ts'
import { rpcHeaders } from './credentials.ts'
import { sendFile } from './download.ts'
import { matcher } from './match.ts'
import { partsMethodOf, sendParts } from './parts.ts'
import { nameIgnored } from './query.ts'
import { withoutReadBack } from './read-back.ts'
import { requestMessage } from './request.ts'
import { type Route, routesOf } from './routes.ts'
import { receiveUpload } from './upload/upload.ts'

/** Called for every call that has matched a route, or at least its path, before it is processed. */
export type Notice = (route: Route, request: Request, response: Response) => void

type Options = {
  /** May set headers, which are part of every answer. */
  notice?: Notice
  /** Checks a call's credentials, and refuses it before its body is read. */
  checkHeaders?: HeaderCheck
  /** Counts a refused call; returns the error to send, possibly a 429. */
  countRefusal?: CountRefusal
  /** Maximum size of an uploaded file, in bytes. */
  maxFileBytes?: number
}

/** Serves the REST routes of some services; any other path is a 404, any other verb a 405. */
export function restHandler(
  services: DescService[],
  transportOf: (service: DescService) => Transport,
  {
    notice = () => undefined,
    checkHeaders = () => undefined,
    countRefusal = async ({ thrown }) => thrown,
    maxFileBytes = 0,
  }: Options = {},
): RequestHandler {
  const routes = services.flatMap(routesOf)
  const match = matcher(routes)
  const transports = new Map(services.map(service => [service, transportOf(service)]))

  return async (request, response) => {
    const requestId = requestIdFrom(request)
    let dialect: Dialect | undefined
    let matchedRoute: Route | undefined
    try {
      const mark = request.url.indexOf('?')
      const path = mark < 0 ? request.url : request.url.slice(0, mark)
      const query = mark < 0 ? '' : request.url.slice(mark + 1)
      const matchResult = match(request.method === 'HEAD' ? 'GET' : request.method, path)
      if (matchResult.kind === 'none') throw new NotFoundError(`No route ${path}`)
      if (matchResult.kind === 'wrong-verb') {
        const allowedMatch = match(matchResult.allowed[0] ?? '', path)
        if (allowedMatch.kind === 'route') {
          dialect = allowedMatch.route.restOptions.dialect
          if (request.method !== 'OPTIONS') notice(allowedMatch.route, request, response)
        }
        return refuseVerb(request, response, matchResult.allowed)
      }
      const { route, values } = matchResult
      dialect = route.restOptions.dialect
      matchedRoute = route
      nameSpan(`${route.verb} ${route.path}`, { 'http.route': route.path, 'platform.request_id': requestId })
      notice(route, request, response)
      nameIgnored(route, query, response)
      const transport = transports.get(route.method.parent)
      if (!transport) throw new NotFoundError()
      const headers = rpcHeaders(request, requestId)
      await checkHeaders(route.method, name => headers[name])
      await serve({ route, values, query, transport, request, response, requestId, maxFileBytes })
    } catch (error) {
      const answer = { set: response.setHeader.bind(response) }
      const thrown = matchedRoute
        ? await countRefusal({ path: matchedRoute.path, address: request.ip, thrown: error, answer })
        : error
      sendError(response, thrown, requestId, dialect)
    }
  }
}

/** Headers that a handler may set on its answer; all others belong to the transport. */
const answerHeaders = new Set([
  'content-disposition',
  'age',
  'cache-control',
  'deprecation',
  'etag',
  'link',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'warning',
])

async function serve(call: RestCall): Promise<void> {
  const { route, values, query, transport, request, response, requestId } = call
  const { method, restOptions } = route
  if (restOptions.request === Body.MULTIPART) return sendMessage(call, await receiveUpload(call))
  const body = route.hasBody ? await readJson(request, response, bodyLimits(method)) : undefined
  const message = requestMessage(route, values, query, await withoutReadBack(call, body))
  if (restOptions.response === Body.FILE) return sendFile(call, message)
  const parts = partsMethodOf(route, message)
  if (parts) return sendParts(call, parts, message)
  if (method.methodKind !== 'unary') throw new Error(`${method.name} cannot be served as JSON`)
  const answer = await transport.unary(
    method as DescMethodUnary,
    undefined,
    undefined,
    rpcHeaders(request, requestId),
    message,
  )
  responseHeaders(answer)?.forEach((value, name) => {
    if (answerHeaders.has(name)) response.setHeader(name, value)
  })
  sendMessage(call, answer.message)
}

/** Writes a message as the documented JSON body. */
function sendMessage({ route, request, response }: RestCall, message: Message): void {
  const bytes = Buffer.from(JSON.stringify(jsonBody(route, message)))
  response.statusCode = route.restOptions.status || 200
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', bytes.length)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function jsonBody({ method, responseField }: Route, message: Message): Json {
  const json = encoderOf(method.output)(message)
  return responseField ? (json[responseField.jsonName] ?? null) : json
}

/** Answers OPTIONS, and refuses verbs other than the given ones with a 405 and Allow. */
export function refuseVerb(request: Request, response: Response, verbs: string[]): void {
  const allowedVerbs = [...verbs, ...(verbs.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  response.setHeader('Allow', allowedVerbs)
  if (request.method === 'OPTIONS') {
    response.status(204).end()
    return
  }
  throw new RpcError(
    'MethodNotAllowedError',
    405,
    12,
    `${request.method} is not allowed here; allowed: ${allowedVerbs}`,
  )
}
