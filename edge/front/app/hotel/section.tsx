import type { ComponentChildren } from 'preact'
import { type Load, reloadAll, useLoad } from '../platform/load.ts'
import { type MemberContext, useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { SubjectPage } from '../ui/page.tsx'

type Props = { title: string; path: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page about the hotel. Each is open only to those with its right; the others aren't named. */
export function Section({ title, path, actions, children }: Props) {
  const t = useTexts('hotel/section')
  const { may } = useMemberContext()
  const rights = useManagesHotel()
  const managesHotel = rights.value
  const isInsider = managesHotel || may('manage_settings') || may('view_settings')
  const entries = [
    { to: '/hotel', text: t.overview, isPermitted: isInsider || may('view_analytics') },
    { to: '/hotel/settings', text: t.settings, isPermitted: managesHotel || may('manage_settings') },
    { to: '/hotel/subscription', text: t.subscription, isPermitted: managesHotel },
    { to: '/hotel/keys', text: t.keys, isPermitted: managesHotel },
    { to: '/hotel/webhooks', text: t.webhooks, isPermitted: managesWebhooks(may) },
    { to: '/hotel/data', text: t.storageAndExports, isPermitted: isInsider || may('export_data') },
    { to: '/hotel/audit', text: t.auditLog, isPermitted: may('view_reports') },
  ].filter(({ isPermitted }) => isPermitted)
  const isPermitted = entries.some(({ to }) => to === path)
  return (
    <SubjectPage
      title={title}
      class="hotel"
      label={t.hotel}
      path={path}
      entries={entries}
      actions={isPermitted && actions}
    >
      {isPermitted && children}
      {!isPermitted && (
        // The page loads the rights too, and what depends on them.
        <Loaded load={{ ...rights, reload: async () => reloadAll() }}>
          {() => <Empty icon="hotel" title={t.closed} text={t.closedText} />}
        </Loaded>
      )}
    </SubjectPage>
  )
}

/** Whether somebody manages webhooks. Their deliveries tell of members. */
export const managesWebhooks = (may: MemberContext['may']): boolean => may('manage_settings') && may('view_members')

/** Whether the signed-in person manages the hotel itself: an owner, an administrator, or granted. */
export function useManagesHotel(): Omit<Load<boolean>, 'change'> {
  const { memberId, workspace } = useMemberContext()
  const { value, ...load } = useLoad(memberId ? `hotel-rights/${memberId}` : null, async signal => {
    const { ecosystems } = await platform.member.getMember({ id: memberId }, { signal })
    return ecosystems
  })
  const isManager = value?.some(
    ({ ecosystemId, role, permissions }) =>
      ecosystemId === workspace.ecosystemId && (role !== 'member' || permissions.includes('manage_ecosystem')),
  )
  return { ...load, value: isManager }
}
