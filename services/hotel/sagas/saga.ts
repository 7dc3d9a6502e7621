import type { EventActor } from '../../kernel/bus/events.ts'
import type { Trx } from '../tables.ts'

/** What POST /hotel/add was asked for, as the run keeps it. */
export type NewHotel = {
  address: string | null
  city: string | null
  country: string | null
  phone: string | null
  email: string | null
  website: string | null
  groupId: string | null
  typeId: string | null
  settingId: string | null
  administrator: { email: string; firstName: string; lastName: string }
  plan: { slug: string; productId: string; storageQuota: number }
}

export type SagaInput = { name: string; hotel?: NewHotel }

/** What the steps of a run gave. */
export type SagaState = {
  qrLink?: string
  chat?: { appId: string; token: string; region: string }
  workspaceId?: string
  customerId?: string
  trialEndsAt?: string | null
  /** Whether the subscription of a restored hotel is in force. */
  isPaid?: boolean
  administrator?: { id: string; email: string }
  /** Who was in the hotel when it was deleted. */
  memberIds?: string[]
}

/** A run as its steps see it. */
export type Run = {
  readonly id: string
  readonly hotelId: string
  readonly input: SagaInput
  readonly actor: EventActor
  /** Results of all steps so far. */
  state: SagaState
  /** Tries of the running step: above 1, an earlier one may have had its effect. */
  attempt: number
  /** First start of the running step, by the database's clock. */
  startedAt: Date
  /** The same for every try of the running step. */
  idempotencyKey: string
  /** Stores a part of the running step's result before the step is over. */
  keep(part: SagaState): Promise<void>
}

/** One step: an effect outside, which may be tried several times, and what it means in this database. */
export type Step = {
  name: string
  /** Names what no two steps may be at work on at once. */
  claim?(run: Run): string
  perform?(run: Run): Promise<SagaState>
  /** In the transaction that records the result. */
  record?(trx: Trx, run: Run): Promise<void>
  /** Takes the effect back, whether or not it took place. */
  undo?(run: Run): Promise<void>
  /** In the transaction that records the undoing. */
  unrecord?(trx: Trx, run: Run): Promise<void>
  /** Steps that must be undone before this one. */
  undoAfter?: readonly string[]
}

/** A procedure. On failure it is undone, or tried again until it succeeds. */
export type Saga = { kind: string; onFailure: 'undo' | 'retry'; steps: readonly Step[] }

/** The run belongs to another process now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}
