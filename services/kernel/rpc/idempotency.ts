import {
  create,
  type DescMethodUnary,
  fromBinary,
  getOption,
  hasOption,
  type Message,
  toBinary,
} from '@bufbuild/protobuf'
import type { Interceptor, UnaryRequest, UnaryResponse } from '@connectrpc/connect'
import type { QueryExecutorProvider } from 'kysely'
import { http } from '../../../gen/google/api/annotations_pb.ts'
import { rest } from '../../../gen/platform/options/v1/options_pb.ts'
import { assertSettled, openAgain, type Opened, openedBy } from '../access/access.ts'
import { actorKey } from '../access/actor.ts'
import { ConflictError, invalid, UnprocessableError } from '../base/errors.ts'
import { claimKey, type Claim, keepAnswer, releaseKey } from './idempotency.sql.ts'
import { requestHeader, responseHeaders } from './in-process.ts'
import type { Log } from '../process/log.ts'
import { quotaFields } from './limits/quota.ts'
import { type Cipher, digest, keyedDigest } from '../base/secrets.ts'

export type Idempotency = {
  db: QueryExecutorProvider
  /** Seals kept answers: some carry tokens and secrets that are stored nowhere else. */
  box: Cipher
  /** Keys of the digests of requests, the present one first: some carry passwords, which a plain digest would give away. */
  keys: string[]
  log: Log
  /** Creating methods with a mechanism of their own. */
  except?: readonly DescMethodUnary[] | undefined
}

const form = /^[\x21-\x7e]{1,255}$/
const created = 201
/** In place of an answer that could not be kept; nothing opens it. */
const lost = ''

/**
 * Makes creating routes repeatable: a request that comes again under its Idempotency-Key, from the same caller, within a
 * day, gets the first answer and makes nothing, as long as the caller may still have it. A refused request has made
 * nothing, so its key is free again.
 */
export function idempotent({ db, box, keys, log, except = [] }: Idempotency): Interceptor {
  return next => async request => {
    if (request.stream) return next(request)
    const key = requestHeader(request, 'idempotency-key')
    if (key === undefined || !creates(request.method) || except.includes(request.method)) return next(request)
    if (!form.test(key)) throw invalid('Idempotency-Key', 'has 1 to 255 visible ASCII characters', 'string.pattern')

    const id = digest(`${callerOf(request)}\n${nameOf(request)}\n${key}`)
    const found = await claimKey(db, id, digestsOf(request, keys))
    if (found.kind === 'other') throw new UnprocessableError('This Idempotency-Key was used for another request')
    if (found.kind === 'running')
      throw new ConflictError('A request with this Idempotency-Key is running', { retryAfterSeconds: 1 })
    if (found.kind === 'answered') return replay(request, box, found.answer)

    const answer = (await next(request).catch((error: unknown) => released(found.claim, error))) as UnaryResponse
    // The record exists; an answer that could not be kept must not look like one that failed.
    await keep(request, found.claim, answer).catch((err: unknown) => log.warn({ err }, 'an answer could not be kept'))
    return answer
  }

  /** Keeps an answer, or else that there was one: its key must neither wait for it nor run again. */
  async function keep(request: UnaryRequest, claim: Claim, answer: UnaryResponse): Promise<void> {
    try {
      await keepAnswer(db, claim, seal(request, box, answer))
    } catch (error) {
      await keepAnswer(db, claim, lost)
      throw error
    }
  }

  async function released(claim: Claim, error: unknown): Promise<never> {
    await releaseKey(db, claim).catch((err: unknown) => log.warn({ err }, 'a key could not be given back'))
    throw error
  }
}

const creates = (method: DescMethodUnary): boolean =>
  hasOption(method, http) && getOption(method, rest).status === created

const nameOf = ({ method }: UnaryRequest): string => `${method.parent.typeName}/${method.name}`

/** Who sent the key. People without a credential are told apart by their address. */
function callerOf(request: UnaryRequest): string {
  const actor = request.contextValues.get(actorKey)
  if (actor.kind === 'person') return `user ${actor.claims.userId}`
  if (actor.kind === 'credential') return `credential ${requestHeader(request, 'x-api-key')}`
  const onBehalfOf = actor.kind === 'service' ? (actor.onBehalfOf?.userId ?? '') : ''
  return `${actor.kind} ${onBehalfOf} ${requestHeader(request, 'x-client-ip')}`
}

function digestsOf({ method, message }: UnaryRequest, keys: string[]): string[] {
  const text = Buffer.from(toBinary(method.input, message)).toString('base64')
  return keys.map(key => keyedDigest(key, `request:${text}`))
}

/** Bound to nothing but its row: the answer's message and the headers that its handler set. */
function seal({ method, contextValues }: UnaryRequest, box: Cipher, answer: UnaryResponse): string {
  // An answer that lacks its access check is refused further out, and must not be kept either.
  assertSettled(contextValues)
  const message = create(method.output, answer.message as Message)
  const bytes = Buffer.from(toBinary(method.output, message)).toString('base64')
  const kept = [...(responseHeaders(answer) ?? [])].filter(([name]) => !quotaFields.includes(name))
  return box.seal(JSON.stringify({ bytes, headers: kept, access: openedBy(contextValues) } satisfies Kept))
}

/** A kept answer, with what its caller had to be let into. */
type Kept = { bytes: string; headers: [string, string][]; access: Opened }

async function replay(request: UnaryRequest, box: Cipher, answer: string): Promise<UnaryResponse> {
  const { service, method, contextValues } = request
  const opened = box.open(answer)
  if (opened === undefined) throw new ConflictError('The answer to this Idempotency-Key can no longer be read')
  const { bytes, headers, access } = JSON.parse(opened) as Kept
  // Somebody may have been suspended, or lost the right, since they were given this very answer.
  await openAgain(contextValues, access)
  return {
    stream: false,
    service,
    method,
    header: new Headers(headers),
    trailer: new Headers(),
    message: fromBinary(method.output, Buffer.from(bytes, 'base64')),
  }
}
