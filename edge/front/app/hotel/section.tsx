import type { ComponentChildren } from 'preact'
import { useMemberContext } from '../platform/member-context.ts'
import { useTexts } from '../platform/texts.ts'
import { Empty, Loading } from '../ui/feedback.tsx'
import { SectionNav } from '../ui/section-nav.tsx'
import { useTitle } from '../ui/title.ts'
import { useManagesHotel } from './hotel-rights.ts'

type Props = { title: string; path: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page about the hotel. Each is open only to those with its right; the others aren't named. */
export function Section({ title, path, actions, children }: Props) {
  const t = useTexts('hotel/section')
  const { may } = useMemberContext()
  const managesHotel = useManagesHotel()
  useTitle(title)
  const isInsider = managesHotel || may('manage_settings') || may('view_settings')
  const entries = [
    { to: '/hotel', text: t.overview, isPermitted: isInsider || may('view_analytics') },
    { to: '/hotel/settings', text: t.settings, isPermitted: managesHotel || may('manage_settings') },
    { to: '/hotel/subscription', text: t.subscription, isPermitted: managesHotel },
    { to: '/hotel/keys', text: t.keys, isPermitted: managesHotel },
    { to: '/hotel/data', text: t.storageAndExports, isPermitted: isInsider || may('export_data') },
    { to: '/hotel/audit', text: t.auditLog, isPermitted: may('view_reports') },
  ].filter(({ isPermitted }) => isPermitted)
  const isPermitted = entries.some(({ to }) => to === path)
  return (
    <div class="wide hotel">
      <header class="section-head">
        <h1>{title}</h1>
        {isPermitted && actions && <div class="actions">{actions}</div>}
      </header>
      <SectionNav label={t.hotel} path={path} entries={entries} />
      {isPermitted && children}
      {!isPermitted && managesHotel === undefined && <Loading />}
      {!isPermitted && managesHotel !== undefined && (
        <Empty icon="hotel" title={t.closed}>
          <p>{t.closedText}</p>
        </Empty>
      )}
    </div>
  )
}
