import type { Trx } from '../tables.ts'
import { insertEntries } from './sql.ts'
import type { AuditChange, AuditValues } from './values.ts'

/**
 * Records changes in the running transaction. Only fields that differ are stored, and a change without a difference is
 * skipped. Without a tenant, the change concerns no single workspace.
 */
export async function audit(
  trx: Trx,
  tenant: { workspaceId: string } | undefined,
  changes: AuditChange | AuditChange[],
): Promise<void> {
  const recordedChanges = [changes].flat().map(difference).filter(isChange)
  if (recordedChanges.length > 0) await insertEntries(trx, tenant?.workspaceId ?? null, recordedChanges)
}

function difference(change: AuditChange): AuditChange {
  const { before, after } = change
  if (!before || !after) return change
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (values: AuditValues) => Object.fromEntries(names.map(name => [name, values[name] ?? null]))
  return { ...change, before: pick(before), after: pick(after) }
}

const isChange = ({ before, after }: AuditChange): boolean => !before || !after || Object.keys(after).length > 0

type Place = { workspace_id: string; is_veiled: number }

/** Records a change of a member in each given workspace whose invitation they have accepted. */
export async function auditMember(trx: Trx, places: Place[], change: AuditChange): Promise<void> {
  const acceptedPlaces = places.filter(one => one.is_veiled === 0)
  if (acceptedPlaces.length === 0) await audit(trx, undefined, change)
  for (const { workspace_id: workspaceId } of acceptedPlaces) await audit(trx, { workspaceId }, change)
}
