import { toJson } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions } from '@connectrpc/connect'
import { HotelCreatedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { StorageMediaSchema } from '../../../gen/platform/events/v1/storage_pb.ts'
import { CreateHotelResponseSchema } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { ExternalServiceError, InternalServerError, invalid, toRpcError } from '../../kernel/base/errors.ts'
import { emit, emitBare } from '../../kernel/bus/events.ts'
import { auditHotel } from '../audit.ts'
import { chatStep } from '../chat/steps.ts'
import type { HotelDependencies } from '../context.ts'
import { findHotelInSetup, removeHotel, writeHotel } from '../hotels.sql.ts'
import { toCreated } from '../message.ts'
import { requireReferences } from '../references/references.sql.ts'
import type { NewHotel, Saga, SagaRun, SagaStep } from '../sagas/saga.ts'
import { qrCodeStep } from './qr-code-step.ts'

const memberService = 'The member service'
const paymentService = 'The payment service'

/**
 * The nine steps of POST /hotel/add, in the order of docs/contract.md. No event is published before the last one.
 */
export const creation = (dependencies: HotelDependencies): Saga => ({
  kind: 'create',
  onFailure: 'undo',
  steps: [
    validation(dependencies),
    record,
    qrCodeStep(dependencies),
    chatStep(dependencies),
    workspace(dependencies),
    storage,
    payment(dependencies),
    administrator(dependencies),
    event(dependencies),
  ],
})

function newHotelOf(run: SagaRun): NewHotel {
  if (!run.input.hotel) throw new InternalServerError(`run ${run.id} has no input`)
  return run.input.hotel
}

const validation = ({ db }: HotelDependencies): SagaStep => ({
  name: 'validate',
  async perform(run) {
    await requireReferences(db, newHotelOf(run))
    return {}
  },
})

const record: SagaStep = {
  name: 'record',
  async record(trx, run) {
    const hotel = newHotelOf(run)
    await requireReferences(trx, hotel)
    const { address, city, country, phone, email, website, groupId, typeId, settingId } = hotel
    const place = { address, city, country, phone, email, website }
    const links = { group_id: groupId, type_id: typeId, setting_id: settingId }
    await trx
      .insertInto('hotels')
      .values({ id: run.hotelId, name: run.input.name, ...place, ...links })
      .execute()
  },
  unrecord: (trx, run) => removeHotel(trx, run.hotelId),
}

const workspace = ({ db, callService, workspaces }: HotelDependencies): SagaStep => ({
  name: 'workspace',
  undoAfter: ['administrator'],
  async perform({ hotelId, input }) {
    const profile = await db
      .selectFrom('hotel_settings')
      .select(['timezone', 'language'])
      .where('id', '=', input.hotel?.settingId ?? '')
      .executeTakeFirst()
    const language = /^[a-z]{2}(-[A-Z]{2})?$/.test(profile?.language ?? '') ? profile?.language : undefined
    const workspaceRequest = {
      hotelId,
      name: input.name,
      ...(profile && { timezone: profile.timezone }),
      ...(language !== undefined && { language }),
    }
    const answer = await callService(memberService, options =>
      workspaces.createHotelWorkspace(workspaceRequest, options),
    )
    if (!answer.workspace) throw new ExternalServiceError(`${memberService} failed`)
    return { workspaceId: answer.workspace.id }
  },
  record: (trx, run) => writeHotel(trx, run.hotelId, { workspace: run.state.workspaceId ?? null }),
  async undo({ hotelId }) {
    await callService(memberService, options => workspaces.removeHotelWorkspace({ hotelId }, options))
  },
})

/** A placeholder: the last step's event sets the quota, so a failed set-up has nothing to undo. */
const storage: SagaStep = { name: 'storage' }

/** The address for invoices, with the request field that it comes from. */
function payer(run: SagaRun) {
  const { email, administrator: first } = newHotelOf(run)
  return email ? { field: 'email', email } : { field: 'administrator.email', email: first.email }
}

const payment = ({ callService, customers, subscriptions }: HotelDependencies): SagaStep => {
  const customerOf = async (run: SagaRun): Promise<string> => {
    const { hotelId, input, idempotencyKey } = run
    const { email, field } = payer(run)
    const request = { hotelId, email, name: input.name, idempotencyKey: `${idempotencyKey}:customer` }
    const create = (options: CallOptions) => customers.createCustomer(request, options)
    const { customer } = await callService(paymentService, create, { passOn: true }).catch((error: unknown) => {
      const [violation] = toRpcError(error).info.violations
      // A refusal by the provider uses the caller's field name; any other error is a failure of the provider.
      if (violation?.path === 'email') throw invalid(field, violation.message, violation.rule)
      throw new ExternalServiceError(`${paymentService} failed`, { cause: error })
    })
    if (!customer) throw new ExternalServiceError(`${paymentService} failed`)
    return customer.id
  }
  return {
    name: 'payment',
    async perform(run) {
      const customerId = await customerOf(run)
      await run.keep({ customerId })
      const { productId } = newHotelOf(run).plan
      const request = { customerId, productId, idempotencyKey: `${run.idempotencyKey}:subscription` }
      const { subscription } = await callService(paymentService, options =>
        subscriptions.assignSubscription(request, options),
      )
      if (!subscription) throw new ExternalServiceError(`${paymentService} failed`)
      const end = subscription.trialEndsAt
      return { customerId, trialEndsAt: end ? timestampDate(end).toISOString() : null }
    },
    async record(trx, run) {
      const { customerId = null, trialEndsAt } = run.state
      const end = trialEndsAt ? new Date(trialEndsAt) : null
      await writeHotel(trx, run.hotelId, { payment_customer_id: customerId, trial_ends_at: end })
    },
    async undo(run) {
      const request = { hotelId: run.hotelId, email: payer(run).email }
      await callService(paymentService, options => customers.removeHotelCustomer(request, options))
    },
  }
}

const administrator = ({ callService, members }: HotelDependencies): SagaStep => ({
  name: 'administrator',
  async perform(run) {
    const person = { ...newHotelOf(run).administrator, hotelId: run.hotelId, dashboardAccess: true, isAdmin: true }
    const { member } = await callService(memberService, options => members.addHotelMember(person, options), {
      passOn: true,
    })
    if (!member) throw new ExternalServiceError(`${memberService} failed`)
    return { administrator: { id: member.id, email: member.email } }
  },
  async undo(run) {
    const { email } = newHotelOf(run).administrator
    await callService(memberService, options => members.removeHotelMember({ hotelId: run.hotelId, email }, options))
  },
})

/** Subscription status of a new hotel. */
const openStatus = 'active'

const missingResult = () => new InternalServerError('the setup lacks a result')

const event = ({ db }: HotelDependencies): SagaStep => ({
  name: 'event',
  async perform({ hotelId, state }) {
    const hotel = await findHotelInSetup(db, hotelId)
    if (!hotel || !state.administrator) throw missingResult()
    const answer = toCreated({ ...hotel, subscription_status: openStatus }, state.administrator)
    return { answer: toJson(CreateHotelResponseSchema, answer) }
  },
  async record(trx, { hotelId, input, state, actor }) {
    const { plan } = input.hotel ?? {}
    const { administrator: first, workspaceId = '' } = state
    if (!plan || !first) throw missingResult()
    const status = { subscription_status: openStatus, plan: plan.slug, ready_at: new Date() }
    await writeHotel(trx, hotelId, status)
    await emitBare(trx, StorageMediaSchema, {
      ecosystemId: hotelId,
      payload: { maxSize: plan.storageQuota, unit: 'MO' },
    })
    await emit(
      trx,
      HotelCreatedSchema,
      { id: hotelId, hotelId, name: input.name, adminId: first.id },
      {
        workspaceId,
        ecosystemId: hotelId,
        workspaceName: input.name,
        channels: ['push', 'socket'],
        actor,
        receiverIds: [first.id],
      },
    )
    await auditHotel(trx, { hotelId, actor, action: 'created', after: { name: input.name, plan: plan.slug } })
  },
})
