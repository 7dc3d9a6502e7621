import type { ComponentChildren } from 'preact'
import { useHere } from '../platform/here.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { Empty, Loading } from '../ui/feedback.tsx'
import { SectionNav } from '../ui/section-nav.tsx'
import { useTitle } from '../ui/title.ts'
import { useManagesHotel } from './hotel-rights.ts'

const words = texts({
  en: {
    pages: 'Hotel',
    overview: 'Overview',
    settings: 'Settings',
    subscription: 'Subscription',
    keys: 'API keys',
    data: 'Storage and exports',
    audit: 'Audit log',
    closed: 'You don’t have access to this page',
    closedText: 'Ask an administrator of your hotel if you need it.',
  },
  fr: {
    pages: 'Hôtel',
    overview: 'Vue d’ensemble',
    settings: 'Réglages',
    subscription: 'Abonnement',
    keys: 'Clés d’API',
    data: 'Stockage et exports',
    audit: 'Journal d’audit',
    closed: 'Vous n’avez pas accès à cette page',
    closedText: 'Adressez-vous à un administrateur de votre hôtel si vous en avez besoin.',
  },
})

type Props = { title: string; here: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page about the hotel. Each is open only to those with its right; the others aren't named. */
export function Section({ title, here, actions, children }: Props) {
  const t = useTexts(words)
  const { may } = useHere()
  const manages = useManagesHotel()
  useTitle(title)
  const isInsider = manages || may('manage_settings') || may('view_settings')
  const entries = [
    { to: '/hotel', text: t.overview, isOpen: isInsider || may('view_analytics') },
    { to: '/hotel/settings', text: t.settings, isOpen: manages || may('manage_settings') },
    { to: '/hotel/subscription', text: t.subscription, isOpen: manages },
    { to: '/hotel/keys', text: t.keys, isOpen: manages },
    { to: '/hotel/data', text: t.data, isOpen: isInsider || may('export_data') },
    { to: '/hotel/audit', text: t.audit, isOpen: may('view_reports') },
  ].filter(({ isOpen }) => isOpen)
  const isOpen = entries.some(({ to }) => to === here)
  return (
    <div class="wide hotel">
      <header class="section-head">
        <h1>{title}</h1>
        {isOpen && actions && <div class="actions">{actions}</div>}
      </header>
      <SectionNav label={t.pages} here={here} entries={entries} />
      {isOpen && children}
      {!isOpen && manages === undefined && <Loading />}
      {!isOpen && manages !== undefined && (
        <Empty icon="hotel" title={t.closed}>
          <p>{t.closedText}</p>
        </Empty>
      )}
    </div>
  )
}
