import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import { CredentialService } from '../../../gen/platform/auth/v1/credentials_pb.ts'
import { ecosystemOf, ecosystemOfRecord, openTenantsOf } from '../../kernel/access/access.ts'
import { type Ecosystem, hasPermission } from '../../kernel/access/tenant.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { newToken } from '../../kernel/base/secrets.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../users/signed-in.ts'
import {
  type CredentialRow,
  credentialsOf,
  ecosystemOfCredential,
  insertCredential,
  revokeCredential,
} from './credentials.sql.ts'

/** API credentials of an ecosystem. */
export const credentialService = (parts: Context) =>
  implement(CredentialService, {
    async createCredential({ permissions: requestedPermissions, expiresAt }, context) {
      const { db, storedSecretCipher } = parts
      const { user } = await requireUser(parts, context)
      const ecosystem = ecosystemOf(context)
      const permissions = [...new Set(requestedPermissions)]
      // Platform callers pass every check of the ecosystem, so its existence must be checked.
      const unknownSlugs = await parts.members.checkGrant(ecosystem.ecosystemId, permissions)
      if (!permissions.every(slug => unknownSlugs.includes(slug) || mayGrant(context, ecosystem, slug)))
        throw new ForbiddenError('A credential cannot have more permissions than its creator')
      const apiSecret = newToken()
      const now = new Date()
      const row = {
        id: newId(),
        user_id: user.id,
        ecosystem_id: ecosystem.ecosystemId,
        api_key: `ek_${newToken()}`,
        api_secret: storedSecretCipher.seal(apiSecret),
        permissions: JSON.stringify(permissions),
        unknown_permissions: JSON.stringify(unknownSlugs),
        expires_at: expiresAt ? timestampDate(expiresAt) : null,
        created_at: now,
      }
      await insertCredential(db, row)
      return { ...credentialMessage({ ...row, is_active: 1 }), apiSecret }
    },

    async listCredentials(_request, context) {
      await requireUser(parts, context)
      const rows = await credentialsOf(parts.db, ecosystemOf(context))
      return { data: rows.map(credentialMessage) }
    },

    async revokeCredential({ id }, context) {
      await requireUser(parts, context)
      const credential = await ecosystemOfCredential(parts.db, id)
      const ecosystem = ecosystemOfRecord(context, credential?.ecosystem_id, 'Credential')
      await revokeCredential(parts.db, ecosystem, id)
      return { message: 'Credential revoked', id }
    },
  })

/** Whether the caller holds a permission in the ecosystem itself or in one of its workspaces. */
function mayGrant(context: HandlerContext, ecosystem: Ecosystem, slug: string): boolean {
  if (hasPermission(ecosystem, slug)) return true
  const workspaces = openTenantsOf(context).workspaces
  return workspaces.some(one => one.ecosystemId === ecosystem.ecosystemId && one.permissions.includes(slug))
}

const credentialMessage = (row: CredentialRow) => ({
  ...messageFields(row),
  permissions: JSON.parse(row.permissions) as string[],
})
