import type { Invitation } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { ConflictError, ForbiddenError, GoneError } from '../kernel/base/errors.ts'
import { normalEmail } from './addresses.rules.ts'
import type { UserRow } from './users.sql.ts'

type Names = { firstName?: string | undefined; lastName?: string | undefined }

/** ConflictError for a used or cancelled invitation, GoneError for an expired one. */
export function assertOpen({ status }: Pick<Invitation, 'status'>): void {
  if (status === 'expired') throw new GoneError('Invitation expired')
  if (status !== 'pending') throw new ConflictError(`Invitation ${status} already`)
}

/** ForbiddenError for anybody but the invited person. */
export function assertInvited(user: Pick<UserRow, 'email'>, { email }: Pick<Invitation, 'email'>): void {
  if (normalEmail(email) !== user.email) throw new ForbiddenError('The invitation is for another email')
}

/** Names that were given; a blank one is none, and the invitation's holds. */
export const namesIn = ({ firstName, lastName }: Names): Names => ({
  firstName: firstName?.trim() || undefined,
  lastName: lastName?.trim() || undefined,
})
