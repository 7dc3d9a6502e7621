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
import { assertSettled, type OpenedTenants, openedTenants, reopenTenants } from '../access/access.ts'
import { actorKey } from '../access/actor.ts'
import { ConflictError, invalid, UnprocessableError } from '../base/errors.ts'
import { type Cipher, digest, keyedDigest } from '../base/secrets.ts'
import type { Log } from '../process/log.ts'
import { type Claim, claimKey, releaseKey, storeAnswer, whileClaimed } from './idempotency.sql.ts'
import { answerKey } from './implement.ts'
import { requestHeader, responseHeaders } from './in-process.ts'
import { quotaFields } from './limits/quota.ts'

export type Idempotency = {
  db: QueryExecutorProvider
  /** Seals stored answers: some carry tokens and secrets that are stored nowhere else. */
  answerCipher: Cipher
  /**
   * Keys of the requests' digests, the current one first: some requests carry passwords, which a plain digest would
   * reveal.
   */
  keys: string[]
  log: Log
  /** Creating methods with their own mechanism. */
  except?: readonly DescMethodUnary[] | undefined
}

const keyPattern = /^[\x21-\x7e]{1,255}$/
const createdStatus = 201
/** Headers of the protocol that the first call spoke; a repetition may speak another. */
const protocolHeader = /^(content|grpc|connect)-/
/** Stands for an answer that couldn't be stored; it can't be decrypted. */
const unreadableAnswer = ''

/**
 * Makes creating routes repeatable: the same request of the same caller under its Idempotency-Key gets the first answer
 * for a day and creates nothing, while the caller still has access. A refused request has created nothing, so
 * its key is released.
 */
export function idempotent({ db, answerCipher, keys, log, except = [] }: Idempotency): Interceptor {
  return next => async request => {
    if (request.stream) return next(request)
    const key = requestHeader(request, 'idempotency-key')
    if (key === undefined || !creates(request.method) || except.includes(request.method)) return next(request)
    if (!keyPattern.test(key))
      throw invalid('Idempotency-Key', 'must have 1 to 255 visible ASCII characters', 'string.pattern')

    const id = digest(`${callerOf(request)}\n${nameOf(request)}\n${key}`)
    const keyState = await claimKey(db, id, digestsOf(request, keys))
    if (keyState.kind === 'other') throw new UnprocessableError('This Idempotency-Key was used for another request')
    if (keyState.kind === 'running')
      throw new ConflictError('A request with this Idempotency-Key is in progress', { retryAfterSeconds: 1 })
    if (keyState.kind === 'answered') {
      await replay(request, answerCipher, keyState.answer)
      return next(request)
    }

    const { claim } = keyState
    const claimedRun = whileClaimed(db, claim, async () => next(request))
    const answer = (await claimedRun.catch((error: unknown) => releaseAndRethrow(claim, error))) as UnaryResponse
    // The record exists, so a failure to store the answer must not fail the request.
    await storeSealedAnswer(request, claim, answer).catch((err: unknown) =>
      log.warn({ err }, 'response not stored for its Idempotency-Key'),
    )
    return answer
  }

  /** Stores the answer, or else a mark that there was one: the key must neither block nor run again. */
  async function storeSealedAnswer(request: UnaryRequest, claim: Claim, answer: UnaryResponse): Promise<void> {
    try {
      await storeAnswer(db, claim, seal(request, answerCipher, answer))
    } catch (error) {
      await storeAnswer(db, claim, unreadableAnswer)
      throw error
    }
  }

  async function releaseAndRethrow(claim: Claim, error: unknown): Promise<never> {
    await releaseKey(db, claim).catch((err: unknown) => log.warn({ err }, 'Idempotency-Key not released'))
    throw error
  }
}

const creates = (method: DescMethodUnary): boolean =>
  hasOption(method, http) && getOption(method, rest).status === createdStatus

const nameOf = ({ method }: UnaryRequest): string => `${method.parent.typeName}/${method.name}`

/** Identifies the sender of a key; anonymous callers by their address. */
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

/** Seals the answer's message and the headers that its handler set, without binding them to the row. */
function seal({ method, contextValues }: UnaryRequest, cipher: Cipher, answer: UnaryResponse): string {
  // An answer without its access check is refused by an outer interceptor, and must not be stored either.
  assertSettled(contextValues)
  const message = create(method.output, answer.message as Message)
  const bytes = Buffer.from(toBinary(method.output, message)).toString('base64')
  const storedHeaders = [...(responseHeaders(answer) ?? [])].filter(
    ([name]) => !quotaFields.includes(name) && !protocolHeader.test(name),
  )
  return cipher.seal(
    JSON.stringify({ bytes, headers: storedHeaders, access: openedTenants(contextValues) } satisfies SealedAnswer),
  )
}

/** A stored answer, with the tenants that its caller needed access to. */
type SealedAnswer = { bytes: string; headers: [string, string][]; access: OpenedTenants }

/** Answers with the stored answer instead of calling the handler. */
async function replay({ method, contextValues }: UnaryRequest, cipher: Cipher, answer: string): Promise<void> {
  const storedText = cipher.open(answer)
  if (storedText === undefined) throw new ConflictError('The answer to this Idempotency-Key can no longer be read')
  const { bytes, headers, access } = JSON.parse(storedText) as SealedAnswer
  // The caller may have been suspended, or have lost the right, since the first answer.
  await reopenTenants(contextValues, access)
  contextValues.set(answerKey, ({ responseHeader }) => {
    for (const [name, value] of headers) responseHeader.set(name, value)
    return fromBinary(method.output, Buffer.from(bytes, 'base64'))
  })
}
