import { type QueryExecutorProvider, sql } from 'kysely'
import { newId } from '../base/ids.ts'
import { isDuplicateKey } from '../database/database.ts'
import { withRenewal } from '../database/lease.ts'

/** Seconds after which a claim that isn't renewed is abandoned: its process died. */
const claimSeconds = 60
/** Hours that an answer is kept. */
const answerHours = 24

export type Claim = { id: string; claim: string }

/** The state of a key: claimed by this call, running elsewhere, or answered. */
type KeyState =
  | { kind: 'claimed'; claim: Claim }
  | { kind: 'running' }
  | { kind: 'answered'; answer: string }
  /** The key belongs to another request. */
  | { kind: 'other' }

type Row = { request: string; claim: string; answer: string | null; isExpired: number }

/**
 * Claims a key for a request, or returns its state. Of concurrent processes one gets the claim.
 * @param requests digests of the request, one for each live key, the current one first
 */
export async function claimKey(db: QueryExecutorProvider, id: string, requests: string[]): Promise<KeyState> {
  const claim = newId()
  const [request] = requests
  const claimedState: KeyState = { kind: 'claimed', claim: { id, claim } }
  try {
    await sql`insert into idempotency_keys (id, request, claim) values (${id}, ${request}, ${claim})`.execute(db)
    return claimedState
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
  const { rows } = await sql<Row>`
    select request, claim, answer,
      claimed_at < now(3) - interval if(answer is null, ${claimSeconds}, ${answerHours * 3600}) second as isExpired
    from idempotency_keys where id = ${id}
  `.execute(db)
  const row = rows[0]
  // Deleted between the two statements: its run was refused just now.
  if (!row) return { kind: 'running' }
  if (row.isExpired) {
    const { numAffectedRows } = await sql`
      update idempotency_keys set claim = ${claim}, request = ${request}, answer = null, claimed_at = now(3)
      where id = ${id} and claim = ${row.claim}
    `.execute(db)
    return numAffectedRows === 1n ? claimedState : { kind: 'running' }
  }
  if (!requests.includes(row.request)) return { kind: 'other' }
  return row.answer === null ? { kind: 'running' } : { kind: 'answered', answer: row.answer }
}

/**
 * Runs a request that holds a claim. It holds it however long it runs, also after its caller got a timeout: a
 * repetition in between must not run beside it.
 * @param ms how long the claim lasts without a renewal
 */
export const whileClaimed = <R>(
  db: QueryExecutorProvider,
  { id, claim }: Claim,
  run: () => Promise<R>,
  ms = claimSeconds * 1_000,
): Promise<R> =>
  withRenewal(
    ms,
    () => sql`update idempotency_keys set claimed_at = now(3) where id = ${id} and claim = ${claim}`.execute(db),
    () => undefined,
    run,
  )

/** Stores the answer of a run that still holds its claim. */
export async function storeAnswer(db: QueryExecutorProvider, { id, claim }: Claim, answer: string): Promise<void> {
  await sql`update idempotency_keys set answer = ${answer} where id = ${id} and claim = ${claim}`.execute(db)
}

/** Releases a key: its run was refused and has created nothing. */
export async function releaseKey(db: QueryExecutorProvider, { id, claim }: Claim): Promise<void> {
  await sql`delete from idempotency_keys where id = ${id} and claim = ${claim}`.execute(db)
}
