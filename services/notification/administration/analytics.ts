import { AnalyticsService } from '../../../gen/platform/notification/v1/analytics_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { pushLanes } from '../tables.ts'
import { deliveryFigures, notificationFigures } from './analytics.sql.ts'

const defaultPeriod = '7d'
const hour = 3_600_000

export const analyticsService = ({ db }: Context): Rpc =>
  implement(AnalyticsService, {
    async getNotificationAnalytics({ period = defaultPeriod }, context) {
      const tenant = tenantOf(context)
      const periodStart = new Date(Date.now() - lengthOf(period))
      const byType = await notificationFigures(db, tenant, periodStart)
      const deliveries = await deliveryFigures(db, tenant, periodStart)
      const sum = (valueOf: (row: (typeof byType)[number]) => unknown) =>
        byType.reduce((total, row) => total + Number(valueOf(row)), 0)
      const [delivered, read] = [sum(row => row.delivered), sum(row => row.read)]
      const channel = (lanes: readonly string[]) => {
        const rows = deliveries.filter(row => lanes.includes(row.lane))
        return figures(
          rows.reduce((total, row) => total + Number(row.sent), 0),
          rows.reduce((total, row) => total + Number(row.delivered), 0),
        )
      }
      return {
        period,
        sent: sum(row => row.sent),
        delivered,
        read,
        clicked: sum(row => row.clicked),
        byChannel: {
          push: channel(pushLanes),
          email: channel(['email']),
          socket: figures(
            sum(row => row.sockets),
            sum(row => row.readers),
          ),
        },
        byType: Object.fromEntries(byType.map(row => [row.type, Number(row.count)])),
        engagementRate: rate(read, delivered),
      }
    },
  })

/** Length of a period such as 24h or 7d, in ms. */
const lengthOf = (period: string): number => Number(period.slice(0, -1)) * (period.endsWith('d') ? 24 * hour : hour)

const figures = (sentCount: number, deliveredCount: number) => ({
  sent: sentCount,
  delivered: deliveredCount,
  rate: rate(deliveredCount, sentCount),
})

const rate = (part: number, total: number): number => (total === 0 ? 0 : Math.min(1, part / total))
