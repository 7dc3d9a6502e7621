import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { AccountService, type Asker } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import {
  MemberService,
  type UpdateMemberRequest,
  UpdateMemberRequestSchema,
} from '../../../gen/platform/member/v1/members_pb.ts'
import { eventActorOf } from '../../kernel/access/access.ts'
import { askerOf, authorizeAsker } from '../../kernel/access/asker.ts'
import { ConflictError, ForbiddenError, GoneError, NotFoundError, toRpcError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import type { Context } from '../context.ts'
import { findByEmail } from '../people/sql.ts'
import { isAllowed } from '../rights/grants.ts'
import type { Db } from '../tables.ts'
import { type Reach, reachMember, settableHotels } from '../workspace-memberships/reach.ts'
import { checkUpdateRights } from './rights.ts'

const emailOnly = new Set(['email'])

/**
 * Checks the right of the asker of an address again, as if they called UpdateMember now [R57]. GoneError.
 * @returns the asker, as the actor of the change
 */
export async function recheckAsker(
  { db, rights }: Pick<Context, 'db' | 'rights'>,
  asker: Asker,
  memberId: string,
  context: HandlerContext,
): Promise<EventActor> {
  try {
    const request = create(UpdateMemberRequestSchema, { id: memberId })
    const values = await authorizeAsker(asker, MemberService.method.updateMember, request, rights)
    const asAsker: HandlerContext = { ...context, values }
    await checkAddressRights(db, asAsker, memberId)
    return eventActorOf(asAsker)
  } catch (error) {
    const isRefusal = error instanceof ForbiddenError || error instanceof NotFoundError
    throw isRefusal ? new GoneError('The asker may no longer set this address') : error
  }
}

async function checkAddressRights(db: Db, context: HandlerContext, memberId: string): Promise<void> {
  const reach = await reachMember(db, context, memberId, 'manage_members')
  await checkUpdateRights(db, context, reach, emailOnly, settableHotels(reach))
}

/**
 * Has an account's new address confirmed by its mailbox. Holds no lock: auth calls this service with its account locked.
 * @returns the address that waits; undefined when the record itself has it, in whatever spelling, or has no account
 */
export async function requestAddress(
  { db, client }: Context,
  { member }: Reach,
  { email, currentPassword }: UpdateMemberRequest,
  context: HandlerContext,
): Promise<string | undefined> {
  if (!email || !member.user_id) return undefined
  const isMoving = normalizeEmail(email) !== member.live_email
  if (isMoving && (await findByEmail(db, email))) throw addressTaken()
  await client(AccountService).changeUserEmail({
    userId: member.user_id,
    email,
    asker: askerOf(context),
    currentPassword,
  })
  return isMoving ? normalizeEmail(email) : undefined
}

export const addressTaken = () => new ConflictError('The e-mail is already in use')

/** The address that waits for its confirmation, for callers who could set one. */
export async function loadPendingEmail(
  { db, client, log }: Context,
  { member, isPlatform, viewer }: Reach,
  context: HandlerContext,
): Promise<string | undefined> {
  const mayManage = isPlatform || viewer.workspaces.some(one => one.permissions.includes('manage_members'))
  if (!member.user_id || !mayManage) return undefined
  const { email } = await client(AccountService)
    .getPendingEmail({ userId: member.user_id }, { timeoutMs: 1_000 })
    .catch((error: unknown) => {
      log.warn({ status: toRpcError(error).info.status }, 'pending address unknown; shown as none')
      return { email: undefined }
    })
  return email && (await isAllowed(checkAddressRights(db, context, member.id))) ? email : undefined
}
