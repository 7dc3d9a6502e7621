import type { Selectable } from 'kysely'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { liveMemberships } from '../memberships/live.sql.ts'
import { hotelsOf } from '../people/hotels.sql.ts'
import type { Trx } from '../rows.ts'
import type { Members } from '../tables.ts'

type Place = { workspace_id: string; ecosystem_id: string }

/** Whether a member without an account has more than the workspace of one invitation, pending memberships included. */
export async function opensMore(trx: Trx, { id, is_super_admin }: Selectable<Members>, at: Place): Promise<boolean> {
  if (is_super_admin === 1) return true
  const workspaces = await liveMemberships(trx, [id])
  if (workspaces.some(one => one.workspace_id !== at.workspace_id)) return true
  const ecosystems = await hotelsOf(trx, id)
  const isHere = workspaces.length > 0
  return ecosystems.some(one => one.ecosystem_id !== at.ecosystem_id || (one.role !== 'member' && !isHere))
}

/** ConflictError for an account whose e-mail address is unverified. */
export async function requireVerified(client: Runtime['client'], userId: string): Promise<void> {
  const { emailVerified } = await client(AccountService).getAccountState({ userId })
  if (!emailVerified)
    throw new ConflictError('Confirm the address first, with the link sent to it, then accept the invitation again')
}
