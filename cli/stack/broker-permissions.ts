import { emitted } from '../../gen/emitted.ts'
import { framesSubject, presenceSubject } from '../../services/kernel/base/live.ts'
import { type ServiceName, serviceNames } from '../../services/kernel/base/service-names.ts'
import { inboxOf } from '../../services/kernel/bus/address.ts'
import { type Environment, readSetting } from '../../services/kernel/process/config.ts'
import { removalSubjects, subjectsOf, webhookDurable, webhookSubject } from '../../services/notification/config.ts'

/** All users with their own broker account: the services and the edge. */
export const brokerUsers = [...serviceNames, 'edge'] as const
export type BrokerUser = (typeof brokerUsers)[number]

/** The permitted subjects of an account, with wildcards. Denials take precedence. */
export type BrokerPermissions = { publish: { allow: string[]; deny: string[] }; subscribe: string[] }

/** The configured stream, queue and subjects, and the event keys that each service emits. */
export type BrokerNames = {
  stream: string
  queue: string
  subjects: string[]
  emitted: Record<ServiceName, readonly string[]>
}

export const brokerNames = (env: Environment): BrokerNames => ({
  emitted,
  stream: readSetting(env, '', 'AMQP_EXCHANGE_NAME') ?? 'platform_events',
  queue: readSetting(env, 'NOTIFICATION', 'AMQP_QUEUE_NAME') ?? 'notification_queue',
  subjects: subjectsOf(readSetting(env, 'NOTIFICATION', 'AMQP_ROUTING_KEYS') ?? 'platform.notification.>'),
})

type Consumer = { durable: string; subject: string }

/** The durable consumers of each service. */
export const durablesOf = ({ queue, subjects }: BrokerNames): Record<BrokerUser, Consumer[]> => ({
  auth: [
    { durable: 'auth-erased-members', subject: 'platform.member.erased' },
    { durable: 'auth-departed-members', subject: 'platform.member.departed' },
    { durable: 'auth-revoked-administrators', subject: 'platform.member.administration_revoked' },
  ],
  member: [
    { durable: 'member-deleted-users', subject: 'platform.auth.user.deleted' },
    { durable: 'member-opened-hotels', subject: 'platform.notification.hotel.created' },
    { durable: 'member-changed-profiles', subject: 'platform.hotel.settings_updated' },
    { durable: 'member-recorded-changes', subject: 'platform.audit.recorded' },
    { durable: 'member-ended-rests', subject: 'platform.member.rest_ended' },
  ],
  hotel: [{ durable: 'hotel-subscription', subject: 'platform.payment.subscription_changed' }],
  media: [{ durable: 'media-storage', subject: 'platform.storage.media' }],
  news: [
    // `consumers` of services/news/service.ts.
  ],
  notification: [
    ...subjects.map((subject, i) => ({ durable: i === 0 ? queue : `${queue}_${i + 1}`, subject })),
    ...Object.entries(removalSubjects).map(([suffix, subject]) => ({ durable: `${queue}${suffix}`, subject })),
    { durable: `${queue}_error_reports`, subject: 'platform.webhook.report-error' },
    { durable: `${queue}_erased_members`, subject: 'platform.member.erased' },
    { durable: webhookDurable(queue), subject: webhookSubject },
  ],
  payment: [],
  edge: [],
})

/** Permissions beside events and consumers. */
const extraSubjects: Partial<Record<BrokerUser, { publishes?: string[]; subscribes?: string[] }>> = {
  auth: { publishes: ['internal.sign-ins-ended'] },
  member: { publishes: ['internal.rights-changed'] },
  notification: { publishes: [framesSubject, presenceSubject], subscribes: [presenceSubject] },
  edge: { publishes: [framesSubject, presenceSubject], subscribes: [presenceSubject] },
}
/** Every process drops caches when rights or accounts change. */
const cacheSubjects = ['internal.rights-changed', 'internal.sign-ins-ended', 'platform.auth.user.*']

/** Users that read the stream by themselves from any position, without consuming its messages. */
const tailsOf = ({ stream }: BrokerNames): Partial<Record<BrokerUser, [stream: string, subject: string][]>> => ({
  news: [[stream, 'platform.notification.member.>']],
  edge: [
    [stream, 'platform.>'],
    [`${stream}_live`, framesSubject],
  ],
})

const api = '$JS.API'

/** Exactly what one user needs at the broker. */
export function permissionsOf(user: BrokerUser, names: BrokerNames): BrokerPermissions {
  const { stream } = names
  const streams = ['', '_dead', '_live'].map(suffix => stream + suffix)
  const durables = durablesOf(names)
  const tails = tailsOf(names)[user] ?? []
  const { publishes = [], subscribes = [] } = extraSubjects[user] ?? {}
  // The processes of a service count the calls of each caller together.
  const callCounts = user === 'edge' ? [] : [`internal.calls.${user}`]
  const keys = user === 'edge' ? [] : names.emitted[user]
  const isTailing = tails.some(([name]) => name === stream)
  return {
    publish: {
      allow: [
        ...keys,
        ...publishes,
        ...callCounts,
        `${api}.INFO`,
        // The first process creates them; no service changes, empties or deletes them.
        ...streams.flatMap(name => [`${api}.STREAM.INFO.${name}`, `${api}.STREAM.CREATE.${name}`]),
        `${api}.CONSUMER.LIST.${stream}`,
        ...durables[user].flatMap(durable => consumingSubjects(stream, durable)),
        ...tails.flatMap(([name, subject]) => tailingSubjects(name, subject)),
        // The relay compares an outbox with the broker's stream, and the console shows it.
        ...(keys.length > 0 || user === 'edge' ? [`${api}.STREAM.MSG.GET.${stream}`] : []),
        ...(user === 'notification' ? redrivingSubjects(names) : []),
      ],
      // Tails have random names; these are the names of other users' durable consumers.
      deny: isTailing
        ? Object.entries(durables).flatMap(([owner, list]) =>
            owner === user ? [] : list.flatMap(durable => consumerSubjects(stream, durable)),
          )
        : [],
    },
    subscribe: [`${inboxOf(user)}.>`, ...cacheSubjects, ...subscribes, ...callCounts],
  }
}

const consumingSubjects = (stream: string, { durable, subject }: Consumer): string[] => [
  `${api}.CONSUMER.INFO.${stream}.${durable}`,
  `${api}.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
  `${api}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
  `dead.${durable}`,
]

const consumerSubjects = (stream: string, { durable }: Consumer): string[] => [
  `${api}.CONSUMER.CREATE.${stream}.${durable}.>`,
  `${api}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
]

const tailingSubjects = (stream: string, subject: string): string[] => [
  `${api}.CONSUMER.CREATE.${stream}.*.${subject}`,
  `${api}.CONSUMER.INFO.${stream}.*`,
  `${api}.CONSUMER.MSG.NEXT.${stream}.*`,
]

/** The service of dead letters reads, discards and republishes them, on any consumer's subject. */
const redrivingSubjects = (names: BrokerNames): string[] => [
  ...Object.values(durablesOf(names)).flatMap(list => list.map(({ subject }) => subject)),
  ...['GET', 'DELETE'].map(verb => `${api}.STREAM.MSG.${verb}.${names.stream}_dead`),
  `${api}.STREAM.MSG.GET.${names.stream}`,
]

/** The union of all permissions, for a process with several services, with or without the edge. */
export function permissionsOfAll(names: BrokerNames): BrokerPermissions {
  const permissions = brokerUsers.map(user => permissionsOf(user, names))
  const subscribes = permissions.flatMap(({ subscribe }) => subscribe).filter(subject => !subject.startsWith('_INBOX'))
  const publishes = permissions.flatMap(({ publish }) => publish.allow)
  return { publish: { allow: [...new Set(publishes)], deny: [] }, subscribe: [...new Set(['_INBOX.>', ...subscribes])] }
}
