import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { type HotelSettingsUpdated, HotelSettingsUpdatedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { type BusMessage, claimEvent, readBody } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { fromJson } from '../../kernel/json/decode.ts'
import type { Context } from '../context.ts'
import { findHotelWorkspace, lockWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { updateWorkspace } from '../workspaces/sql.ts'

const durable = 'member-changed-profiles'

/** A changed language or time zone of a hotel's profile becomes that of the hotel's own workspace [D562]. */
export const changedProfiles = ({ db }: Pick<Context, 'db'>) => ({
  durable,
  subject: 'platform.hotel.settings_updated',
  // Each change builds on the previous one.
  inOrder: true,
  async handle({ id: eventId, body }: BusMessage): Promise<void> {
    const event = readBody('changed settings', () =>
      fromJson(HotelSettingsUpdatedSchema, (body as { payload: JsonValue }).payload),
    )
    const changes = inheritedChanges(event)
    if (changes.length === 0) return
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, eventId))) return
      for (const ecosystemId of event.hotelIds) {
        const hotelWorkspace = await findHotelWorkspace(trx, { ecosystemId })
        if (!hotelWorkspace) continue
        const tenant = systemTenant(hotelWorkspace.id, ecosystemId, 'the profile of its hotel was changed')
        const { settings } = await lockWorkspace(trx, tenant)
        const storedSettings: JsonObject = JSON.parse(settings ?? '{}')
        const values = valuesToInherit(storedSettings, changes)
        if (values.length === 0) continue
        const changedSettings = { ...storedSettings, ...Object.fromEntries(values) }
        await updateWorkspace(trx, tenant, { settings: JSON.stringify(changedSettings) })
      }
    })
  },
})

type Change = { key: string; value: JsonValue; previous: JsonValue }

/** The changes that concern a workspace. */
function inheritedChanges({ changes = {}, previous: before = {} }: HotelSettingsUpdated): Change[] {
  return ['language', 'timezone'].flatMap(key => {
    const [value, previous] = [changes[key], before[key]]
    return value === undefined || previous === undefined ? [] : [{ key, value, previous }]
  })
}

/** A workspace takes a value where it has none or the previous one; any other was set by its people. */
const valuesToInherit = (settings: JsonObject, changes: Change[]): [key: string, value: JsonValue][] =>
  changes
    .filter(({ key, previous }) => !settings[key] || settings[key] === previous)
    .map(({ key, value }) => [key, value])
