import type { Message } from '@bufbuild/protobuf'
import { type ContextValues, createContextKey, type HandlerContext } from '@connectrpc/connect'
import { type Access, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import { authorize, fieldOf, takesPeople } from './access.ts'
import { type Actor, actorKey } from './actor.ts'
import type { Rights } from './rights.ts'

const emptyKey = createContextKey(false, { description: 'the list is empty' })

/** Whether the running call is a list in which its caller sees nothing, so that its handler doesn't run. */
export const isEmptyList = (context: HandlerContext): boolean => context.values.get(emptyKey)

/** Checks a call of a list. A person to whom no tenant is open sees an empty list, unless the call names one [R78]. */
export async function authorizeList(
  access: Access,
  message: Message,
  values: ContextValues,
  rights: Rights,
): Promise<void> {
  const isEmpty = await seesNothing(access, message, values.get(actorKey), rights)
  if (!isEmpty) return authorize(access, message, values, rights)
  values.set(emptyKey, true)
}

async function seesNothing(access: Access, message: Message, actor: Actor, rights: Rights): Promise<boolean> {
  const { scope, scopeField, permission } = access
  if (actor.kind !== 'person' || actor.claims.kind === 'administrator') return false
  if (!takesPeople(access) || scope === Scope.IDENTITY || scope === Scope.RECORD) return false
  if ([scopeField, 'workspace_id', 'ecosystem_id'].some(name => fieldOf(message, name) !== '')) return false
  const member = await rights.ofUser(actor.claims.userId)
  if (!member) return true
  // Without a permission, such a list also holds what is the member's own.
  if (member.isSuperAdmin || (scope === Scope.MEMBER && permission === '')) return false
  return member.workspaces.length === 0 && !(scope === Scope.ECOSYSTEM && member.ecosystems.length > 0)
}
