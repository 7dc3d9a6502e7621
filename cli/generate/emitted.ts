import type { DescFile } from '@bufbuild/protobuf'
import { type ServiceName, serviceNames } from '../../services/kernel/base/service-names.ts'
import type { SourceFile } from '../sources.ts'
import { accountsConfigText } from '../stack/broker-config.ts'
import { brokerNames } from '../stack/broker-permissions.ts'
import { eventEntries } from './events/catalogue.ts'

/** The keys that each service publishes, by the contract and the emitting calls. */
export function emittedBy(files: DescFile[], sources: SourceFile[]): Record<ServiceName, string[]> {
  const entries = eventEntries(files, sources)
  const keysOf = (service: ServiceName): string[] =>
    entries
      .filter(({ emitters }) => emitters.includes(service))
      .flatMap(({ event }) => [event.key, ...event.aliases])
      .toSorted()
  return Object.fromEntries(serviceNames.map(service => [service, keysOf(service)])) as Record<ServiceName, string[]>
}

/** Text of gen/emitted.ts. */
export const emittedText = (emitted: Record<ServiceName, string[]>): string => `// Written by npm run gen.
import type { ServiceName } from '../services/kernel/base/service-names.ts'

/** The routing keys that each service publishes. */
export const emitted: Record<ServiceName, readonly string[]> = ${JSON.stringify(emitted)}
`

/** Text of deploy/nats/accounts.conf: the broker's accounts for one process per service. */
export const accountsText = (
  emitted: Record<ServiceName, string[]>,
): string => `# Written by npm run gen: the broker accounts and their permissions. Passwords come from the environment.
# With another AMQP_EXCHANGE_NAME, AMQP_QUEUE_NAME or AMQP_ROUTING_KEYS: npm run platform -- broker-accounts
${accountsConfigText({ ...brokerNames({}), emitted })}`
