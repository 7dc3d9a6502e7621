import { create, fromJson, toJsonString } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  type CreateHotelRequest,
  CreateHotelRequestSchema,
  type CreateHotelResponse,
  CreateHotelResponseSchema,
} from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { eventActorOf } from '../../kernel/access/access.ts'
import { actorKey } from '../../kernel/access/actor.ts'
import { InternalServerError, invalid, UnprocessableError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Context, HotelDependencies } from '../context.ts'
import { requireReferences } from '../references/references.sql.ts'
import { parseState } from '../sagas/leased-run.ts'
import { stepsOf } from '../sagas/runs.sql.ts'
import type { NewHotel, SagaInput } from '../sagas/saga.ts'
import { awaitOutcome, openRun, runToEnd } from '../sagas/worker.ts'

type Parts = Pick<Context, 'dependencies' | 'sagas' | 'creation'>

/** POST /hotel/add: validates everything before the first effect, then runs the nine steps. */
export async function createHotel(parts: Parts, request: CreateHotelRequest, context: HandlerContext) {
  const { dependencies, sagas, creation } = parts
  const key = keyOf(context)
  const requestDigest = digest(toJsonString(CreateHotelRequestSchema, create(CreateHotelRequestSchema, request)))
  const earlierRun = key && (await runOfKey(dependencies, key))
  if (earlierRun) return answerRepeated(parts, earlierRun, requestDigest)

  await requireReferences(dependencies.db, request)
  const input = await inputOf(dependencies, request)
  const run = { hotelId: newId(), input, actor: eventActorOf(context), idempotencyKey: key, requestDigest }
  try {
    const lease = await inTransaction(dependencies.db, trx => openRun(sagas, trx, creation, run))
    await runToEnd(sagas, lease)
    return await answerOf(dependencies, lease.id)
  } catch (error) {
    const earlierRun = isDuplicateKey(error) && key ? await runOfKey(dependencies, key) : undefined
    if (!earlierRun) throw error
    return answerRepeated(parts, earlierRun, requestDigest)
  }
}

async function inputOf({ callService, plans }: HotelDependencies, request: CreateHotelRequest): Promise<SagaInput> {
  const { administrator } = request
  if (!administrator) throw invalid('administrator', 'is required', 'required')
  const slug = request.subscription?.plan ?? 'premium'
  const { data } = await callService('The payment service', options => plans.listPlans({}, options))
  const plan = data.find(candidate => candidate.slug === slug)
  if (!plan) throw invalid('subscription.plan', 'is not an available plan', 'string.in')
  const { email, firstName, lastName } = administrator
  const { productId, storageQuota } = plan
  const hotel: NewHotel = {
    address: request.address ?? null,
    city: request.city ?? null,
    country: request.country ?? null,
    phone: request.phone ?? null,
    email: request.email ?? null,
    website: request.website ?? null,
    groupId: request.groupId ?? null,
    typeId: request.typeId ?? null,
    settingId: request.settingId ?? null,
    administrator: { email, firstName, lastName },
    plan: { slug, productId, storageQuota },
  }
  return { name: request.name, hotel }
}

/** Digest of the caller and their Idempotency-Key; undefined without one. */
function keyOf(context: HandlerContext): string | undefined {
  const key = context.requestHeader.get('idempotency-key')
  if (key === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid('Idempotency-Key', 'must have 1 to 255 visible ASCII characters', 'string.pattern')
  const actor = context.values.get(actorKey)
  return digest(`${actor.kind === 'person' ? actor.claims.userId : actor.kind} ${key}`)
}

type EarlierRun = { id: string; request_digest: string | null }

const runOfKey = ({ db }: HotelDependencies, key: string): Promise<EarlierRun | undefined> =>
  db.selectFrom('hotel_setups').select(['id', 'request_digest']).where('idempotency_key', '=', key).executeTakeFirst()

async function answerRepeated({ dependencies, sagas }: Parts, earlierRun: EarlierRun, requestDigest: string) {
  if (earlierRun.request_digest !== requestDigest)
    throw new UnprocessableError('This Idempotency-Key was used for another request')
  await awaitOutcome(sagas, earlierRun.id)
  return answerOf(dependencies, earlierRun.id)
}

/** The response that the last step stored: the hotel may have changed since. */
async function answerOf({ db }: HotelDependencies, runId: string): Promise<CreateHotelResponse> {
  const lastStep = (await stepsOf(db, [runId])).at(-1)
  const { answer } = parseState(lastStep?.result ?? null)
  if (answer === undefined) throw new InternalServerError('the answer of a completed setup is missing')
  return fromJson(CreateHotelResponseSchema, answer)
}
