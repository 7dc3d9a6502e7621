import { type Environment, readSetting, settings } from '../process/config.ts'
import { brokerAddress } from '../process/tls.ts'

/** Below which subjects an account of the broker with permissions of its own hears answers; no other account may. */
export const inboxOf = (account: string): string => `_INBOX_${account}`

/**
 * Where the broker is and who this process is there. One that hosts a single service, or none and is the edge, may have an
 * account of its own: NEWS_AMQP_GATEWAY_URL goes before AMQP_GATEWAY_URL. One that hosts several has the latter's.
 * @param hosted the services in this process
 */
export function brokerAccount(hosted: readonly { name: string }[], env: Environment) {
  const name = hosted.length > 1 ? '' : (hosted[0]?.name ?? 'edge')
  const prefix = name.toUpperCase()
  const { AMQP_GATEWAY_URL: url } = settings(env, prefix, { AMQP_GATEWAY_URL: brokerAddress })
  const isOwn = prefix !== '' && readSetting(env, '', `${prefix}_AMQP_GATEWAY_URL`) !== undefined
  return { url, inbox: isOwn ? inboxOf(name) : undefined }
}
