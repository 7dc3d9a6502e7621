import type { JsonObject } from '@bufbuild/protobuf'
import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { HotelUpdatedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import type { UpdateHotelRequest } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { ecosystemOf, eventActorOf, isPlatformCaller, openTenantsOf } from '../../kernel/access/access.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { emit } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { pagesOf } from '../../kernel/rpc/paging.ts'
import { auditHotel } from '../audit.ts'
import type { Context, HotelDependencies } from '../context.ts'
import { continueLifeRun, exclusiveKey } from '../deletion/life-run.ts'
import { findHotel, hotelsOfSetting, lockHotel, writeHotel } from '../hotels.sql.ts'
import { requireReferences } from '../references/references.sql.ts'
import { publishExchange } from '../references/setting-events.ts'
import { enqueueRun, openRun } from '../sagas/worker.ts'
import type { HotelChange, HotelRow } from '../tables.ts'

/** The fields that may be changed: name in the mask → column and name in the body. */
const fields = {
  name: ['name', 'name'],
  address: ['address', 'address'],
  city: ['city', 'city'],
  country: ['country', 'country'],
  phone: ['phone', 'phone'],
  email: ['email', 'email'],
  website: ['website', 'website'],
  group_id: ['group_id', 'groupId'],
  setting_id: ['setting_id', 'settingId'],
  type_id: ['type_id', 'typeId'],
  is_active: ['is_active', 'isActive'],
} as const
type Path = keyof typeof fields

const isPath = (path: string): path is Path => Object.hasOwn(fields, path)
/** Others may send these with the value they have. */
const platformOnly = ['group_id', 'is_active'] as const
const requiredPaths = new Set<Path>(['name', 'is_active'])

type Parts = Pick<Context, 'dependencies' | 'renaming' | 'suspension' | 'reopening' | 'sagas'>

/**
 * PATCH /hotel/update/:id. A new name starts a durable run that renames the chat application, and another activity one
 * that closes the hotel for its people or opens it.
 */
export async function updateHotel(
  { dependencies, renaming, suspension, reopening, sagas }: Parts,
  request: UpdateHotelRequest,
  context: HandlerContext,
) {
  const { db } = dependencies
  const id = ecosystemOf(context).ecosystemId
  const { columns, changes } = changesOf(request)
  if (!isPlatformCaller(context)) checkPlatformFields(columns, await findHotel(db, id))
  await checkReferences(dependencies, columns, context)
  if (Object.keys(columns).length > 0) {
    const actor = eventActorOf(context)
    const receiverIds = await administratorsOf(dependencies, id)
    const pendingLease = inTransaction(db, async trx => {
      const before = await lockHotel(trx, id)
      if (!before) throw new NotFoundError('Hotel not found')
      if (!isPlatformCaller(context)) checkPlatformFields(columns, before)
      await requireReferences(trx, {
        groupId: columns.group_id,
        typeId: columns.type_id,
        settingId: columns.setting_id,
      })
      await writeHotel(trx, id, columns)
      const name = columns.name ?? before.name
      await emit(
        trx,
        HotelUpdatedSchema,
        { id, hotelId: id, changes, name },
        {
          workspaceId: before.workspace ?? '',
          ecosystemId: id,
          workspaceName: name,
          channels: ['socket'],
          actor,
          receiverIds: receiverIds.filter(memberId => memberId !== actor.id),
        },
      )
      if (columns.setting_id !== undefined)
        await publishExchange(trx, { hotelId: id, before: before.setting_id, after: columns.setting_id }, actor)
      if (name !== before.name && before.chat_app_id !== null)
        await enqueueRun(sagas, trx, renaming, { hotelId: id, input: { name }, actor })
      const { is_active: isActive = before.is_active } = columns
      if (isActive === before.is_active) return undefined
      const action = isActive === 1 ? 'reopened' : 'suspended'
      const values = { before: { isActive: before.is_active === 1 }, after: { isActive: isActive === 1 } }
      await auditHotel(trx, { hotelId: id, actor, action, ...values })
      const saga = isActive === 1 ? reopening : suspension
      return openRun(sagas, trx, saga, { hotelId: id, input: { name }, actor, exclusiveKey })
    })
    await continueLifeRun(sagas, pendingLease)
  }
  const after = await findHotel(db, id)
  if (!after) throw new NotFoundError('Hotel not found')
  const changedFields = { paths: request.updateMask?.paths ?? [] }
  return { id, ...withoutNulls(changes), changed: changedFields, updatedAt: timestamp(after.updated_at) }
}

function checkPlatformFields(
  columns: HotelChange,
  present: Pick<HotelRow, (typeof platformOnly)[number]> | undefined,
): void {
  const isChanged = (column: (typeof platformOnly)[number]): boolean =>
    columns[column] !== undefined && columns[column] !== present?.[column]
  if (platformOnly.some(isChanged)) throw new ForbiddenError()
}

function changesOf(request: UpdateHotelRequest) {
  const columns: HotelChange = {}
  const changes: JsonObject = {}
  for (const path of request.updateMask?.paths ?? []) {
    if (!isPath(path)) throw invalid(path, 'cannot be changed', 'unknown_field')
    const [column, key] = fields[path]
    const value = request[key]
    if (value === undefined && requiredPaths.has(path)) throw invalid(key, 'cannot be cleared', 'required')
    Object.assign(columns, { [column]: typeof value === 'boolean' ? Number(value) : (value ?? null) })
    changes[key] = value ?? null
  }
  return { columns, changes }
}

/** Callers who aren't platform administrators may assign only the profile of a hotel that they administer. */
async function checkReferences(
  { db }: HotelDependencies,
  columns: HotelChange,
  context: HandlerContext,
): Promise<void> {
  await requireReferences(db, { groupId: columns.group_id, typeId: columns.type_id, settingId: columns.setting_id })
  if (!columns.setting_id || isPlatformCaller(context)) return
  const administeredHotelIds = openTenantsOf(context)
    .ecosystems.filter(one => one.isOwner || one.role === 'admin' || one.permissions.includes('manage_ecosystem'))
    .map(one => one.ecosystemId)
  const users = await hotelsOfSetting(db, columns.setting_id)
  if (!users.some(id => administeredHotelIds.includes(id))) throw new NotFoundError('Setting not found')
}

/**
 * The administrators to notify of a change. Empty when the member service is down, which doesn't prevent the change.
 */
async function administratorsOf({ callService, members }: HotelDependencies, hotelId: string): Promise<string[]> {
  const list = (after: string | undefined) => (options: CallOptions) =>
    members.listHotelMemberIds({ hotelId, isActive: true, isAdmin: true, after }, options)
  const adminIds: string[] = []
  try {
    for await (const page of pagesOf(after => callService('The member service', list(after), { patienceMs: 3_000 })))
      adminIds.push(...page.members.map(({ id }) => id))
  } catch {
    return []
  }
  return adminIds
}

/** The changed fields with a value; cleared ones are left out. */
const withoutNulls = (changes: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
