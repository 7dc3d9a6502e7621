import type { RouteUsage } from '../../../../gen/client/legacyauth.ts'
import { useStore } from '../../../front/app/platform/store.ts'
import { Toggle } from '../../../front/app/ui/controls.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import type { ConsoleStatus } from '../answers.ts'
import * as format from '../format.ts'
import { Figure, Nothing, TimeAgo } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { freshness, useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'

const dayMs = 86_400_000

/** Clients of the legacy version, their calls, and the day it ends. */
export function Legacy() {
  const [filters, setFilters] = useFilters(['days'])
  const days = filters.days || '30'
  const usage = useRefreshed(days, 60_000, () => platform.legacyauth.listUsage({ days: Number(days) }))
  const { status } = useStore(freshness)
  if (!usage || !status) return <Loading />
  return (
    <div class="stack">
      <div>
        <Toggle
          label="Span"
          value={days}
          choices={{ '30': '30 days', '90': '90 days', '365': '1 year' }}
          onValue={next => setFilters({ days: next })}
        />
      </div>
      <LegacyFigures legacy={status.legacy} usage={usage.data} />
      <Card title="Routes and clients" hint="Most called first. Web pages by origin, programs by name">
        <DataTable
          label="Routes and clients"
          columns={columns}
          rows={usage.data}
          empty={<Nothing title="No legacy calls">{`None in the last ${days} days.`}</Nothing>}
        />
      </Card>
    </div>
  )
}

function LegacyFigures({ legacy, usage }: { legacy: ConsoleStatus['legacy']; usage: RouteUsage[] }) {
  const daysLeft = Math.ceil((Date.parse(legacy.sunset) + dayMs - Date.now()) / dayMs)
  const since = `${format.plural(daysLeft, 'day')} left · deprecated since ${format.dateOnly(legacy.deprecatedSince)}`
  return (
    <div class="figures fit">
      <Figure
        label="Available until"
        value={format.dateOnly(legacy.sunset)}
        note={daysLeft > 0 ? since : 'past its end date'}
        isWarning={daysLeft < 90}
      />
      <Figure label="Calls in this period" value={format.short(usage.reduce((sum, one) => sum + one.calls, 0))} />
      <Figure
        label="Active clients"
        value={format.count(new Set(usage.map(({ client }) => client)).size)}
        note={format.plural(new Set(usage.map(({ route }) => route)).size, 'route')}
      />
    </div>
  )
}

const columns: TableColumn<RouteUsage>[] = [
  { name: 'Route', cell: one => <code>{one.route}</code>, isWide: true },
  { name: 'Client', cell: one => one.client, isWide: true },
  { name: 'Calls', cell: one => format.count(one.calls), isNumber: true },
  { name: 'Last call', cell: one => <TimeAgo moment={one.lastCalledAt} /> },
]
