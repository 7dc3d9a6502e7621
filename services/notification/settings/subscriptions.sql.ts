import { newId } from '../../kernel/base/ids.ts'
import { exempt, inTransaction, retryContention } from '../../kernel/database/database.ts'
import type { DeviceRow, NotificationDb, NotificationTrx, PushLane } from '../tables.ts'

/** A device that receives pushes. */
export type Device = { id: string; memberId: string; lane: PushLane }

/** Active devices of these members for pushes of a workspace. */
export async function devicesOf(
  db: NotificationDb,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<Device[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['id', 'member_id', 'platform'])
    .where('workspace_id', 'in', [workspaceId, ''])
    .where('member_id', 'in', memberIds)
    .where('is_active', '=', 1)
    .execute()
  return rows.map(row => ({ id: row.id, memberId: row.member_id, lane: row.platform }))
}

type NewDevice = Pick<
  DeviceRow,
  | 'member_id'
  | 'workspace_id'
  | 'device_token'
  | 'device_type'
  | 'platform'
  | 'app_version'
  | 'device_model'
  | 'os_version'
> &
  Partial<Pick<DeviceRow, 'p256dh' | 'auth' | 'session_id'>>

/** Devices of a member. */
const mostDevices = 20

/**
 * Registers a token, or moves it to its new owner under a new id, so that pending pushes for the former owner are
 * dropped. Beyond the limit, the member's device used longest ago is removed.
 */
export async function registerDevice(db: NotificationDb, device: NewDevice): Promise<DeviceRow> {
  // Locked until it is read: another caller may register the same token concurrently.
  const row = await inTransaction(db, async trx => {
    await upsertDevice(trx, device)
    return trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('member_id', '=', device.member_id)
      .where('device_token', '=', device.device_token)
      .executeTakeFirstOrThrow()
  })
  await removeSurplus(db, device.member_id)
  return row
}

/** Registers the browser of a session, in place of the one that the session had. */
export async function registerBrowser(
  db: NotificationDb,
  browser: Pick<NewDevice, 'member_id' | 'device_token' | 'p256dh' | 'auth'> & { session_id: string },
): Promise<void> {
  const { member_id, device_token, session_id } = browser
  const noVersions = { app_version: null, device_model: null, os_version: null }
  await registerDevice(db, { ...browser, ...noVersions, workspace_id: '', device_type: 'web', platform: 'webpush' })
  await removeBrowsers(db, member_id, session_id, device_token)
}

/** Removes the browsers of a member's session, except the one with a token. */
export async function removeBrowsers(
  db: NotificationDb,
  memberId: string,
  sessionId: string,
  exceptToken = '',
): Promise<void> {
  const deletion = db
    .deleteFrom('subscriptions')
    .where('member_id', '=', memberId)
    .where('session_id', '=', sessionId)
    .where('device_token', '<>', exceptToken)
  await retryContention(() => deletion.execute())
}

/** Removes a member's devices beyond the limit. Without locks: concurrent calls remove the same ones. */
async function removeSurplus(db: NotificationDb, memberId: string): Promise<void> {
  const surplusDevices = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('member_id', '=', memberId)
    .orderBy('is_active', 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(mostDevices)
    .execute()
  const ids = surplusDevices.map(({ id }) => id).toSorted()
  if (ids.length === 0) return
  await retryContention(() =>
    db.deleteFrom('subscriptions').where('member_id', '=', memberId).where('id', 'in', ids).execute(),
  )
}

async function upsertDevice(trx: NotificationTrx, device: NewDevice): Promise<void> {
  const now = new Date()
  const { p256dh = null, auth = null, session_id = null } = device
  const keys = { p256dh, auth, session_id }
  const values = { ...device, ...keys, id: newId(), is_active: 1, last_used_at: now, created_at: now }
  await trx
    .insertInto('subscriptions')
    .values(values)
    .onDuplicateKeyUpdate(eb => ({
      // The order matters: MySQL assigns left to right, and the owner is compared before it changes.
      id: eb
        .case()
        .when(eb.ref('subscriptions.member_id'), '=', device.member_id)
        .then(eb.ref('subscriptions.id'))
        .else(values.id)
        .end(),
      created_at: eb
        .case()
        .when(eb.ref('subscriptions.member_id'), '=', device.member_id)
        .then(eb.ref('subscriptions.created_at'))
        .else(now)
        .end(),
      member_id: device.member_id,
      workspace_id: device.workspace_id,
      device_type: device.device_type,
      platform: device.platform,
      app_version: device.app_version,
      device_model: device.device_model,
      os_version: device.os_version,
      ...keys,
      is_active: 1,
      last_used_at: now,
    }))
    .execute()
}

/** Without browsers, which are no part of the documented list. */
export const devicesOfMember = (db: NotificationDb, memberId: string): Promise<DeviceRow[]> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('platform', '<>', 'webpush')
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()

/**
 * Removes a device of a member.
 * @returns the id of the removed subscription; undefined when the member has no such device
 */
export async function removeDevice(
  db: NotificationDb,
  memberId: string,
  deviceToken: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('member_id', '=', memberId)
    .where('device_token', '=', deviceToken)
    .executeTakeFirst()
  if (!row) return undefined
  const deletion = db.deleteFrom('subscriptions').where('member_id', '=', memberId).where('id', '=', row.id)
  const { numDeletedRows } = await deletion.executeTakeFirstOrThrow()
  // Of two concurrent calls, only one removes it.
  return numDeletedRows > 0n ? row.id : undefined
}

/** Deactivates tokens that the provider has refused for good. Browsers are removed: they get another address. */
export async function retireDevices(db: NotificationDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const allTenants = exempt(db, 'provider refusals name tokens, not tenants')
  await allTenants
    .deleteFrom('subscriptions')
    .where('id', 'in', ids.toSorted())
    .where('platform', '=', 'webpush')
    .execute()
  await allTenants.updateTable('subscriptions').set({ is_active: 0 }).where('id', 'in', ids.toSorted()).execute()
}

/** Records the last use of devices. */
export async function touchDevices(db: NotificationDb, ids: readonly string[], usedAt: Date): Promise<void> {
  if (ids.length === 0) return
  await exempt(db, 'deliveries of many tenants are settled together')
    .updateTable('subscriptions')
    .set({ last_used_at: usedAt })
    .where('id', 'in', ids.toSorted())
    .execute()
}
