import type { ServiceName } from '../../base/service-names.ts'
import type { Environment } from '../config.ts'

/** Documented names without effect: services call each other by RPC, and events name their subjects. */
const never = [
  'AUTH_API_URL',
  'MEMBER_API_URL',
  'MEDIA_API_URL',
  'NOTIFICATION_API_URL',
  'AUTH_SERVICE_API_KEY',
  'MEMBER_SERVICE_API_KEY',
  'MEDIA_SERVICE_API_KEY',
]
const names = ['AUTH', 'MEMBER', 'HOTEL', 'MEDIA', 'NEWS', 'NOTIFICATION', 'PAYMENT']
const withPrefixes = (setting: string): string[] => [setting, ...names.map(name => `${name}_${setting}`)]

/**
 * The documented settings that are set but have no effect on a process: those of another design, those of a consumer it
 * doesn't host, and PORT where it serves several services or is the edge, whose ports have their own names.
 */
export function unusedSettings(env: Environment, hosted: ReadonlySet<ServiceName>): string[] {
  const consumes = hosted.has('notification')
  const queues = ['AMQP_QUEUE_NAME', 'AMQP_ROUTING_KEYS'].flatMap(setting =>
    withPrefixes(setting).filter(name => !consumes || (name !== setting && name !== `NOTIFICATION_${setting}`)),
  )
  const ports = hosted.size === 1 ? [] : ['PORT']
  return [...never, ...withPrefixes('AMQP_ROUTING_KEY_BASE'), ...queues, ...ports].filter(name => env[name])
}
