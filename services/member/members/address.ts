import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { createContextValues, type HandlerContext } from '@connectrpc/connect'
import { AccountService, type Asker, type AskerSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import {
  MemberService,
  type UpdateMemberRequest,
  UpdateMemberRequestSchema,
} from '../../../gen/platform/member/v1/members_pb.ts'
import { authorize, eventActorOf } from '../../kernel/access/access.ts'
import { accessOf } from '../../kernel/access/access-option.ts'
import { type Actor, actorKey } from '../../kernel/access/actor.ts'
import type { Rights } from '../../kernel/access/rights.ts'
import { ConflictError, ForbiddenError, GoneError, NotFoundError, toPlatformError } from '../../kernel/base/errors.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { hotelsToSet, type Reach, reachMember } from '../memberships/reach.ts'
import { findByEmail } from '../people/sql.ts'
import { lets } from '../rights/grants.ts'
import type { Db } from '../tables.ts'
import { checkUpdateRights } from './rights.ts'

type Needs = { db: Db } & Pick<Runtime, 'client' | 'log'>

const emailOnly = new Set(['email'])

/** The caller, as a change of address stores them until it is confirmed. */
function askerOf(context: HandlerContext): MessageInitShape<typeof AskerSchema> | undefined {
  const actor = context.values.get(actorKey)
  if (actor.kind === 'credential') {
    const { userId, credentialId, ecosystemId, permissions } = actor.credential
    return { userId, credentialId, ecosystemId, permissions }
  }
  if (actor.kind !== 'person') return undefined
  const { userId, kind, workspaceId } = actor.claims
  return { userId, isAdministrator: kind === 'administrator', workspaceId: workspaceId ?? undefined }
}

function actorOf({ userId, isAdministrator, workspaceId, credentialId, ecosystemId, permissions }: Asker): Actor {
  if (credentialId)
    return { kind: 'credential', credential: { credentialId, userId, ecosystemId: ecosystemId ?? '', permissions } }
  const noClaims = { email: '', isAdmin: false, memberId: null, roles: [], permissions: [], sessionId: null }
  const kind = isAdministrator ? 'administrator' : 'modern'
  return { kind: 'person', claims: { ...noClaims, userId, workspaceId: workspaceId ?? null, kind, iat: 0, exp: 0 } }
}

/**
 * Checks the right of the asker of an address again, as if they called UpdateMember now [R57]. GoneError.
 * @returns the asker, as the actor of the change
 */
export async function recheckAsker(
  { db, rights }: { db: Db; rights: Rights },
  asker: Asker,
  memberId: string,
  context: HandlerContext,
): Promise<EventActor> {
  const values = createContextValues().set(actorKey, actorOf(asker))
  const asAsker: HandlerContext = { ...context, values }
  try {
    const request = create(UpdateMemberRequestSchema, { id: memberId })
    await authorize(accessOf(MemberService.method.updateMember), request, values, rights)
    await checkAddressRights(db, asAsker, memberId)
    return eventActorOf(asAsker)
  } catch (error) {
    const isRefusal = error instanceof ForbiddenError || error instanceof NotFoundError
    throw isRefusal ? new GoneError('The asker may no longer set this address') : error
  }
}

async function checkAddressRights(db: Db, context: HandlerContext, memberId: string): Promise<void> {
  const reach = await reachMember(db, context, memberId, 'manage_members')
  await checkUpdateRights(db, context, reach, emailOnly, hotelsToSet(reach))
}

/**
 * Has an account's new address confirmed by its mailbox. Holds no lock: auth calls this service with its account locked.
 * @returns the address that waits; undefined when the record itself has it, in whatever spelling, or has no account
 */
export async function requestAddress(
  { db, client }: Pick<Needs, 'db' | 'client'>,
  { member }: Reach,
  { email, currentPassword, updateMask }: UpdateMemberRequest,
  context: HandlerContext,
): Promise<string | undefined> {
  if (!email || !member.user_id || !updateMask?.paths.includes('email')) return undefined
  const isMoving = normalEmail(email) !== member.live_email
  if (isMoving && (await findByEmail(db, email))) throw addressTaken()
  await client(AccountService).changeUserEmail({
    userId: member.user_id,
    email,
    asker: askerOf(context),
    currentPassword,
  })
  return isMoving ? normalEmail(email) : undefined
}

export const addressTaken = () => new ConflictError('The e-mail is already in use')

/** The address that waits for its confirmation, for callers who could set one. */
export async function loadPendingEmail(
  { db, client, log }: Needs,
  { member, isPlatform, viewer }: Reach,
  context: HandlerContext,
): Promise<string | undefined> {
  const mayManage = isPlatform || viewer.workspaces.some(one => one.permissions.includes('manage_members'))
  if (!member.user_id || !mayManage) return undefined
  const { email } = await client(AccountService)
    .getPendingEmail({ userId: member.user_id }, { timeoutMs: 1_000 })
    .catch((error: unknown) => {
      log.warn({ status: toPlatformError(error).info.status }, 'pending address unknown; shown as none')
      return { email: undefined }
    })
  return email && (await lets(checkAddressRights(db, context, member.id))) ? email : undefined
}
