import type { Subscription as SubscriptionData } from '../../../../gen/client/payment.ts'
import { PlatformError } from '../../../client/client.ts'
import { useHotel } from '../platform/hotel.ts'
import { useFrames, useReload, useRoom } from '../platform/live.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateOf, fill, locale, useTexts } from '../platform/texts.ts'
import { Facts } from '../ui/facts.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Section, useManagesHotel } from './section.tsx'

const priceOf = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency: currency.toUpperCase() })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** The hotel's plan and its state, followed live. */
export function Subscription() {
  const t = useTexts('hotel/subscription')
  const { workspace } = useMemberContext()
  const managesHotel = useManagesHotel().value
  const hotel = useHotel()
  const customer = managesHotel ? (hotel.value?.payment_customer_id ?? null) : null
  const { value, error, reload } = useLoad(customer ? `subscription/${customer}` : null, async signal => {
    const [subscription, plans] = await Promise.all([
      platform.payment.getSubscription({ customer_id: customer ?? '' }, { signal }),
      platform.payment.listPlans({}, { signal }),
    ])
    return { subscription, plan: plans.data.find(({ slug }) => slug === subscription.plan) }
  })
  useRoom('joinHotel', workspace.ecosystemId)
  useFrames('subscription:status', useReload(reload))
  const isMissing =
    (hotel.value && !hotel.value.payment_customer_id) || (error instanceof PlatformError && error.status === 404)
  const { subscription, plan } = value ?? {}
  const status = subscription ? statusOf(subscription) : 'inactive'
  const end = subscription?.currentPeriodEndsAt
  const trialEnd = subscription?.trialEndsAt
  return (
    <Section title={t.title} path="/hotel/subscription">
      {!isMissing && <Problem error={error ?? hotel.error} onRetry={() => void reload()} />}
      {!value && !error && !isMissing && <Loading />}
      {isMissing && <Empty icon="file" title={t.none} text={t.noneText} />}
      {subscription && (
        <section class="card narrow">
          {status === 'inactive' && (
            <div class="problem" role="alert">
              <Icon name="warning" />
              <p>{t.unpaid}</p>
            </div>
          )}
          {status === 'overdue' && (
            <p class="note" role="status">
              {t.overdueText}
            </p>
          )}
          {status !== 'inactive' && subscription.cancelAtPeriodEnd && end && (
            <p class="note">{fill(t.ends, { date: dateOf(end) })}</p>
          )}
          {status === 'trial' && trialEnd && !subscription.cancelAtPeriodEnd && (
            <p class="note">{fill(t.trialSoon, { date: dateOf(trialEnd) })}</p>
          )}
          <h2>
            {plan?.name ?? subscription.plan} <span class={`tag ${badgeByStatus[status]}`}>{t[status]}</span>
          </h2>
          <Facts
            facts={[
              [
                t.price,
                plan && `${priceOf(plan.amount, plan.currency)} ${plan.interval === 'year' ? t.year : t.month}`,
              ],
              [t.storage, plan && fill(t.gigabytes, { count: plan.storageQuota / 1000 })],
              [
                t.trialEnds,
                trialEnd &&
                  `${dateOf(trialEnd)}${status === 'trial' ? ` (${fill(t.days, { count: daysUntil(trialEnd) })})` : ''}`,
              ],
              [subscription.cancelAtPeriodEnd || status === 'inactive' ? t.periodEnds : t.renews, end && dateOf(end)],
              [t.cancelled, subscription.cancelledAt && dateOf(subscription.cancelledAt)],
              [t.since, subscription.createdAt && dateOf(subscription.createdAt)],
            ]}
          />
        </section>
      )}
    </Section>
  )
}

/** The tag of each status. */
const badgeByStatus = { active: 'strong', trial: 'strong', overdue: 'pending', inactive: 'suspended' }

/** The platform counts an overdue payment as active while it is still collected. */
function statusOf({ status, isPastDue }: SubscriptionData): keyof typeof badgeByStatus {
  if (status === 'active') return isPastDue ? 'overdue' : 'active'
  return status === 'trial' ? 'trial' : 'inactive'
}

const daysUntil = (iso: string): number => Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / 86_400_000))
