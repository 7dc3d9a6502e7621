import type { HandlerContext } from '@connectrpc/connect'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { personOf, tenantOf } from '../../kernel/access/access.ts'
import { actorKey, claimsOfActor } from '../../kernel/access/actor.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import type { PushLane } from '../tables.ts'
import { devicesOfMember, registerBrowser, registerDevice, removeBrowsers, removeDevice } from './subscriptions.sql.ts'

type Parts = Context & { pushServiceOf: (endpoint: string) => string | undefined }

/** Devices and browsers that receive the calling member's pushes. */
export const subscriptionService = ({ db, pushServiceOf }: Parts): Rpc =>
  implement(SubscriptionService, {
    async registerDevice(request, context) {
      const row = await registerDevice(db, {
        member_id: personOf(context).memberId,
        workspace_id: tenantOf(context).workspaceId,
        device_token: request.deviceToken,
        device_type: request.deviceType,
        platform: request.platform as PushLane,
        app_version: request.appVersion ?? null,
        device_model: request.deviceModel ?? null,
        os_version: request.osVersion ?? null,
      })
      return { subscription: messageFields(row) }
    },

    async listDevices(_request, context) {
      const rows = await devicesOfMember(db, personOf(context).memberId)
      return { data: rows.map(messageFields) }
    },

    async unregisterDevice({ deviceToken }, context) {
      const id = await removeDevice(db, personOf(context).memberId, deviceToken)
      if (id === undefined) throw new NotFoundError('Device not found')
      return { message: 'Device unregistered', id }
    },

    async subscribeBrowser({ endpoint, p256dh, auth }, context) {
      if (!pushServiceOf(endpoint)) throw invalid('endpoint', 'is not an address of a push service', 'push_service')
      const { memberId: member_id } = personOf(context)
      await registerBrowser(db, { member_id, device_token: endpoint, p256dh, auth, session_id: sessionOf(context) })
      return {}
    },

    async unsubscribeBrowser(_request, context) {
      await removeBrowsers(db, personOf(context).memberId, sessionOf(context))
      return {}
    },
  })

/** A browser is subscribed for a session, so that pushes end with it. */
function sessionOf(context: HandlerContext): string {
  const sessionId = claimsOfActor(context.values.get(actorKey))?.sessionId
  if (!sessionId) throw new ForbiddenError('The token belongs to no session')
  return sessionId
}
