import { randomInt } from 'node:crypto'
import { AuthenticationResetRequestedSchema } from '../../../gen/platform/events/v1/authentication_pb.ts'
import { inTransaction } from '../../kernel/database.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { digest, keyedDigest, newToken, sameSecret } from '../../kernel/secrets.ts'
import { normalEmail } from '../addresses.rules.ts'
import { frontLink } from '../../kernel/front-link.ts'
import { lifetimes } from '../config.ts'
import { insertReset, openResetOf, type ResetRow, voidResets } from '../password-resets.sql.ts'
import { aroundAccount } from '../user-events.ts'
import { userByEmail } from '../users.sql.ts'
import { failure, isRequired } from './codes.ts'
import { countGuess, uncountGuess, voidGuessed } from './guesses.sql.ts'
import type { LegacyParts } from './legacy-parts.ts'
import { logUser } from './user-logs.ts'

/** The sixth wrong code voids the request. */
const guessesPerRequest = 6

/**
 * A code of six digits has a million values: without the key its digest could be searched. One digest for each key
 * that is live, the present one first.
 */
const codeDigests = ({ config }: LegacyParts, requestId: string, code: string): string[] =>
  config.storageKeys.map(key => keyedDigest(key, `reset-code:${requestId}:${code}`))

/**
 * Steps 1 to 4 of the legacy reset procedure. An unknown e-mail gets a request of nobody by the same statements, and
 * a mail that goes nowhere.
 */
export async function requestReset(parts: LegacyParts, typed: string): Promise<{ code: string; token: string }> {
  const { db, config, mails, resetBox, stored } = parts
  const email = normalEmail(typed)
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const now = new Date()
  const expiresAt = new Date(now.getTime() + lifetimes.legacyReset)
  const token = resetBox.seal(JSON.stringify({ email, jti: newToken(), exp: Math.floor(expiresAt.getTime() / 1000) }))
  const user = await userByEmail(db, email)
  const receiver = user?.is_active ? user : undefined
  const id = newId()
  await inTransaction(db, async trx => {
    await voidResets(trx, email, 'legacy', now)
    await insertReset(trx, {
      id,
      kind: 'legacy',
      email,
      user_id: receiver?.id ?? null,
      token_digest: digest(token),
      code_digest: codeDigests(parts, id, code)[0] ?? null,
      sealed_token: stored.seal(token),
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    })
    const link = frontLink(config.FRONT_BASE_URL, config.FRONT_RESET_PASSWORD_SUFFIX, token)
    const variables = { link, token, code, email, firstName: receiver?.first_name ?? '', expiresIn: '24 h' }
    await mails.queue(trx, { slug: 'password_reset_code', to: email, variables }, !receiver)
    await emit(trx, AuthenticationResetRequestedSchema, { id, email }, aroundAccount)
    await logUser(trx, { level: 'info', message: 'reset requested', userId: receiver?.id, meta: { requestId: id } })
  })
  return { code, token }
}

type Proof = { code?: string | undefined; token?: string | undefined }

/** The open request of an e-mail whose code, token or both fit, whichever are given. MSG_606 otherwise. */
export async function proveReset(parts: LegacyParts, typed: string, { code, token }: Proof): Promise<ResetRow> {
  const { db } = parts
  if (code === undefined && token === undefined) throw failure('MSG_606', [isRequired('code')])
  const email = normalEmail(typed)
  const request = await openResetOf(db, email, 'legacy', new Date())
  if (!request) throw failure('MSG_606')
  if (token !== undefined && !sameSecret(digest(token), request.token_digest)) throw failure('MSG_606')
  if (code !== undefined) {
    // Counted before it is compared, so that guesses at the same moment are counted too.
    const isCounted = await countGuess(db, request.id, guessesPerRequest)
    const stored = request.code_digest ?? ''
    if (!isCounted || !codeDigests(parts, request.id, code).some(each => sameSecret(each, stored))) {
      await voidGuessed(db, request.id, guessesPerRequest)
      throw failure('MSG_606')
    }
    await uncountGuess(db, request.id)
  }
  if (!request.user_id) throw failure('MSG_606')
  return request
}

/** The encrypted token of a request, for the client to hand back. */
export const tokenOf = ({ stored }: LegacyParts, request: ResetRow): string =>
  stored.open(request.sealed_token ?? '') ?? ''
