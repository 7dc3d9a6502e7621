import { randomInt } from 'node:crypto'
import type { Transaction } from 'kysely'
import { AuthenticationResetRequestedSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { frontLink } from '../../../kernel/base/front-link.ts'
import { newId } from '../../../kernel/base/ids.ts'
import { digest, newToken, sameSecret } from '../../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../../kernel/base/text.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { lifetimes } from '../../config.ts'
import { insertReset, openResetsOf, type ResetRow } from '../../passwords/resets.sql.ts'
import type { AuthTables } from '../../tables.ts'
import { aroundAccount } from '../../users/events.ts'
import { userByEmail } from '../../users/users.sql.ts'
import { failure, isRequired } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { countGuess, uncountGuess, voidGuessed } from './guesses.sql.ts'

/** The sixth wrong code voids the open requests. */
const guessesPerPerson = 6
const hour = 3_600_000
/** A code that is valid for at least this long is mailed again instead of a new one. */
const reusableMs = lifetimes.legacyReset / 2

type Proofs = { id: string; code: string; token: string; expiresAt: Date }

/**
 * Steps 1 to 4 of the legacy reset. A repeated request mails the existing code: a new one would void it or double the
 * chance of a guess. An unknown e-mail runs the same statements, with a request without a user and a mail that is never
 * sent.
 */
export async function requestReset(parts: LegacyContext, typedEmail: string): Promise<{ code: string; token: string }> {
  const { db, config, mails } = parts
  const email = normalizeEmail(typedEmail)
  const now = new Date()
  const user = await userByEmail(db, email)
  const receiver = user?.is_active ? user : undefined
  const userId = receiver?.id ?? null
  return inTransaction(db, async trx => {
    const openResets = await openResetsOf(trx, email, 'legacy', new Date(now.getTime() + reusableMs))
    const reusableProofs = openResets.filter(row => row.user_id === userId).map(row => proofsOf(parts, row))
    const { id, code, token, expiresAt } =
      reusableProofs.find(Boolean) ?? (await newRequest(parts, trx, { email, userId, now }))
    const link = frontLink(config.FRONT_BASE_URL, config.FRONT_RESET_PASSWORD_SUFFIX, token)
    const expiresIn = `${Math.floor((expiresAt.getTime() - now.getTime()) / hour)} h`
    const variables = { link, token, code, email, firstName: receiver?.first_name ?? '', expiresIn }
    await mails.queue(trx, { slug: 'password_reset_code', to: email, variables }, !receiver)
    await emit(trx, AuthenticationResetRequestedSchema, { id, email }, aroundAccount)
    await logUser(trx, { level: 'info', message: 'reset requested', userId: receiver?.id, meta: { requestId: id } })
    return { code, token }
  })
}

type NewRequest = { email: string; userId: string | null; now: Date }

async function newRequest(
  { resetBox, storedSecretCipher }: LegacyContext,
  trx: Transaction<AuthTables>,
  { email, userId, now }: NewRequest,
): Promise<Proofs> {
  const id = newId()
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const expiresAt = new Date(now.getTime() + lifetimes.legacyReset)
  const token = resetBox.seal(JSON.stringify({ email, jti: newToken(), exp: Math.floor(expiresAt.getTime() / 1000) }))
  await insertReset(trx, {
    id,
    kind: 'legacy',
    email,
    user_id: userId,
    token_digest: digest(token),
    sealed_code: storedSecretCipher.seal(code),
    sealed_token: storedSecretCipher.seal(token),
    expires_at: expiresAt,
    created_at: now,
    updated_at: now,
  })
  return { id, code, token, expiresAt }
}

/** Code and token of a request; undefined when they were sealed with other keys. */
function proofsOf({ storedSecretCipher }: LegacyContext, row: ResetRow): Proofs | undefined {
  const [code, token] = [row.sealed_code, row.sealed_token].map(sealed => storedSecretCipher.open(sealed ?? ''))
  return code && token ? { id: row.id, code, token, expiresAt: row.expires_at } : undefined
}

type Proof = { code?: string | undefined; token?: string | undefined }

/**
 * The open request of an e-mail that matches the given code, token or both. MSG_606 otherwise, TooManyRequestsError
 * after too many wrong codes.
 */
export async function proveReset(parts: LegacyContext, typedEmail: string, { code, token }: Proof): Promise<ResetRow> {
  const { db, limits } = parts
  if (code === undefined && token === undefined) throw failure('MSG_606', [isRequired('code')])
  const find = async () => {
    const openResets = await openResetsOf(db, normalizeEmail(typedEmail), 'legacy', new Date())
    const candidates =
      token === undefined ? openResets : openResets.filter(row => sameSecret(digest(token), row.token_digest))
    return code === undefined || candidates.length === 0
      ? candidates[0]
      : findByCode(parts, { openResets, candidates, code })
  }
  const request = await (code === undefined ? find() : limits.findByCode(typedEmail, find))
  if (!request?.user_id) throw failure('MSG_606')
  return request
}

/** The request of a code. A wrong code counts against every open request, since guesses are limited per person. */
async function findByCode(
  parts: LegacyContext,
  { openResets, candidates, code }: { openResets: ResetRow[]; candidates: ResetRow[]; code: string },
): Promise<ResetRow | undefined> {
  const { db } = parts
  const countedRows = new Set<ResetRow>()
  // Counts before comparing, so that concurrent guesses are counted too.
  for (const row of openResets) if (await countGuess(db, row.id, guessesPerPerson)) countedRows.add(row)
  const request = candidates.find(row => countedRows.has(row) && sameSecret(code, proofsOf(parts, row)?.code ?? ''))
  for (const row of openResets) {
    if (!request) await voidGuessed(db, row.id, guessesPerPerson)
    else if (countedRows.has(row)) await uncountGuess(db, row.id)
  }
  return request
}

/** The encrypted token of a request, which the client sends back. */
export const tokenOf = ({ storedSecretCipher }: LegacyContext, request: ResetRow): string =>
  storedSecretCipher.open(request.sealed_token ?? '') ?? ''
