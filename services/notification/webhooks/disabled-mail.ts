import { frontLink } from '../../kernel/base/front-link.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { MemberAudience } from '../audience.ts'
import { insertDeliveries } from '../delivery/sql.ts'
import { sealMail } from '../mails/queued.ts'
import type { NotificationTrx, WebhookRow } from '../tables.ts'

export type DisabledMailParts = { audience: MemberAudience; mails: Cipher; front: string }

type Reason = NonNullable<WebhookRow['disabled_reason']>

const reasons: Record<Reason, Record<Language, string>> = {
  gone: {
    fr: 'le système a répondu qu’il n’existe plus (410)',
    en: 'the system answered that it no longer exists (410)',
  },
  failing: {
    fr: 'tous les envois ont échoué pendant cinq jours',
    en: 'every attempt has failed for five days',
  },
}

/** Enqueues mails to the administrators of a workspace, each in their language, about a disabled endpoint. */
export async function enqueueDisabledMails(
  trx: NotificationTrx,
  { audience, mails, front }: DisabledMailParts,
  { workspace_id: workspaceId, url }: Pick<WebhookRow, 'workspace_id' | 'url'>,
  reason: Reason,
): Promise<void> {
  const people = await audience.people(await audience.administratorsOf(workspaceId))
  const workspace = await audience.workspace(workspaceId)
  const deliveries = [...people.values()].map(({ email, firstName, lastName, language }) => ({
    id: newId(),
    notification_id: null,
    workspace_id: workspaceId,
    member_id: null,
    lane: 'email' as const,
    subscription_id: null,
    sealed_mail: sealMail(mails, {
      to: email,
      toName: fullName(firstName, lastName),
      slug: 'webhook_disabled',
      language,
      ...(workspace ? { ecosystemId: workspace.ecosystemId } : {}),
      variables: {
        firstName,
        workspaceName: workspace?.name ?? '',
        address: new URL(url).host,
        reason: reasons[reason][language],
        link: frontLink(front, '/hotel/webhooks'),
      },
    }),
    idempotency_key: null,
  }))
  if (deliveries.length > 0) await insertDeliveries(trx, deliveries)
}
