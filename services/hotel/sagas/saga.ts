import type { JsonValue } from '@bufbuild/protobuf'
import type { EventActor } from '../../kernel/bus/events.ts'
import type { HotelTrx } from '../tables.ts'

/** The request of POST /hotel/add, as the run stores it. */
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

/** Results of a run's steps. */
export type SagaState = {
  qrLink?: string
  chat?: { appId: string; token: string; region: string }
  workspaceId?: string
  customerId?: string
  trialEndsAt?: string | null
  /** Whether the subscription of a restored hotel is active. */
  isPaid?: boolean
  administrator?: { id: string; email: string }
  /** The response to POST /hotel/add, which a repeated Idempotency-Key gets again. */
  answer?: JsonValue
  /** Members of the hotel when it was deleted. */
  memberIds?: string[]
}

/** A run, as its steps see it. */
export type SagaRun = {
  readonly id: string
  readonly hotelId: string
  readonly input: SagaInput
  readonly actor: EventActor
  /** Results of all steps so far. */
  state: SagaState
  /** Attempts of the running step: above 1, an earlier one may have had its effect. */
  attempt: number
  /** First start of the running step, by the database's clock. */
  startedAt: Date
  /** Equal for every attempt of the running step. */
  idempotencyKey: string
  /** Stores a part of the running step's result before the step ends. */
  keep(part: SagaState): Promise<void>
}

/** One step: an effect outside, possibly repeated, and its record in this database. */
export type SagaStep = {
  name: string
  /** A name under which only one step may run at a time. */
  claim?(run: SagaRun): string
  perform?(run: SagaRun): Promise<SagaState>
  /** In the transaction that records the result. */
  record?(trx: HotelTrx, run: SagaRun): Promise<void>
  /** Reverts the effect, whether or not it took place. */
  undo?(run: SagaRun): Promise<void>
  /** In the transaction that records the undo. */
  unrecord?(trx: HotelTrx, run: SagaRun): Promise<void>
  /** Steps that must be undone before this one. */
  undoAfter?: readonly string[]
}

/** A procedure. After a failure it is undone, or retried until it succeeds. */
export type Saga = { kind: string; onFailure: 'undo' | 'retry'; steps: readonly SagaStep[] }
