import { type Environment, readSetting, settings } from '../process/config.ts'
import { brokerAddress } from '../process/tls.ts'

/** The inbox prefix of a broker account with restricted permissions. No other account may subscribe to it. */
export const inboxOf = (account: string): string => `_INBOX_${account}`

/**
 * The broker's address and account for this process. A process that hosts a single service, or only the edge, may have
 * its own account: NEWS_AMQP_GATEWAY_URL takes precedence over AMQP_GATEWAY_URL. A process with several services uses
 * the latter.
 * @param hosted the services in this process
 */
export function brokerAccount(hosted: readonly { name: string }[], env: Environment) {
  const name = hosted.length > 1 ? '' : (hosted[0]?.name ?? 'edge')
  const prefix = name.toUpperCase()
  const { AMQP_GATEWAY_URL: url } = settings(env, prefix, { AMQP_GATEWAY_URL: brokerAddress })
  const isOwn = prefix !== '' && readSetting(env, '', `${prefix}_AMQP_GATEWAY_URL`) !== undefined
  return { url, inbox: isOwn ? inboxOf(name) : undefined }
}
